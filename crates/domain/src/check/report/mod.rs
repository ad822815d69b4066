//! Violations and warnings of a request, each with the path of its field.

mod code;

use std::fmt;

pub use code::{IssueCode, Severity};

/// Maximum number of violations, and of warnings, in a response.
pub const MAX_LISTED: usize = 100;

/// A value of another type than the field expects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongType {
    /// Expected type, such as `an integer`.
    pub expected: &'static str,
    /// Type of the value, such as `a string`.
    pub found: &'static str,
}

/// A problem with a value of a request. The request is refused, except for a [`Warning`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Path of the field as spelled in the request, such as `line_items[1].quantity`.
    pub field: String,
    /// Kind of problem, for programs.
    pub code: IssueCode,
    /// Description of the problem and its solution, for people.
    pub message: String,
}

/// A problem with a value of a request that the service accepts nevertheless.
pub type Warning = Violation;

/// Shortens a `list` of more than [`MAX_LISTED`] entries, and appends the number of omitted
/// entries. Omits entries about items and unknown fields first: there can be many, and they must
/// not hide entries about the whole request. The other entries keep their order.
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
        let fits = *left > 0;
        *left = left.saturating_sub(1);
        fits
    });
    list.push(Violation {
        field: String::new(),
        code: IssueCode::More,
        message: format!("and {rest} more"),
    });
    list
}

impl Violation {
    fn is_about_the_whole(&self) -> bool {
        self.code != IssueCode::UnknownField && !self.field.starts_with("line_items")
    }
}

/// Path of a value in a request. The string is only created when it is shown.
#[derive(Clone, Copy, Debug)]
pub enum Path<'a> {
    /// The whole request body.
    Root,
    /// The value of a key in the object at a path: `parent.key`.
    Key(&'a Path<'a>, &'a str),
    /// The entry at an index, from 0, in the list at a path: `parent[0]`.
    Index(&'a Path<'a>, usize),
}

impl<'a> Path<'a> {
    /// Returns the path of `key` in the object at this path.
    pub fn key(&'a self, key: &'a str) -> Path<'a> {
        Path::Key(self, key)
    }

    /// Returns the path of the entry `index` in the list at this path.
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

/// Collects violations and warnings while a request is checked.
#[derive(Debug, Default)]
pub struct Report {
    /// Problems that make the service refuse the request.
    pub violations: Vec<Violation>,
    /// Problems that do not make the service refuse the request.
    pub warnings: Vec<Warning>,
}

impl Report {
    /// Adds a violation about the value at `path`, with `code` and `message`.
    pub fn violation(&mut self, path: &Path<'_>, code: IssueCode, message: impl Into<String>) {
        self.violations.push(Violation {
            field: path.to_string(),
            code,
            message: message.into(),
        });
    }

    /// Adds a warning about the value at `path`, with `code` and `message`.
    pub fn warning(&mut self, path: &Path<'_>, code: IssueCode, message: impl Into<String>) {
        self.warnings.push(Violation {
            field: path.to_string(),
            code,
            message: message.into(),
        });
    }

    /// Adds the violation that the field at `path` is missing. `what` describes the expected value.
    pub fn required(&mut self, path: &Path<'_>, what: &str) {
        self.violation(path, IssueCode::Required, format!("required: {what}"));
    }

    pub(crate) fn wrong_type(&mut self, path: &Path<'_>, wrong: &WrongType) {
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
        // Warnings about items that an update does not name have the list as `field`.
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
