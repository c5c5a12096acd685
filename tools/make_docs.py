"""Writes the parts of the documentation that follow from the code: dialects, passes and targets.

`python -m spatial_dialect.tools.make_docs` rewrites them in `docs`; `make docs` calls it. Each page
is a template of `docs/templates`, filled in with what this module reads off ops, attributes, passes
and targets. It needs jinja2, which the extra `dev` installs.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import TypeAlias, cast

import jinja2
from xdsl.dialects.builtin import ArrayOfConstraint
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Dialect, Operation, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import (
    AnyAttr,
    AnyOf,
    AttrConstraint,
    BaseAttr,
    EqAttrConstraint,
    IRDLOperation,
    MessageConstraint,
    OptionalDef,
    OptSingleBlockRegionDef,
    ParamAttrConstraint,
    RangeConstraint,
    RangeLengthConstraint,
    RangeOf,
    SingleBlockRegionDef,
    VariadicDef,
)
from xdsl.passes import ModulePass
from xdsl.traits import HasAncestor, HasParent, OpTrait

from spatial_dialect.targets import Costs, Figure, Target, get_target, known_targets
from spatial_dialect.universe import ALL_DIALECTS, ALL_PASSES

AnyConstraint: TypeAlias = AttrConstraint | RangeConstraint
"""A constraint of an operand, a result, a property or a parameter."""

SEGMENTS = "operandSegmentSizes"
"""A property that only says how the operands are split; the custom format derives it."""


################################################################################
# Constraints in words                                                         #
################################################################################


_WORDS: Mapping[str, str] = {
    "symbol_ref": "symbol of a stage",
    "affine_map": "tile address",
    "unit": "flag",
    "array": "integers",
    "memref": "`memref`",
    "tensor": "`tensor`",
    "integer": "integer",
    "float": "float",
    "index": "`index`",
    "integer_type": "integer type",
    "string": "text",
    "dictionary": "dictionary",
    "builtin.int": "integer",
}
"""What builtin attributes and types stand for here."""


def constraint_text(constraint: AnyConstraint) -> str:
    """A constraint as the reference names it: the attribute or type it stands for."""
    match constraint:
        case RangeLengthConstraint(constraint=inner) | RangeOf(constr=inner):
            return constraint_text(inner)
        case MessageConstraint(constr=inner):
            return constraint_text(inner)
        case ArrayOfConstraint(elem_range_constraint=inner):
            return f"list of {constraint_text(inner)}"
        case AnyOf(attr_constrs=alternatives):
            return " or ".join(dict.fromkeys(constraint_text(inner) for inner in alternatives))
        case EqAttrConstraint(attr=attribute):
            return attribute_text(type(attribute))
        case BaseAttr(attr=attribute) | ParamAttrConstraint(base_attr=attribute):
            return attribute_text(attribute)
        case AnyAttr():
            return "any"
        case _:
            # Left are the constraints of symbol names.
            return "symbol name"


def attribute_text(attribute: type[Attribute]) -> str:
    """An attribute or type: ours by its name with its prefix, a builtin one in words."""
    name = attribute.name
    if (word := _WORDS.get(name)) is not None:
        return word
    if "." in name:
        return f"`{'!' if issubclass(attribute, TypeAttribute) else '#'}{name}`"
    return f"`{name}`"


def value_text(attribute: Attribute) -> str:
    """A default value, without the name of its attribute."""
    text = str(attribute)
    if text.startswith("#"):
        text = text.partition("<")[2].removesuffix(">").partition(" ")[2] or text
    return f"`{text.removesuffix(' : i64')}`"


################################################################################
# Docstrings                                                                   #
################################################################################


def documentation(of: type) -> str:
    """The docstring of a class, as Markdown."""
    return inspect.cleandoc(of.__doc__ or "").strip()


def field_documentation(of: type) -> dict[str, str]:
    """The docstrings that stand below the fields of a class, on one line each."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(of))).body[0]
    assert isinstance(tree, ast.ClassDef)
    found: dict[str, str] = {}
    for field, doc in zip(tree.body, tree.body[1:], strict=False):
        target = field.target if isinstance(field, ast.AnnAssign) else None
        if not isinstance(target, ast.Name) or not isinstance(doc, ast.Expr):
            continue
        if isinstance(doc.value, ast.Constant) and isinstance(doc.value.value, str):
            found[target.id] = " ".join(doc.value.value.split())
    return found


################################################################################
# Dialects                                                                     #
################################################################################


@dataclass(frozen=True)
class Field:
    """A row of a table: an operand, a property, a result or a region of an op."""

    kind: str
    name: str
    what: str
    note: str = ""


def _how_many(definition: object) -> str:
    if isinstance(definition, OptionalDef):
        return "optional"
    return "any number" if isinstance(definition, VariadicDef) else ""


