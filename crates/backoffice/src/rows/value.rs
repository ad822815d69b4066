//! Values of cells.

/// Value of a cell, read from a table or from JSON.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// Blank cell.
    Absent,
    /// String. It may contain several entries, separated by
    /// [`LIST_SEPARATOR`](crate::import::catalog::LIST_SEPARATOR).
    Text(String),
    /// Number, as written in the source, such as `5.20`.
    Number(String),
    /// List of strings, such as `["Standard", "Express"]` in JSON.
    List(Vec<String>),
    /// Key-value pairs, such as `{"size": "M"}` in JSON.
    Pairs(Vec<(String, String)>),
    /// Unacceptable value, described for messages, such as `a list of anything but texts`.
    Wrong(&'static str),
}

impl Value {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() {
            Self::Absent
        } else {
            Self::Text(text)
        }
    }

    pub(crate) fn number(number: u32) -> Self {
        // An import reads a blank number as 0.
        if number == 0 {
            Self::Absent
        } else {
            Self::Number(number.to_string())
        }
    }

    pub(crate) fn list(list: &[String]) -> Self {
        if list.is_empty() {
            Self::Absent
        } else {
            Self::List(list.to_vec())
        }
    }

    pub(crate) fn pairs(pairs: Vec<(String, String)>) -> Self {
        if pairs.is_empty() {
            Self::Absent
        } else {
            Self::Pairs(pairs)
        }
    }

    pub(crate) fn is_blank(&self) -> bool {
        match self {
            Self::Absent => true,
            Self::Text(text) => text.trim().is_empty(),
            Self::List(list) => list.is_empty(),
            Self::Number(_) | Self::Pairs(_) | Self::Wrong(_) => false,
        }
    }
}
