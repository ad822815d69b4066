//! What a request does to an optional field.

use crate::field::Field;

/// What happens to an optional field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OptionalChange<T> {
    /// It stays.
    Keep,
    /// It gets another value, or none.
    Set(Option<T>),
}

impl<T> OptionalChange<T> {
    /// Returns what a field of a request does, given its checked value. Absent and null leave a
    /// field; a value sets it. A blank text sets it to nothing: that clears the field.
    pub(super) fn of<U>(field: &Field<U>, checked: Option<T>) -> Self {
        if field.is_absent() {
            Self::Keep
        } else {
            Self::Set(checked)
        }
    }

    /// Puts the new value, if there is one, in the place of the present one.
    pub(crate) fn apply(self, now: &mut Option<T>) {
        if let Self::Set(value) = self {
            *now = value;
        }
    }

    /// Returns the value of a field that has none yet.
    pub(super) fn into_value(self) -> Option<T> {
        match self {
            Self::Keep => None,
            Self::Set(value) => value,
        }
    }
}
