//! The effect of a request on an optional field.

use crate::check::Field;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OptionalChange<T> {
    Keep,
    /// Replaces the value of the field; `None` clears the field.
    Set(Option<T>),
}

impl<T> OptionalChange<T> {
    /// Absent and null keep the stored value, and a blank text clears it.
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
