"""Passes as command-line flags, in the style of `mlir-opt`."""

import re
from collections.abc import Container, Iterable

_FLAG = re.compile(
    r"--(?P<name>[A-Za-z0-9_-]+)(?:=(?P<value>.*)|(?P<braces>\{.*\})|(?P<brackets>\[.*\]))?",
    re.DOTALL,
)


def fold_pass_flags(args: Iterable[str], pass_names: Container[str]) -> list[str]:
    """Replace all pass flags and all `-p` by a single `-p`, with the passes in the order of `args`.

    A pass is written `--name`, `--name="key=value ..."` or `--name{key=value ...}`. Arguments that
    name no pass are kept, in their order, after the pipeline.
    """
    pipeline: list[str] = []
    rest: list[str] = []
    remaining = iter(args)
    for arg in remaining:
        if arg == "--":
            rest += [arg, *remaining]
        elif arg in ("-p", "--passes"):
            if (value := next(remaining, None)) is None:
                rest.append(arg)  # for argparse to complain about
            else:
                pipeline.append(value)
        elif arg.startswith("-p"):
            pipeline.append(arg.removeprefix("-p").removeprefix("="))
        elif (match := _FLAG.fullmatch(arg)) is None:
            rest.append(arg)
        elif match["name"] == "passes":
            pipeline.append(match["value"] or "")
        elif match["name"] not in pass_names:
            rest.append(arg)
        elif (value := match["value"]) is not None:
            options = value.strip()
            if not re.fullmatch(r"\{.*\}|\[.*\]", options, re.DOTALL):
                options = f"{{{options}}}"
            pipeline.append(match["name"] + options)
        else:
            pipeline.append(match["name"] + (match["braces"] or match["brackets"] or ""))
    passes = ",".join(part for item in pipeline if (part := item.strip()))
    return ["-p", passes, *rest] if passes else rest
