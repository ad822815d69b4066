//! Rules of each country for postal addresses: whether they need a city and a postal code, and the
//! form of its postal codes.
//!
//! The rules are the address metadata of libaddressinput, in the generated [`table`]. Forms that
//! posts also use, but the metadata lack, are in [`exceptions`].
mod compact;
mod exceptions;
mod form;
mod table;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Country;
use compact::compact;

/// Longer texts are not postal codes.
const MAX_CHARS: usize = 32;
/// Maximum number of first zeros that a spreadsheet or a number can have lost. Codes with more, such
/// as `00010`, do not exist in practice.
const MAX_LOST_ZEROS: usize = 2;

static RULES: LazyLock<HashMap<&str, Rules>> =
    LazyLock::new(|| table::TABLE.lines().filter_map(Rules::read).collect());

/// Fields are letters of the metadata: `C` is the city, `Z` the postal code.
#[derive(Clone, Copy)]
struct Rules {
    required: &'static str,
    usual: &'static str,
    /// Form of the postal codes, without separators; empty if the country has none.
    form: &'static str,
    /// Postal codes as people write them, separated by commas.
    examples: &'static str,
}

/// A country that is missing in the table.
const UNKNOWN: Rules = Rules {
    required: "C",
    usual: "C",
    form: "",
    examples: "",
};

impl Rules {
    fn read(line: &'static str) -> Option<(&'static str, Self)> {
        let mut columns = line.split(';');
        let code = columns.next()?;
        let rules = Self {
            required: columns.next()?,
            usual: columns.next()?,
            form: columns.next()?,
            examples: columns.next()?,
        };
        Some((code, rules))
    }
}

/// Description of a postal code that does not have its country's form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostalCodeProblem {
    /// Postal codes that have the form: `94105, 22162-1010`.
    pub examples: String,
    /// The probable code, if the given one lacks a first zero: `02138` for `2138`.
    pub probable: Option<String>,
}

impl Country {
    /// Returns `true` if an address in this country cannot do without a city.
    pub fn requires_city(self) -> bool {
        self.rules().required.contains('C')
    }

    /// Returns `true` if addresses in this country usually have a city. Singapore and some other
    /// places have none.
    pub fn has_cities(self) -> bool {
        self.rules().usual.contains('C')
    }

    /// Returns `true` if an address in this country cannot do without a postal code.
    pub fn requires_postal_code(self) -> bool {
        self.rules().required.contains('Z')
    }

    /// Returns `true` if addresses in this country usually have a postal code.
    pub fn has_postal_codes(self) -> bool {
        self.rules().usual.contains('Z')
    }

    /// Checks the form of a postal code: `None` if `code` has the form of this country's codes, or
    /// if the form is unknown. Spaces, hyphens, letter case, full-width characters and the country's
    /// code in front do not matter: `k1a-0b1`, `SE-123 45` and `123 45` have the right form.
    ///
    /// ```
    /// use pressline_kit::geo::Country;
    ///
    /// let country = Country::from_code("US").unwrap();
    /// assert_eq!(country.postal_code_problem("02138-1234"), None);
    /// let problem = country.postal_code_problem("2138").unwrap();
    /// assert_eq!(problem.probable.as_deref(), Some("02138"));
    /// ```
    pub fn postal_code_problem(self, code: &str) -> Option<PostalCodeProblem> {
        let rules = self.rules();
        if rules.form.is_empty() {
            return None;
        }
        let given = (code.chars().count() <= MAX_CHARS).then(|| compact(code));
        if given.as_deref().is_some_and(|given| self.has_form(given)) {
            return None;
        }
        Some(PostalCodeProblem {
            examples: rules.examples.replace(',', ", "),
            probable: given.and_then(|given| self.with_lost_zeros(&given)),
        })
    }

    /// `code` is compact.
    fn has_form(self, code: &str) -> bool {
        let further = exceptions::further_forms(self.code());
        let mut forms = [self.rules().form].into_iter().chain(further);
        if forms.any(|form| form::matches(form, code)) {
            return true;
        }
        let prefixes = exceptions::prefixes(self.code());
        let mut rests = prefixes.filter_map(|prefix| code.strip_prefix(prefix));
        rests.any(|rest| form::matches(self.rules().form, rest))
    }

    fn with_lost_zeros(self, given: &str) -> Option<String> {
        let is_number = !given.is_empty() && given.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number || exceptions::without_first_zero(self.code()) {
            return None;
        }
        let mut longer = (1..=MAX_LOST_ZEROS).map(|zeros| format!("{}{given}", "0".repeat(zeros)));
        let code = longer.find(|code| self.has_form(code))?;
        Some(self.written(&code))
    }

    /// Separates the digits of a compact `code` as in an example of the same length.
    fn written(self, code: &str) -> String {
        let mut examples = self.rules().examples.split(',');
        let Some(example) = examples.find(|example| compact(example).len() == code.len()) else {
            return code.to_owned();
        };
        let mut digits = code.chars();
        let character = |shown: char| match shown {
            ' ' | '-' => Some(shown),
            _ => digits.next(),
        };
        example.chars().filter_map(character).collect()
    }

    fn rules(self) -> Rules {
        RULES.get(self.code()).copied().unwrap_or(UNKNOWN)
    }
}
