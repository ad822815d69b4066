//! Long texts in lists.

use askama::Template;
use askama::filters::HtmlSafe;

/// Maximum length of a text that is shown whole, in characters.
const SHORT: usize = 80;

/// Text of a store or operator in a list row: `{{ ClippedText::new(text) }}`. A long text is shown
/// as a line with an ellipsis, and can be opened.
#[derive(Debug, Clone, Copy, Template)]
#[template(
    ext = "html",
    source = "{% if start.is_empty() %}<bdi class=\"preserved\">{{ whole }}</bdi>{% else %}<details class=\"long\"><summary><bdi>{{ start }}…</bdi></summary><bdi class=\"preserved\">{{ whole }}</bdi></details>{% endif %}"
)]
pub(crate) struct ClippedText<'a> {
    whole: &'a str,
    /// First line, cut to [`SHORT`] characters; empty if it would equal `whole`.
    start: &'a str,
}

impl HtmlSafe for ClippedText<'_> {}

impl<'a> ClippedText<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let text = text.trim();
        let line = text.lines().next().unwrap_or_default();
        let end = line.char_indices().nth(SHORT).map(|(end, _)| end);
        let is_long = end.is_some() || text.len() > line.len();
        let start = line.get(..end.unwrap_or(line.len())).unwrap_or(line);
        Self {
            whole: text,
            start: if is_long { start } else { "" },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_one_click_away() {
        let html = |text: &str| ClippedText::new(text).render().unwrap();
        assert_eq!(html("<b>"), "<bdi class=\"preserved\">&#60;b&#62;</bdi>");
        for text in ["ä".repeat(81), format!("{}\nlines", "ä".repeat(80))] {
            let html = html(&text);
            let start = format!("<summary><bdi>{}…</bdi></summary>", "ä".repeat(80));
            assert!(html.contains(&start), "{html}");
            assert!(html.contains(&format!(">{text}</bdi></details>")), "{html}");
        }
        assert!(!html(&"ä".repeat(80)).contains("<details"));
    }
}
