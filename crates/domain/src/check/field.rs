//! Fields of a request: absent, a value, or a value of the wrong type.

use std::collections::BTreeSet;

use pressline_kit::nearest::{nearest, suggestion};

use crate::check::report::{IssueCode, Path, Report, WrongType};

/// Value of a request field as received. A wrong type does not end the reading of the request, so
/// that all problems are reported together.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Field<T> {
    /// The field is missing or null.
    #[default]
    Absent,
    /// The field has a value of the type `T`.
    Value(T),
    /// The field has a value of another type than `T`.
    Wrong(WrongType),
}

impl<T> Field<T> {
    /// Parses `text`, without surrounding white space, by `parse`. Blank text is an absent field.
    /// If `parse` returns `None`, the type is wrong, and `expected` describes the right values.
    pub fn parsed(
        text: &str,
        expected: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Self {
        let text = text.trim();
        if text.is_empty() {
            return Self::Absent;
        }
        let wrong = WrongType {
            expected,
            found: "another text",
        };
        parse(text).map_or(Self::Wrong(wrong), Self::Value)
    }

    /// Returns the value; `None` if the field is absent or has a value of another type.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Wrong(_) => None,
        }
    }

    /// Returns the value like [`value`](Self::value). A value of another type is a violation.
    pub fn read(&self, path: &Path<'_>, report: &mut Report) -> Option<&T> {
        if let Self::Wrong(wrong) = self {
            report.wrong_type(path, wrong);
        }
        self.value()
    }

    /// Returns the value like [`read`](Self::read). An absent field is a violation, too.
    pub fn required(&self, path: &Path<'_>, what: &str, report: &mut Report) -> Option<&T> {
        if self.is_absent() {
            report.required(path, what);
        }
        self.read(path, report)
    }

    /// Returns `true` if the field is missing or null.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Converts the value with `make`; an absent field and a wrong type stay as they are.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Field<U> {
        match self {
            Self::Absent => Field::Absent,
            Self::Value(value) => Field::Value(make(value)),
            Self::Wrong(wrong) => Field::Wrong(wrong),
        }
    }
}

impl Field<String> {
    /// Returns the string without surrounding white space; `None` if the field is blank or not a
    /// string. All checks of strings, and the comparison of repeated requests, use this function:
    /// `" x1 "` and `"x1"` are equal everywhere.
    pub fn text(&self) -> Option<&str> {
        self.value()
            .map(|text| text.trim())
            .filter(|text| !text.is_empty())
    }

    /// Returns the field, and adds a violation if it is blank. `what` describes the expected value.
    pub fn demand(&self, path: &Path<'_>, what: &str, report: &mut Report) -> &Self {
        if self.is_blank() {
            report.required(path, what);
        }
        self
    }

    /// Returns `true` if the field is absent, or a string that is empty or white space only.
    pub fn is_blank(&self) -> bool {
        match self {
            Self::Absent => true,
            Self::Value(text) => text.trim().is_empty(),
            Self::Wrong(_) => false,
        }
    }
}

impl Report {
    /// Returns the whole report as an error if it has violations. Otherwise, warnings stay in it.
    pub fn check(&mut self) -> Result<(), Self> {
        if self.violations.is_empty() {
            return Ok(());
        }
        Err(std::mem::take(self))
    }
}

impl<T> From<T> for Field<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

impl From<&str> for Field<String> {
    fn from(value: &str) -> Self {
        Self::Value(value.to_owned())
    }
}

impl<T> From<Option<T>> for Field<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Self::Value)
    }
}

/// Returns the results of `read` for the strings in the list of `field`. Adds a violation for each
/// entry other than a string, and for each error of `read`, with the error as message.
pub fn each<T: Ord>(
    field: &Field<Vec<Field<String>>>,
    path: &Path<'_>,
    report: &mut Report,
    read: impl Fn(&str) -> Result<T, String>,
) -> BTreeSet<T> {
    let mut values = BTreeSet::new();
    let texts = field.read(path, report).map_or(&[][..], Vec::as_slice);
    for (index, text) in texts.iter().enumerate() {
        let path = path.index(index);
        let Some(text) = text.required(&path, "a text, not null", report) else {
            continue;
        };
        match read(text.trim()) {
            Ok(value) => {
                values.insert(value);
            }
            Err(message) => report.violation(&path, IssueCode::InvalidFormat, message),
        }
    }
    values
}

/// Returns the values that `known` pairs with the names in the list of `field`. Adds a violation
/// for every unknown name: it lists the known names and suggests the most similar.
pub fn chosen<T: Copy + Ord>(
    field: &Field<Vec<Field<String>>>,
    path: &Path<'_>,
    known: &[(&'static str, T)],
    report: &mut Report,
) -> BTreeSet<T> {
    each(field, path, report, |name| {
        known
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| *value)
            .ok_or_else(|| {
                let known: Vec<&str> = known.iter().map(|(known, _)| *known).collect();
                let near = suggestion(&nearest(name, known.iter().copied(), 1));
                format!("none of {}{near}", known.join(", "))
            })
    })
}
