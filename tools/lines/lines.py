#!/usr/bin/env python3
"""Counts the source lines of the crates, and what else the size of the tree is judged by.

usage: lines.py [--idioms] [--types] [--cycles] [--limits] [ROOT]

Without an option: source lines without tests, crate by crate, beside the budget of each.

testkit is for tests only: it has a row, but the total of source lines leaves it out.

Source lines are all lines of crates/*/src/**/*.rs, comments and blank lines included, without
  - items behind #[cfg(test)] (and #[cfg(all(test, ..))]), attribute and body;
  - files whose `mod` line is behind #[cfg(test)], and files below them.

--idioms counts comment lines (`//`, `///`, `//!`) of all crates/*/src, and the lines of README.md,
  CHANGELOG.md and docs/**/*.md, that hold an idiom the project avoids, beside the counts of the
  commit 06c3749. Comments in tests inside src count.
--types lists the structs and enums that a crate exports under one name from two places.
--cycles lists the files of a crate that import each other in a circle, largest circle first.
  An import is a path that begins with crate, super, self or a child module, in code that is not a
  test; a name that is exported again counts as an import of the file that defines it.
--limits fails if --types finds a name, or --cycles a circle of more than three files.

The column code counts the same lines without comments and blank lines.

Prints text and ends with 0; with 1 where --limits fails.
"""

import argparse
import pathlib
import re
import sys

# Thousands of lines: the crates that share a budget, and what each holds.
BUDGETS = [
    (("grid", "ids"), 0.8, "ids, grid, exact predicates, link and area kinds"),
    (("geom",), 2.0, "triangulation, one BVH, one square grid"),
    (("level",), 1.6, "triangles or cells"),
    (("import",), 4.0, "one module a format"),
    (("walkable",), 8.5, "exact borders"),
    (("mesh",), 7.6, "polygons and the height mesh"),
    (("hierarchy",), 4.0, "islands and rooms"),
    (("navmesh",), 3.5, "the layout in memory"),
    (("format",), 6.5, "one file a section"),
    (("search",), 12.0, "the thin runtime"),
    (("rooms", "finish", "gridpath", "queue"), 6.0, "beside search"),
    (("crowd",), 2.4, "many units that avoid each other, flow fields"),
    (("world",), 2.5, "obstacles at run time"),
    (("detour",), 2.5, "Detour's files out and in"),
    (("vehicle", "turning"), 6.5, "units that turn"),
    (("tables",), 2.2, "labels"),
    (("autolink",), 1.9, "drops and jumps"),
    (("bake",), 7.0, "config and pipeline"),
    (("store",), 0.9, "caches on servers"),
    (("report", "lint"), 8.5, "rules and reports"),
    (("draw",), 1.5, "SVG, OBJ"),
    (("cli",), 5.8, "one file a verb"),
    (("c",), 1.2, "all planners"),
    (("testkit",), 1.5, "worlds, oracles; for tests only"),
]
TOTAL = 92.0
# Crates that only tests use; they have a row, but are not part of the total.
TESTS_ONLY = ("testkit",)

# Name, pattern (small letters, as the figures of 06c3749 were counted), comment lines at 06c3749.
IDIOMS = [
    ("way", r"\bways?\b", 663),
    ("lie", r"\blies?\b", 501),
    ("stand", r"\bstands?\b", 265),
    ("so many/far", r"\b[Ss]o (many|far)\b", 253),
    ("tell", r"\b(tells?|told)\b", 328),
]


# ---- Rust text


def blanked(text):
    """The text with comments and the insides of literals blanked, line by line as before."""
    token = re.compile(
        r"""//[^\n]*|/\*|b?r(?P<h>\#*)"|b?"(?:\\.|[^"\\])*"|b?'(?:\\(?:x..|u\{[^}]*\}|.)|[^'\\\n])'""",
        re.S,
    )
    out, at = [], 0

    def blank(part):
        return re.sub(r"[^\n]", " ", part)

    while found := token.search(text, at):
        start, end = found.span()
        before = text[start - 1 : start]
        if found.group().startswith("/*"):
            depth = 1
            while depth and (mark := re.compile(r"/\*|\*/").search(text, end)):
                depth += 1 if mark.group() == "/*" else -1
                end = mark.end()
        elif found.group("h") is not None:
            if before.isalnum() or before == "_":
                out.append(text[at:end])
                at = end
                continue
            close = text.find('"' + found.group("h"), end)
            end = len(text) if close < 0 else close + 1 + len(found.group("h"))
        out += [text[at:start], blank(text[start:end])]
        at = end
    return "".join(out) + text[at:]


