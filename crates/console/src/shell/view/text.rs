//! Text of an order, compared between a shown version and the current version.

use askama::Template;
use askama::filters::HtmlSafe;

/// Text from a store or customer, in a shown version of an order: `{{ text }}`. If the current
/// version differs, the text is struck out and followed by the current text.
#[derive(Debug, Clone, PartialEq, Eq, Template)]
#[template(
    ext = "html",
    source = "{% if let Some(now) = now %}<del><bdi class=\"preserved\">{% if then.is_empty() %}nothing{% else %}{{ then }}{% endif %}</bdi></del> <ins>now <bdi class=\"preserved\">{% if now.is_empty() %}nothing{% else %}{{ now }}{% endif %}</bdi></ins>{% else %}<bdi class=\"preserved\">{{ then }}</bdi>{% endif %}"
)]
pub(crate) struct TextComparison {
    then: String,
    /// Text in the current version; `None` if it equals `then`, the shown version's text.
    now: Option<String>,
}

impl TextComparison {
    pub(crate) fn new(then: String, now: Option<String>) -> Self {
        let now = now.filter(|now| *now != then);
        Self { then, now }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.then.is_empty() && self.now.is_none()
    }
}

impl HtmlSafe for TextComparison {}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(then: &str, now: Option<&str>) -> String {
        let text = TextComparison::new(then.to_owned(), now.map(str::to_owned));
        text.render().unwrap()
    }

    #[test]
    fn only_what_has_changed_is_marked() {
        assert!(!html("Berlin", None).contains("<ins>"));
        assert!(!html("Berlin", Some("Berlin")).contains("<ins>"));
        let changed = html("Berlin", Some("<b>Bonn"));
        assert!(
            changed.contains("<del>") && changed.contains("&#60;b&#62;Bonn"),
            "{changed}"
        );
        assert!(html("", Some("Bonn")).contains("nothing"));
    }
}
