//! One field of a request: absent, a value, or a value of the wrong type.

use std::collections::BTreeSet;

use pressline_kit::nearest::{nearest, suggestion};

use crate::report::{IssueCode, Path, Report, WrongType};

/// What stood at a field of a request.
///
/// A wrong type is carried along instead of ending the reading, so that it is reported together
/// with all other problems of the request.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Field<T> {
    /// The field is missing, or null.
    #[default]
    Absent,
    /// A value of the right type.
    Value(T),
    /// A value of another type.
    Wrong(WrongType),
}

impl<T> Field<T> {
    /// The value, where there is one.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Wrong(_) => None,
        }
    }

    /// Returns the value, where there is one, and reports one of another type.
    pub fn read(&self, path: &Path<'_>, report: &mut Report) -> Option<&T> {
        if let Self::Wrong(wrong) = self {
            report.wrong_type(path, wrong);
        }
        self.value()
    }

    /// Same as [`read`](Self::read), and reports a missing value. `what` names the expected value.
    pub fn required(&self, path: &Path<'_>, what: &str, report: &mut Report) -> Option<&T> {
        if self.is_absent() {
            report.required(path, what);
        }
        self.read(path, report)
    }

    /// True where the field is missing or null.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// The field with its value made into another.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Field<U> {
        match self {
            Self::Absent => Field::Absent,
            Self::Value(value) => Field::Value(make(value)),
            Self::Wrong(wrong) => Field::Wrong(wrong),
        }
    }
}

impl Field<String> {
    /// The text without the white space around it; `None` where nothing remains.
    ///
    /// Every rule about texts, and the comparison of repeated requests, goes through this function,
    /// so that `" x1 "` and `"x1"` are one text everywhere.
    pub fn text(&self) -> Option<&str> {
        self.value()
            .map(|text| text.trim())
            .filter(|text| !text.is_empty())
    }

    /// Reports a blank text, and returns the field. `what` names the expected value.
    pub fn demand(&self, path: &Path<'_>, what: &str, report: &mut Report) -> &Self {
        if self.is_blank() {
            report.required(path, what);
        }
        self
    }

    /// True where the field is absent or a text of white space only.
    pub fn is_blank(&self) -> bool {
        match self {
            Self::Absent => true,
            Self::Value(text) => text.trim().is_empty(),
            Self::Wrong(_) => false,
        }
    }
}

impl Report {
    /// Fails with the report if it has violations.
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

/// Returns the values that `read` finds in a list of texts, and reports each text that it refuses.
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

/// Returns the values of `known` whose names a list of texts contains, and reports each other text with the nearest name.
pub fn chosen<T: Copy + Ord>(
    field: &Field<Vec<Field<String>>>,
    path: &Path<'_>,
    known: &[(&'static str, T)],
    report: &mut Report,
) -> BTreeSet<T> {
    each(field, path, report, |name| {
        let found = known.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let known: Vec<&str> = known.iter().map(|(known, _)| *known).collect();
            let near = suggestion(&nearest(name, known.iter().copied(), 1));
            format!("none of {}{near}", known.join(", "))
        })
    })
}
