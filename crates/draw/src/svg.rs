//! The SVG text that every picture is made of.

use std::fmt::{Arguments, Write};

/// An SVG document that is being written, or a part of one.
///
/// It only appends text: bytes depend on nothing but the calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct Svg(String);

impl Svg {
    /// Begins a document: the root element, its title, its styles and a background.
    ///
    /// `size` is the text of the attributes `viewBox`, `width` and `height`.
    pub(crate) fn begin(size: Arguments<'_>, title: &str, style: &str, background: &str) -> Svg {
        let mut out = Svg::default();
        out.line(format_args!("<svg xmlns=\"http://www.w3.org/2000/svg\" {size}>"));
        if !title.is_empty() {
            out.line(format_args!("<title>{}</title>", escape(title)));
        }
        out.line(format_args!("<style>{style}</style>"));
        out.line(format_args!("<rect width=\"100%\" height=\"100%\" fill=\"{background}\"/>"));
        out
    }

    /// Ends the document.
    pub(crate) fn end(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }

    /// Appends text.
    pub(crate) fn add(&mut self, text: Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.0.write_fmt(text);
    }

    /// Appends a line.
    pub(crate) fn line(&mut self, text: Arguments<'_>) {
        self.add(text);
        self.0.push('\n');
    }

    /// Appends a path of a class, unless it is empty.
    pub(crate) fn path(&mut self, class: &str, d: &str) {
        if !d.is_empty() {
            self.line(format_args!("<path class=\"{class}\" d=\"{d}\"/>"));
        }
    }
}

/// The character, or U+FFFD for what XML forbids even when escaped, and for the characters that turn
/// the order of others around.
pub fn printable(c: char) -> char {
    match c {
        '\t' | '\n' => c,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        _ if c.is_control() => '\u{fffd}',
        _ => c,
    }
}

/// Text for the content and the attributes of XML 1.0 and SVG.
///
/// U+FFFD takes the place of what [`printable`] replaces.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().map(printable) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            _ => out.push(c),
        }
    }
    out
}

/// 1, 2, 5 and 10 times the power of ten at or below a positive number.
pub(crate) fn round_numbers(near: f64) -> [f64; 4] {
    let power = 10f64.powi(near.log10().floor() as i32);
    [1.0, 2.0, 5.0, 10.0].map(|m| m * power)
}

/// A fill colour for a number, far from those of its neighbours: hues a golden angle apart.
pub(crate) fn colour(number: u32) -> String {
    let hue = (f64::from(number) * 137.508 + 205.0) % 360.0;
    let light = [66, 74, 58][number as usize % 3];
    format!("hsl({hue:.0},48%,{light}%)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_numbers_have_different_colours_and_text_is_escaped() {
        assert_ne!(colour(0), colour(1));
        assert_eq!(escape("a < b & c"), "a &lt; b &amp; c");
        assert_eq!(
            escape("\"\u{1b}[31m\u{9b}\u{202e}'"),
            "&quot;\u{fffd}[31m\u{fffd}\u{fffd}&apos;"
        );
    }
}