def item_end(code, at):
    """Where the item that begins at `at` ends: behind its `;` or its closing brace."""
    depth = 0
    while at < len(code):
        c = code[at]
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth == 0 and c == "}":
                return at + 1
        elif c == ";" and depth == 0:
            return at + 1
        at += 1
    return len(code)


TEST = re.compile(r"#\[cfg\((?:test|all\(\s*test\b[^\]]*)\)\]")
ATTRIBUTE = re.compile(r"\s*#\[[^\]]*\]")


def without_tests(code):
    """Blanked code with its test items cut out, and the names of modules that are tests."""
    kept, modules, at = [], [], 0
    while found := TEST.search(code, at):
        kept.append(code[at : found.start()])
        begin = found.end()
        while attribute := ATTRIBUTE.match(code, begin):
            begin = attribute.end()
        if name := re.match(r"\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;", code[begin:]):
            modules.append(name.group(1))
        at = item_end(code, begin)
        # The rest of the item's last line goes with it.
        while at < len(code) and code[at] in " \t":
            at += 1
        if code[at : at + 1] == "\n":
            at += 1
        kept[-1] = kept[-1].rstrip(" \t")
    return "".join(kept) + code[at:], modules


class File:
    """A source file that is no test."""

    def __init__(self, path, module, code):
        self.path, self.module, self.code = path, module, code
        self.lines = code.count("\n") + (not code.endswith("\n") and code != "")
        self.code_lines = sum(bool(line.strip()) for line in code.split("\n"))


def files_of(source):
    """The files of a folder `src` that are no tests, by path."""
    paths = sorted(source.rglob("*.rs"))
    read = {path: without_tests(blanked(path.read_text())) for path in paths}
    tests = set()
    for path, (_, modules) in read.items():
        folder = path.parent if path.stem in ("mod", "lib", "main") else path.with_suffix("")
        for name in modules:
            tests |= {folder / f"{name}.rs", folder / name}
    out = {}
    for path, (code, _) in read.items():
        if path in tests or any(folder in tests for folder in path.parents):
            continue
        parts = list(path.relative_to(source).with_suffix("").parts)
        if parts[-1] in ("mod", "lib", "main"):
            parts.pop()
        out[path] = File(path, tuple(parts), code)
    return out


# ---- what the options print


def crates(root):
    return {p.parent.name: p for p in sorted(root.glob("crates/*/src"))}


def table(root):
    lines = {name: sum(f.lines for f in files_of(p).values()) for name, p in crates(root).items()}
    rows, left = [], dict(lines)
    for names, budget, what in BUDGETS:
        here = [n for n in names if n in lines]
        count = sum(left.pop(n) for n in here)
        rows.append(("+".join(here or names), count, budget, what))
    for name, count in left.items():
        rows.append((name, count, None, "no budget"))
    code = {name: sum(f.code_lines for f in files_of(p).values()) for name, p in crates(root).items()}
    print(f"{'crate':28} {'lines':>7} {'budget':>7} {'over':>6} {'code':>7}")
    for name, count, budget, what in rows:
        limit = "" if budget is None else f"{budget * 1000:.0f}"
        over = "" if budget is None or count <= budget * 1000 else f"{count - budget * 1000:+.0f}"
        own = sum(code[n] for n in name.split("+") if n in code)
        print(f"{name:28} {count:7} {limit:>7} {over:>6} {own:7}  {what}")
    total = sum(n for name, n in lines.items() if name not in TESTS_ONLY)
    over = f"{total - TOTAL * 1000:+.0f}" if total > TOTAL * 1000 else ""
    print(f"{'all':28} {total:7} {TOTAL * 1000:7.0f} {over:>6} {sum(n for name, n in code.items() if name not in TESTS_ONLY):7}")


def comments(text):
    """The text of the lines that are comments."""
    return [m.group(1) for m in re.finditer(r"^\s*//(.*)$", text, re.M)]


