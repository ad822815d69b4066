//! Enumerations whose values have names.

use std::collections::BTreeSet;

use pressline_kit::nearest::nearest;

use crate::field::Field;
use crate::report::{IssueCode, Path, Report};
use crate::rows::did_you_mean;

/// Defines an enumeration whose values have names in requests, responses, files and databases.
macro_rules! named {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident {
            $($(#[$doc:meta])* $variant:ident = $text:literal,)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum $name {
            $($(#[$doc])* #[cfg_attr(feature = "serde", serde(rename = $text))] $variant,)+
        }

        impl $name {
            /// All values, in their order.
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$variant),+];

            /// Returns the name.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }

            /// Returns the value of a name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.as_str() == name)
            }
        }
    };
}

/// Returns the values that `read` finds in a list of texts, and reports each text that it refuses.
pub(crate) fn each<T: Ord>(
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

pub(crate) fn chosen<T: Copy + Ord>(
    field: &Field<Vec<Field<String>>>,
    path: &Path<'_>,
    known: &[(&'static str, T)],
    report: &mut Report,
) -> BTreeSet<T> {
    each(field, path, report, |name| {
        let found = known.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let known: Vec<&str> = known.iter().map(|(known, _)| *known).collect();
            let near = did_you_mean(&nearest(name, known.iter().copied(), 1));
            format!("none of {}{near}", known.join(", "))
        })
    })
}
