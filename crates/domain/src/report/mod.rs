//! What is wrong with a request, and what is worth a warning: each with its path.

mod code;

use std::fmt;

pub use code::{IssueCode, Severity};

/// The most violations, and the most warnings, that one answer lists.
pub const MAX_LISTED: usize = 100;

/// A value of another type than the field has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongType {
    /// What belongs there, such as `an integer`.
    pub expected: &'static str,
    /// What stood there, such as `a string`.
    pub found: &'static str,
}

/// A problem at one place of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The path as it is spelled in the request, such as `line_items[1].quantity`.
    pub field: String,
    /// What kind of problem it is, for programs.
    pub code: IssueCode,
    /// What is wrong and what would be right, for people.
    pub message: String,
}

/// Something the service accepted and the sender should know. Same shape as a [`Violation`].
pub type Warning = Violation;

/// Cuts a list to [`MAX_LISTED`] entries, then one that counts the rest.
///
/// Entries about the whole order are kept before those about items and unknown fields, of which
/// there can be many: a hundred warnings about items must not hide that the total is incomplete.
/// The order of the list stays.
pub fn capped(mut list: Vec<Violation>) -> Vec<Violation> {
    let rest = list.len().saturating_sub(MAX_LISTED);
    if rest == 0 {
        return list;
    }
    let whole = list.iter().filter(|entry| entry.is_about_the_whole());
    let mut whole_left = whole.count().min(MAX_LISTED);
    let mut others_left = MAX_LISTED - whole_left;
    list.retain(|entry| {
        let left = if entry.is_about_the_whole() {
            &mut whole_left
        } else {
            &mut others_left
        };
        let kept = *left > 0;
        *left = left.saturating_sub(1);
        kept
    });
    list.push(Violation {
        field: String::new(),
        code: IssueCode::More,
        message: format!("and {rest} more"),
    });
    list
}

impl Violation {
    /// False for what is about items or an unknown field.
    fn is_about_the_whole(&self) -> bool {
        self.code != IssueCode::UnknownField && !self.field.starts_with("line_items")
    }
}

/// Where in a request something stands. Costs nothing until it is shown.
#[derive(Clone, Copy, Debug)]
pub enum Path<'a> {
    /// The body itself.
    Root,
    /// A key of the object at a path.
    Key(&'a Path<'a>, &'a str),
    /// An entry of the list at a path, from 0.
    Index(&'a Path<'a>, usize),
}

impl<'a> Path<'a> {
    /// The path of a key below this one.
    pub fn key(&'a self, key: &'a str) -> Path<'a> {
        Path::Key(self, key)
    }

    /// The path of an entry below this one.
    pub fn index(&'a self, index: usize) -> Path<'a> {
        Path::Index(self, index)
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Key(Path::Root, key) => f.write_str(key),
            Self::Key(parent, key) => write!(f, "{parent}.{key}"),
            Self::Index(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// Gathers violations and warnings on the way through a request.
#[derive(Debug, Default)]
pub struct Report {
    /// What makes the request fail.
    pub violations: Vec<Violation>,
    /// What is accepted but worth saying.
    pub warnings: Vec<Warning>,
}

impl Report {
    /// Notes a violation.
    pub fn violation(&mut self, path: &Path<'_>, code: IssueCode, message: impl Into<String>) {
        self.violations.push(Violation {
            field: path.to_string(),
            code,
            message: message.into(),
        });
    }

    /// Notes a warning.
    pub fn warning(&mut self, path: &Path<'_>, code: IssueCode, message: impl Into<String>) {
        self.warnings.push(Violation {
            field: path.to_string(),
            code,
            message: message.into(),
        });
    }

    /// Notes a missing field.
    pub fn required(&mut self, path: &Path<'_>, what: &str) {
        self.violation(path, IssueCode::Required, format!("required: {what}"));
    }

    /// Notes a value of the wrong type.
    pub fn wrong_type(&mut self, path: &Path<'_>, wrong: &WrongType) {
        self.violation(
            path,
            IssueCode::WrongType,
            format!("expected {}, found {}", wrong.expected, wrong.found),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_read_as_in_the_request() {
        let root = Path::Root;
        let items = root.key("line_items");
        let second = items.index(1);
        assert_eq!(second.key("quantity").to_string(), "line_items[1].quantity");
    }

    #[test]
    fn long_lists_end_in_a_count() {
        let one = Violation {
            field: "x".into(),
            code: IssueCode::Required,
            message: "m".into(),
        };
        assert_eq!(capped(vec![one.clone(); 100]).len(), 100);
        let cut = capped(vec![one; 130]);
        assert_eq!((cut.len(), cut[100].message.as_str()), (101, "and 30 more"));
    }

    #[test]
    fn what_is_about_the_whole_order_is_never_cut_off() {
        let entry = |field: &str, code| Violation {
            field: field.to_owned(),
            code,
            message: String::new(),
        };
        let mut list: Vec<Violation> = (0..150)
            .map(|i| entry(&format!("line_items[{i}].sku"), IssueCode::UnknownSku))
            .collect();
        // Warnings about items that an update does not name have the list as their field.
        list.extend(vec![entry("line_items", IssueCode::RetiredSku); 150]);
        list.insert(
            120,
            entry(
                "shipping_address.tax_number",
                IssueCode::TaxNumberRecommended,
            ),
        );
        list.push(entry("totalCost", IssueCode::TotalIncomplete));
        list.extend((0..150).map(|i| entry(&format!("x{i}"), IssueCode::UnknownField)));
        let total = list.len();
        let cut = capped(list);
        let codes: Vec<&str> = cut.iter().skip(97).map(|one| one.code.as_str()).collect();
        let end = [
            "unknown_sku",
            "tax_number_recommended",
            "total_incomplete",
            "more",
        ];
        assert_eq!((cut.len(), codes), (101, end.to_vec()));
        assert_eq!(cut[97].field, "line_items[97].sku");
        assert_eq!(cut[100].message, format!("and {} more", total - 100));
    }
}
