"""What the property tests share: a generator of programs, and an independent judge of choreography.

Nothing in here uses the passes or the analyses of the package; only the dialects and what they are
made of. So a mistake there cannot hide itself here.

- `programs`: hypothesis strategies of valid, sized dataflow programs, as text.
- `reference`: what a dataflow program means, as terms, without any choreography.
- `machine`: runs scheduled programs op by op, under many schedules, on pages that are terms.
- `balance`: both together: the verdict on a scheduled program.
"""
