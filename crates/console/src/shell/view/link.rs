//! Links to URLs from stores and customers.

use askama::Template;
use askama::filters::HtmlSafe;

/// URL from a store or customer: `{{ link }}`. It becomes a link only if it begins with `https://`
/// or `http://`. The browser sends the linked site no referrer.
#[derive(Debug, Clone, Template)]
#[template(
    ext = "html",
    source = "{% if is_link %}<a href=\"{{ url }}\" rel=\"noreferrer\"><bdi>{{ text }}</bdi></a>{% else %}<bdi>{{ text }}</bdi>{% endif %}"
)]
pub(crate) struct Foreign {
    url: String,
    text: String,
    is_link: bool,
}

impl Foreign {
    pub(crate) fn url(url: &str) -> Self {
        Self::named(url, url)
    }

    pub(crate) fn named(url: &str, text: &str) -> Self {
        // A URL such as `javascript:…` from a store must not become a link.
        let lower = url.trim_start().to_ascii_lowercase();
        Self {
            url: url.to_owned(),
            text: text.to_owned(),
            is_link: lower.starts_with("https://") || lower.starts_with("http://"),
        }
    }
}

impl HtmlSafe for Foreign {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_are_links() {
        for url in ["https://x.example/a?b=1", "HTTP://x.example"] {
            let html = Foreign::url(url).render().unwrap();
            assert!(html.starts_with("<a href="), "{html}");
            assert!(html.contains("rel=\"noreferrer\""), "{html}");
        }
        for text in ["javascript:alert(1)", "data:text/html,x", "x", "//x", ""] {
            let html = Foreign::url(text).render().unwrap();
            assert!(!html.contains("<a"), "{html}");
        }
        let html = Foreign::url("https://x/\"><script>").render().unwrap();
        assert!(!html.contains("<script>"), "{html}");
    }
}
