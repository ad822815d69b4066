//! What a request does to an optional field.

use crate::field::Field;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OptionalChange<T> {
    Keep,
    /// It gets another value, or none.
    Set(Option<T>),
}

impl<T> OptionalChange<T> {
    /// Returns what a field of a request does, given its checked value. Absent and null leave a
    /// field; a value sets it. A blank text sets it to nothing: that clears the field.
    pub(super) fn new<U>(field: &Field<U>, checked: Option<T>) -> Self {
        if field.is_absent() {
            Self::Keep
        } else {
            Self::Set(checked)
        }
    }

    pub(crate) fn apply(self, now: &mut Option<T>) {
        if let Self::Set(value) = self {
            *now = value;
        }
    }

    pub(super) fn into_value(self) -> Option<T> {
        match self {
            Self::Keep => None,
            Self::Set(value) => value,
        }
    }
}
