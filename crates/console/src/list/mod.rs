//! Lists: their pages by cursor, their counts, and their export.

mod export;
mod paging;

use askama::Template;
use askama::filters::HtmlSafe;

pub(crate) use export::csv;
pub(crate) use paging::Paging;

/// The number up to which counts are exact.
pub(crate) const EXACT_TO: u64 = 10_000;

/// Returns a count as lists show it: `9,999`, and `10,000+` beyond what is counted.
pub(crate) fn count_text(count: u64) -> String {
    if count > EXACT_TO {
        return "10,000+".to_owned();
    }
    match (count / 1000, count % 1000) {
        (0, rest) => rest.to_string(),
        (thousands, rest) => format!("{thousands},{rest:03}"),
    }
}

/// The links to the pages before and after: `{{ links }}`.
#[derive(Debug, Template)]
#[template(path = "part/pages.html")]
pub(crate) struct PageLinks {
    /// To the first page, where the ones between are not known.
    pub(crate) first: Option<String>,
    pub(crate) previous: Option<String>,
    pub(crate) next: Option<String>,
}

impl HtmlSafe for PageLinks {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_exact_to_ten_thousand() {
        for (count, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1042, "1,042"),
            (10_000, "10,000"),
            (10_001, "10,000+"),
        ] {
            assert_eq!(count_text(count), text);
        }
    }
}
