"""The custom properties that navbake reads: docs/guide.md of navbake lists them."""

from .problem import Problem

AREA, ROLE, SWITCH, TAGS = "navbake_area", "navbake_role", "navbake_switch", "navbake_tags"
LINK, KIND, COST, WIDTH = "navbake_link", "navbake_kind", "navbake_cost", "navbake_width"
TWO_WAY, AGENTS = "navbake_two_way", "navbake_agents"
OF_GROUND = (AREA, ROLE, SWITCH, TAGS)
OF_LINKS = (LINK, KIND, COST, WIDTH, TWO_WAY, AGENTS)

ROLES = (
    ("ground", "walkable where it is flat enough"),
    ("obstacle", "blocks, is never walkable"),
    ("ignored", "as if it were not there"),
    ("floor", "is the navmesh itself, where the config has `surface = \"floor\"`"),
)
KINDS = ("walk", "drop", "jump", "climb", "teleport", "ride", "door", "other")
MOST_TAGS = 32


def tags(value):
    """The words of a value of navbake_tags: a list, or a text with commas."""
    words = value.split(",") if isinstance(value, str) else [str(v) for v in value]
    return [word.strip() for word in words if word.strip()]


def cleaned(key, text):
    """The value of a property for what the user typed. A problem if navbake would refuse it."""
    text = text.strip()
    if not text:
        raise Problem(f"give a value for {key}, or clear it")
    if key == ROLE and text not in [role for role, _ in ROLES]:
        raise Problem(f"there is no role {text}: {', '.join(role for role, _ in ROLES)}")
    if key == TAGS:
        for word in tags(text):
            if (word[0].isdigit() or word[0] == "-") and not (word.isdigit() and int(word) < 32):
                raise Problem(f"there is no bit {word} of tags: write 0 to 31, or a name")
        return ", ".join(tags(text))
    return text


def tag_names(values):
    """The names, not bits, in values of navbake_tags, sorted."""
    words = {word for value in values for word in tags(value)}
    names = sorted(word for word in words if not word[0].isdigit())
    if len(names) > MOST_TAGS:
        raise Problem(f"the scene has {len(names)} names of tags, navbake takes {MOST_TAGS}: "
                      f"use fewer, or bits from 0 to 31")
    return names
