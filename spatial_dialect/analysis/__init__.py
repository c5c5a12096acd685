"""Read-only facts about programs; nothing here changes the IR."""