def idiom_counts(lines):
    return [sum(bool(re.search(p, l)) for l in lines) for _, p, _ in IDIOMS]


def idioms(root):
    def row(name, lines, counts):
        print(f"{name:44} {lines:>6}" + "".join(f"{c:>13}" for c in counts))

    row("", "lines", [name for name, _, _ in IDIOMS])
    total = [0] * len(IDIOMS)
    everything = 0
    for name, source in crates(root).items():
        lines = [l for p in sorted(source.rglob("*.rs")) for l in comments(p.read_text())]
        counts = idiom_counts(lines)
        row(name, len(lines), counts)
        total = [a + b for a, b in zip(total, counts)]
        everything += len(lines)
    row("crates", everything, total)
    row("06c3749", 11291, [count for _, _, count in IDIOMS])
    pages = [root / "README.md", root / "CHANGELOG.md", *sorted(root.glob("docs/**/*.md"))]
    for page in pages:
        if page.is_file():
            lines = page.read_text().splitlines()
            row(page.relative_to(root).as_posix(), len(lines), idiom_counts(lines))


def use_leaves(tree, prefix=()):
    """The paths of a use tree, each with the name it has here; `*` for all names."""
    tree = tree.strip()
    if tree.endswith("}"):
        head, _, inner = tree[:-1].partition("{")
        prefix += tuple(s.strip() for s in head.split("::") if s.strip())
        depth, start = 0, 0
        for i, c in enumerate(inner + ","):
            depth += (c == "{") - (c == "}")
            if c == "," and depth == 0:
                if inner[start:i].strip():
                    yield from use_leaves(inner[start:i], prefix)
                start = i + 1
        return
    path, _, name = re.sub(r"\s+", " ", tree).partition(" as ")
    path = prefix + tuple(s.strip() for s in path.split("::") if s.strip())
    if len(path) > 1 and path[-1] == "self":
        path = path[:-1]
    if path:
        yield path, name.strip() or path[-1]


USE = re.compile(r"\b(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);")
PATH = re.compile(r"(?<![\w:])((?:crate|super|self|[a-z_]\w*)(?:\s*::\s*\w+)+)")


INLINE = re.compile(r"\bmod\s+\w+\s*\{")


def blocks_of_modules(code):
    """Where the modules written inside a file begin and end."""
    return [(m.start(), item_end(code, m.start())) for m in INLINE.finditer(code)]


def outward(path, at, blocks):
    """A path at a place of a file as the file itself would write it: a module inside the file is no
    file of its own, so that its first `super` is the file."""
    depth = sum(begin <= at < end for begin, end in blocks)
    while depth and path[0] == "super":
        depth -= 1
        path = path[1:] if path[1:2] == ("super",) else ("self",) + path[1:]
    return path


