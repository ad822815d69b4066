//! Ratios of a crate's doc comments.

use std::fmt;
use std::sync::LazyLock;

use regex::Regex;

use super::text::{Block, blocks, pattern};

/// Ratios, or their bounds. `code` and `parameters` are minimums, the others maximums.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ratios {
    /// Percentage of comments with `code`.
    pub(super) code: usize,
    /// Percentage of comments on functions with parameters that name one of the parameters.
    pub(super) parameters: usize,
    /// Words such as "those", "ones" and "which", per 1,000 words.
    pub(super) pronouns: usize,
    /// Percentage of comments that begin with a question word or "Of".
    pub(super) heads: usize,
}

/// Bounds of every crate.
const BOUNDS: Ratios = Ratios {
    code: 40,
    parameters: 20,
    pronouns: 8,
    heads: 2,
};

impl Ratios {
    /// Returns a finding if one of the ratios of the crate `area` is out of bounds.
    pub(super) fn finding(self, area: &str) -> Option<String> {
        let is_within = self.code >= BOUNDS.code
            && self.parameters >= BOUNDS.parameters
            && self.pronouns <= BOUNDS.pronouns
            && self.heads <= BOUNDS.heads;
        (!is_within).then(|| format!("doc comments of {area}: {self}; must be: {BOUNDS}"))
    }
}

impl fmt::Display for Ratios {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} % with code, {} % with a parameter, {} pronouns per 1,000 words, {} % with a question word first",
            self.code, self.parameters, self.pronouns, self.heads
        )
    }
}

/// Counts of the doc comments of a crate.
#[derive(Default)]
pub(super) struct Counts {
    comments: usize,
    with_code: usize,
    on_functions: usize,
    with_parameter: usize,
    words: usize,
    pronouns: usize,
    heads: usize,
}

static CODE: LazyLock<Regex> = LazyLock::new(|| pattern("`[^`]*`"));
static PRONOUN: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b([Tt]hose|[Tt]hese|[Oo]nes?|[Ww]hich|[Ww]hose|[Ss]o many)\b"));
static HEAD: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(What|Why|Whose|Which|Who|How|When|Where|Of)\b"));
static FUNCTION: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bfn \w+(?:<.*?>)?\((.*)"));
static PARAMETER: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?:^|[,(]|mut )\s*(\w+):"));

impl Counts {
    /// Counts the doc comments of the source file `text`.
    pub(super) fn add(&mut self, text: &str) {
        let lines: Vec<_> = text.lines().collect();
        for block in blocks(text, false) {
            if block.marker == "///" && !block.paragraphs.is_empty() {
                let code = lines.get(block.end - 1..).unwrap_or_default();
                self.add_comment(&block, code);
            }
        }
    }

    /// Counts a comment on the item that begins in the lines `code`.
    fn add_comment(&mut self, block: &Block<'_>, code: &[&str]) {
        let paragraphs: Vec<_> = block.paragraphs.iter().map(|(_, text)| &**text).collect();
        let text = paragraphs.join(" ");
        self.comments += 1;
        self.with_code += usize::from(text.contains('`'));
        self.words += CODE.replace_all(&text, "x").split_whitespace().count();
        self.pronouns += PRONOUN.find_iter(&text).count();
        self.heads += usize::from(HEAD.is_match(&text));
        let signature = signature(code);
        let parameters = parameters(&signature);
        if !parameters.is_empty() {
            self.on_functions += 1;
            self.with_parameter += usize::from(names_one(&text, &parameters));
        }
    }

    /// Returns the ratios; `None` without comments on functions with parameters.
    pub(super) fn ratios(&self) -> Option<Ratios> {
        Some(Ratios {
            code: (100 * self.with_code).checked_div(self.comments)?,
            parameters: (100 * self.with_parameter).checked_div(self.on_functions)?,
            pronouns: (1_000 * self.pronouns).div_ceil(self.words.max(1)),
            heads: (100 * self.heads).div_ceil(self.comments),
        })
    }
}

/// Returns the first lines of the item in `code`, joined, without attributes.
fn signature(code: &[&str]) -> String {
    let mut signature = String::new();
    for line in code.iter().take(12).map(|line| line.trim()) {
        let begins = signature.is_empty() && (line.is_empty() || line.starts_with(")]"));
        if begins || line.starts_with("#[") || line.starts_with("//") {
            continue;
        }
        signature.push(' ');
        signature.push_str(line);
        let count = |bracket| signature.matches(bracket).count();
        if line.ends_with(['{', ';', ',', '}']) && count('(') <= count(')') {
            break;
        }
    }
    signature
}

fn parameters(signature: &str) -> Vec<&str> {
    let Some(function) = FUNCTION.captures(signature) else {
        return Vec::new();
    };
    let (_, [parameters]) = function.extract();
    let parameters = parameters.split(" -> ").next().unwrap_or_default();
    let found = PARAMETER.captures_iter(parameters);
    found
        .map(|parameter| parameter.extract::<1>().1[0])
        .filter(|name| *name != "self")
        .collect()
}

/// Returns whether `text` contains one of `parameters` in backticks.
fn names_one(text: &str, parameters: &[&str]) -> bool {
    let mut spans = text.split('`').skip(1).step_by(2);
    spans.any(|span| {
        span.split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|word| parameters.contains(&word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_measured_with_the_parameters_of_their_functions() {
        let mut counts = Counts::default();
        // A line of a literal that began with the marker would count as a comment of this file.
        let lines = [
            "/// Deletes up to `limit` uploads.",
            "#[must_use]",
            "fn delete(\n    &self,\n    limit: usize,\n) {}\n",
            "/// What is kept, and these and those.",
            "fn keep(&mut self, mut uploads: Vec<u8>) {}\n",
            "/// Number of bytes.",
            "size: usize,\n\n// Not a doc comment.",
        ];
        counts.add(&lines.join("\n"));
        assert_eq!(
            counts.ratios(),
            Some(Ratios {
                code: 33,
                parameters: 50,
                pronouns: 134,
                heads: 34
            })
        );
        assert_eq!(Counts::default().ratios(), None);
    }

    #[test]
    fn a_ratio_out_of_its_bounds_is_reported() {
        assert_eq!(BOUNDS.finding("api"), None);
        let lower = Ratios { code: 39, ..BOUNDS };
        assert!(lower.finding("api").unwrap().contains("39 % with code"));
        let higher = Ratios { heads: 3, ..BOUNDS };
        assert!(higher.finding("api").is_some());
    }
}
