"""Reads names out of a config, and writes the ones that go with a scene."""

import json
import tomllib

from .problem import Problem


def load(path):
    """The tables of a config file."""
    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise Problem(f"{path}: cannot read: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Problem(f"{path}: {error}") from error


def names(tables, table):
    """The names of an array of tables, such as `area` or `switch`."""
    rows = tables.get(table, [])
    rows = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return [row["name"] for row in rows if isinstance(row.get("name"), str)]


def text(value):
    """A TOML string. JSON's escapes are TOML's as well."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def of_scene(agent, tag_names):
    """A config with one agent (its keys and numbers) and the names of tags that the scene uses.

    navbake takes names of tags only if a config lists them. They get bits from 0, sorted.
    """
    lines = ["# Written by navbake's add-on for Blender."]
    if tag_names:
        lines.append(f"tags = [{', '.join(map(text, tag_names))}]")
    lines += ["", "[[agent]]", 'name = "default"']
    # Six digits: the fields of Blender have single precision.
    lines += [f"{key} = {float(f'{number:.6g}')}" for key, number in agent.items()]
    return "\n".join(lines) + "\n"


def of_pairs(pairs):
    """A file for --rules: pairs of markers that must reach each other."""
    rows = [f"[{text(start)}, {text(end)}]" for start, end in pairs]
    return f"must_reach = [{', '.join(rows)}]\n"