class Crate:
    """Modules of a crate, and what its paths mean."""

    def __init__(self, source):
        self.files = {f.module: f for f in files_of(source).values()}
        # main.rs beside lib.rs is a crate of its own that this tool leaves out.
        root = source / "lib.rs"
        if root.is_file():
            self.files[()] = next(f for f in files_of(source).values() if f.path == root)
        self.uses = {m: self.uses_of(f) for m, f in self.files.items()}

    @staticmethod
    def uses_of(file):
        out, blocks = [], blocks_of_modules(file.code)
        for found in USE.finditer(file.code):
            for path, name in use_leaves(found.group(2)):
                path = outward(path, found.start(), blocks)
                out.append(((found.group(1) or "").strip(), path, name))
        return out

    def absolute(self, module, path):
        """A path as seen from a module, from the crate's root; None for another crate's."""
        head, rest, at = path[0], list(path[1:]), module
        if head == "crate":
            at = ()
        elif head == "super":
            at = module[:-1]
        elif head != "self":
            if module + (head,) not in self.files:
                return None
            rest = list(path)
        while rest and rest[0] == "super":
            at, rest = at[:-1], rest[1:]
        return at, rest

    def home(self, module, path, seen=()):
        """The module of the file that defines what a path names."""
        found = self.absolute(module, path)
        if found is None:
            return None
        at, rest = found
        while rest and at + (rest[0],) in self.files:
            at, rest = at + (rest[0],), rest[1:]
        if not rest or (at, rest[0]) in seen:
            return at
        # Defined elsewhere, and exported again from here?
        for _, other, name in self.uses[at]:
            if name == rest[0] and name != "*":
                return self.home(at, other, seen + ((at, rest[0]),)) or at
        return at

    def imports(self):
        """The modules that each module imports from."""
        out = {}
        for module, file in self.files.items():
            paths = [p if n != "*" else p[:-1] for _, p, n in self.uses[module]]
            # `pub(in super::super)` says who may see something, and imports nothing.
            code = re.sub(r"\bpub\s*\(in\b[^)]*\)", " ", USE.sub(" ", file.code))
            blocks = blocks_of_modules(code)
            paths += [
                outward(tuple(re.split(r"\s*::\s*", m.group(1))), m.start(), blocks)
                for m in PATH.finditer(code)
            ]
            homes = {self.home(module, p) for p in paths if p}
            out[module] = {h for h in homes if h is not None and h != module and h in self.files}
        return out

    def exported(self):
        """Types that can be reached from outside: name -> modules that define one."""
        out, open_modules, seen = {}, [()], set()
        types = re.compile(r"^\s*pub\s+(?:struct|enum)\s+(\w+)", re.M)

        def defines(module, name):
            return module in self.files and name in types.findall(self.files[module].code)

        while open_modules:
            module = open_modules.pop()
            if module in seen or module not in self.files:
                continue
            seen.add(module)
            code = self.files[module].code
            for name in types.findall(code):
                out.setdefault(name, set()).add(module)
            for name in re.findall(r"^\s*pub\s+mod\s+(\w+)", code, re.M):
                open_modules.append(module + (name,))
            for visible, path, name in self.uses[module]:
                if visible != "pub":
                    continue
                if name == "*":
                    if home := self.home(module, path[:-1]):
                        open_modules.append(home)
                    continue
                home = self.home(module, path)
                if home is not None and defines(home, path[-1]):
                    out.setdefault(name, set()).add(home)
                elif home is not None and home and home[-1] == path[-1]:
                    open_modules.append(home)
        return out


def circles(edges):
    """Strongly connected groups of more than one node (Tarjan), largest first."""
    order, low, stack, out = {}, {}, [], []
    for root in sorted(edges):
        if root in order:
            continue
        work = [(root, iter(sorted(edges[root])))]
        order[root] = low[root] = len(order)
        stack.append(root)
        while work:
            node, rest = work[-1]
            for to in rest:
                if to not in order:
                    order[to] = low[to] = len(order)
                    stack.append(to)
                    work.append((to, iter(sorted(edges[to]))))
                    break
                if to in stack:
                    low[node] = min(low[node], order[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    at = stack.index(node)
                    group, stack[at:] = stack[at:], []
                    if len(group) > 1:
                        out.append(sorted(group))
    return sorted(out, key=lambda g: (-len(g), g))


def types(root):
    found = 0
    for name, source in crates(root).items():
        for type_name, modules in sorted(Crate(source).exported().items()):
            if len(modules) > 1:
                found += 1
                places = ", ".join("::".join(("crate", *m)) for m in sorted(modules))
                print(f"{name:10} {type_name}: {places}")
    print(f"{found} names are exported for more than one type of a crate")
    return found


def cycles(root):
    rows = []
    for name, source in crates(root).items():
        crate = Crate(source)
        for group in circles(crate.imports()):
            rows.append((len(group), name, [str(crate.files[m].path.relative_to(source)) for m in group]))
    for size, name, files in sorted(rows, key=lambda r: (-r[0], r[1], r[2])):
        print(f"{size:3} {name:10} {', '.join(files)}")
    large = sum(size > 3 for size, _, _ in rows)
    print(f"{len(rows)} circles, {large} of more than 3 files")
    return large


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("idioms", "types", "cycles", "limits"):
        parser.add_argument(f"--{name}", action="store_true")
    here = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=here, metavar="ROOT")
    arguments = parser.parse_args()
    chosen = [f for f in (idioms, types, cycles) if getattr(arguments, f.__name__)]
    over = [f(arguments.root) for f in chosen or [table]]
    sys.exit(arguments.limits and any(over))


if __name__ == "__main__":
    main()
