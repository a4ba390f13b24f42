"""The one kind of failure that is shown to the user."""


class Problem(Exception):
    """Something that the user can mend; the text says what and how."""