def op_fields(op: type[IRDLOperation]) -> list[Field]:
    """What an op consists of, in the order of its definition."""
    definition = op.get_irdl_definition()
    rows = [
        Field("operand", name, constraint_text(operand.constr), _how_many(operand))
        for name, operand in definition.operands
    ]
    for name, prop in definition.properties.items():
        if name == SEGMENTS:
            continue
        default = prop.default_value
        note = _how_many(prop) if default is None else f"default {value_text(default)}"
        rows.append(Field("property", name, constraint_text(prop.constr), note))
    rows += (
        Field("result", name, constraint_text(result.constr), _how_many(result))
        for name, result in definition.results
    )
    rows += (
        Field(
            "region",
            name,
            "one block"
            if isinstance(region, SingleBlockRegionDef | OptSingleBlockRegionDef)
            else "blocks",
            _how_many(region),
        )
        for name, region in definition.regions
    )
    return rows


def trait_texts(op: type[Operation]) -> list[str]:
    """The traits of an op, those that say where it stands with the ops in question."""
    return sorted(_trait_text(trait) for trait in op.traits)


def _trait_text(trait: OpTrait) -> str:
    name = type(trait).__name__
    if isinstance(trait, HasParent | HasAncestor):
        return f"{name}({', '.join(place.name for place in trait.op_types)})"
    return name


def dialect_page(dialect: Dialect) -> dict[str, object]:
    """What the page of a dialect shows."""
    operations = [
        {
            "name": op.name,
            "documentation": documentation(op),
            "fields": op_fields(op),
            "traits": trait_texts(op),
        }
        for op in dialect.operations
        if issubclass(op, IRDLOperation)
    ]
    attributes = [
        {
            "title": attribute_text(attribute),
            "documentation": documentation(attribute),
            "parameters": parameter_fields(attribute),
            "values": [f"`{value}`" for value in enumerated(attribute)],
        }
        for attribute in dialect.attributes
    ]
    module = sys.modules[next(iter(dialect.operations)).__module__]
    return {
        "dialect": dialect.name,
        "documentation": inspect.cleandoc(module.__doc__ or ""),
        "operations": operations,
        "types": [a for a in attributes if str(a["title"]).startswith("`!")],
        "attributes": [a for a in attributes if str(a["title"]).startswith("`#")],
    }


def parameter_fields(attribute: type[Attribute]) -> list[Field]:
    """The parameters of an attribute or type."""
    if not issubclass(attribute, ParametrizedAttribute):
        return []
    return [
        Field("parameter", name, constraint_text(parameter.constr))
        for name, parameter in attribute.get_irdl_definition().parameters
    ]


def enumerated(attribute: type[Attribute]) -> Sequence[str]:
    """The values of an attribute that has a few of them."""
    if not issubclass(attribute, EnumAttribute):
        return ()
    return [str(value) for value in attribute.enum_type]


################################################################################
# Passes and targets                                                           #
################################################################################


def pass_page(passes: Iterable[type[ModulePass]]) -> dict[str, object]:
    """What the page of the passes shows."""
    return {
        "passes": [
            {
                "name": each.name,
                "documentation": documentation(each),
                "options": [
                    Field(
                        "option",
                        field.name.replace("_", "-"),
                        str(field.type),
                        "" if field.default is MISSING else f"default `{_plain(field.default)}`",
                    )
                    for field in fields(each)
                    if field.name != "name"
                ],
                "option_documentation": {
                    name.replace("_", "-"): text for name, text in field_documentation(each).items()
                },
            }
            for each in passes
        ]
    }


def target_page(targets: Sequence[Target]) -> dict[str, object]:
    """What the page of the targets shows."""
    documents, cost_documents = field_documentation(Target), field_documentation(Costs)
    facts = [field.name for field in fields(Target) if field.name not in ("name", "costs")]
    costs = [field.name for field in fields(Costs)]
    return {
        "names": [target.name for target in targets],
        "facts": [
            (name, documents[name], [_plain(getattr(target, name)) for target in targets])
            for name in facts
        ],
        "costs": [
            (name, cost_documents[name], [_figure(target, name) for target in targets])
            for name in costs
        ],
    }


def _figure(target: Target, name: str) -> Figure:
    figure = getattr(target.costs, name)
    assert isinstance(figure, Figure)
    return figure


def _plain(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case None:
            return "none"
        case tuple():
            items = cast(tuple[object, ...], value)
            return ", ".join(_plain(item) for item in items) or "none"
        case _:
            return str(value)


################################################################################
# Files                                                                        #
################################################################################


def pages(folder: Path) -> dict[Path, str]:
    """The generated pages of a documentation folder, by path."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder / "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # Markdown, from our own code
    )
    dialects = [factory() for factory in ALL_DIALECTS.values()]
    passes = [ALL_PASSES[name]() for name in sorted(ALL_PASSES)]
    targets = [get_target(name) for name in known_targets()]
    contents = {
        **{f"dialects/{d.name}.md": ("dialect.md.jinja", dialect_page(d)) for d in dialects},
        "passes.md": ("passes.md.jinja", pass_page(passes)),
        "targets.md": ("targets.md.jinja", target_page(targets)),
    }
    return {
        folder / path: environment.get_template(template).render(content)
        for path, (template, content) in contents.items()
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages; the result is the exit code."""
    parser = argparse.ArgumentParser(prog="make_docs", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("docs"))
    folder: Path = parser.parse_args(arguments).folder
    for path, text in pages(folder).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
