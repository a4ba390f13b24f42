#!/usr/bin/env python3
"""Tests of lines.py on small trees: python3 tools/lines/test.py"""

import pathlib
import tempfile
import unittest

import lines


KEPT = []  # folders that go with this process


def crate(files):
    """A folder `src` with these files."""
    KEPT.append(tempfile.TemporaryDirectory(prefix="lines-"))
    folder = pathlib.Path(KEPT[-1].name)
    for name, text in files.items():
        path = folder / "src" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "src"


def counts(files):
    source = crate(files)
    return {str(p.relative_to(source)): f.lines for p, f in lines.files_of(source).items()}


class Lines(unittest.TestCase):
    def test_comments_and_blank_lines_count(self):
        self.assertEqual(counts({"lib.rs": "//! Doc.\n\nfn a() {}\n"}), {"lib.rs": 3})
        self.assertEqual(counts({"lib.rs": "fn a() {}"}), {"lib.rs": 1})

    def test_bodies_of_test_modules_do_not_count(self):
        text = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() { {} }\n}\nfn c() {}\n"
        self.assertEqual(counts({"lib.rs": text}), {"lib.rs": 2})
        text = "fn a() {}\n#[cfg(all(test, unix))]\n#[allow(x)]\npub(crate) fn b() -> [u8; 2] {\n}\n"
        self.assertEqual(counts({"lib.rs": text}), {"lib.rs": 1})

    def test_only_tests_are_left_out(self):
        text = "#[cfg(not(test))]\nfn a() {}\n#[cfg(feature = \"x\")]\nfn b() {}\n"
        self.assertEqual(counts({"lib.rs": text}), {"lib.rs": 4})

    def test_files_of_test_modules_do_not_count(self):
        tree = {
            "lib.rs": "mod a;\n#[cfg(test)]\nmod tests;\n",
            "tests.rs": "mod deep;\n",
            "tests/deep.rs": "fn a() {}\n",
            "a.rs": "#[cfg(test)]\nmod check;\nfn a() {}\n",
            "a/check.rs": "fn a() {}\n",
        }
        self.assertEqual(counts(tree), {"lib.rs": 1, "a.rs": 1})

    def test_braces_in_text_and_comments_mean_nothing(self):
        text = "#[cfg(test)]\nmod t {\n const A: &str = \"}\"; // }\n const B: char = '}';\n}\nfn a() {}\n"
        self.assertEqual(counts({"lib.rs": text}), {"lib.rs": 1})
        text = '#[cfg(test)]\nmod t {\n const A: &str = r#"}" {"#; /* } /* } */ */\n}\nfn a() {}\n'
        self.assertEqual(counts({"lib.rs": text}), {"lib.rs": 1})
        text = "#[cfg(test)]\nmod t {\n fn a<'a>(x: &'a str) -> &'a str { x }\n}\nfn b() {}\n"
        self.assertEqual(counts({"lib.rs": text}), {"lib.rs": 1})


class Idioms(unittest.TestCase):
    def test_lines_of_comments_count_once(self):
        text = "//! A way, and ways.\n/// Lies in it; stands.\nlet way = 1; // way\n    // told so far\n"
        self.assertEqual(lines.idiom_counts(lines.comments(text)), [1, 0, 1, 1, 1])

    def test_words_that_hold_an_idiom_do_not_count(self):
        self.assertEqual(lines.idiom_counts(["always believe standard intelligible"]), [0] * 5)


class Imports(unittest.TestCase):
    def circles(self, files):
        made = lines.Crate(crate(files))
        return lines.circles(made.imports())

    def test_use_trees_are_taken_apart(self):
        tree = "crate::{a::{self, B as C}, d::*, e}"
        found = sorted(lines.use_leaves(tree))
        self.assertEqual(
            found,
            [
                (("crate", "a"), "a"),
                (("crate", "a", "B"), "C"),
                (("crate", "d", "*"), "*"),
                (("crate", "e"), "e"),
            ],
        )

    def test_two_files_that_import_each_other_are_a_circle(self):
        tree = {
            "lib.rs": "mod a;\nmod b;\nmod c;\n",
            "a.rs": "use crate::b::B;\npub struct A;\n",
            "b.rs": "pub struct B(super::a::A);\n",
            "c.rs": "use crate::a::A;\n",
        }
        self.assertEqual(self.circles(tree), [[("a",), ("b",)]])

    def test_names_exported_again_belong_to_their_own_file(self):
        tree = {
            "lib.rs": "mod a;\nmod b;\npub use a::A;\npub use b::B;\n",
            "a.rs": "pub struct A;\n",
            "b.rs": "use crate::A;\npub struct B(A);\n",
        }
        self.assertEqual(self.circles(tree), [])

    def test_parents_that_use_a_child_which_uses_them_are_a_circle(self):
        tree = {
            "lib.rs": "mod a;\npub fn f() { a::g() }\npub fn h() {}\n",
            "a.rs": "pub fn g() { super::h() }\n",
        }
        self.assertEqual(self.circles(tree), [[(), ("a",)]])

    def test_super_in_a_module_of_a_file_is_the_file(self):
        tree = {
            "lib.rs": "mod a;\npub fn f() { a::g() }\n",
            "a.rs": "struct A;\nmod inner {\n use super::A;\n fn g(a: A) { super::f(a) }\n}\n",
        }
        self.assertEqual(self.circles(tree), [])
        tree["a.rs"] = "mod inner {\n use super::super::f;\n}\n"
        self.assertEqual(self.circles(tree), [[(), ("a",)]])

    def test_tests_import_what_they_like(self):
        tree = {
            "lib.rs": "mod a;\nmod b;\n",
            "a.rs": "use crate::b::B;\n",
            "b.rs": "pub struct B;\n#[cfg(test)]\nmod tests {\n use crate::a::A;\n}\n",
        }
        self.assertEqual(self.circles(tree), [])


class Types(unittest.TestCase):
    def test_two_exported_types_of_one_name_are_found(self):
        tree = {
            "lib.rs": "pub mod a;\nmod b;\nmod c;\npub use b::Grid;\n",
            "a.rs": "pub struct Grid;\npub struct One;\n",
            "b.rs": "pub struct Grid;\npub struct Two;\n",
            "c.rs": "pub struct One;\n",
        }
        exported = lines.Crate(crate(tree)).exported()
        twice = {n: m for n, m in exported.items() if len(m) > 1}
        self.assertEqual(twice, {"Grid": {("a",), ("b",)}})

    def test_a_type_exported_twice_from_one_file_is_one(self):
        tree = {"lib.rs": "pub mod a;\npub use a::Grid;\n", "a.rs": "pub struct Grid;\n"}
        self.assertEqual(lines.Crate(crate(tree)).exported(), {"Grid": {("a",)}})


if __name__ == "__main__":
    unittest.main()
