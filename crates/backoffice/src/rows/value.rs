//! Contents of cells.

/// The content of a cell.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// Nothing.
    Absent,
    /// Text, which can hold several entries separated by
    /// [`LIST_SEPARATOR`](crate::import::catalog::LIST_SEPARATOR).
    Text(String),
    /// A number, as it was written.
    Number(String),
    /// Several texts.
    List(Vec<String>),
    /// Several pairs of key and value.
    Pairs(Vec<(String, String)>),
    /// Something that no column takes, described in words: `a list of anything but texts`.
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
