//! Reads request bodies so that one response can report all problems.
//!
//! The value of each request field is a [`Lenient`], which accepts any type. Values are first read
//! as raw JSON, because a number that is too large for any type (`1e400`) would otherwise stop the
//! reader.

mod lenient;
mod number;
mod object;

pub(crate) use lenient::{Decimal, Lenient};
pub(crate) use object::{Body, Object, Unknown, decimal, list, object};

/// Implements [`Body`] for a request body. The braces list the draft's fields:
///
/// - `field` takes its value from the body's field with the same name.
/// - `field = other` takes its value from the body's field `other`.
/// - `field: object("key")` converts the nested object at the path `key`.
/// - `field: list("key")` converts the list of nested objects at the path `key`.
/// - `field: decimal("key")` converts a number to its digits.
/// - `field: Inner { .. }` creates a nested draft from fields of the same body.
/// - `field: value` sets a constant.
/// - `..` at the end leaves all other fields at their default.
macro_rules! body {
    ($body:ident => $draft:ident { $($fields:tt)* }) => {
        impl $crate::json::Body for $body {
            type Draft = $draft;

            fn draft(
                self,
                at: &pressline_domain::check::Path<'_>,
                unknown: &mut $crate::json::Unknown,
            ) -> $draft {
                // Only bodies with nested objects use both.
                let _ = (at, &unknown);
                $crate::json::body!(@draft (self at unknown) $draft [] $($fields)*)
            }
        }
    };
    (@draft $from:tt $draft:ident [$($done:tt)*]) => { $draft { $($done)* } };
    (@draft $from:tt $draft:ident [$($done:tt)*] ..) => {
        $draft { $($done)* ..$draft::default() }
    };
    (@draft $from:tt $draft:ident [$($done:tt)*]
        $field:ident: $inner:ident { $($nested:tt)* } $(, $($rest:tt)*)?) => {
        $crate::json::body!(@draft $from $draft [$($done)*
            $field: $crate::json::body!(@draft $from $inner [] $($nested)*),
        ] $($($rest)*)?)
    };
    (@draft ($own:tt $at:ident $unknown:ident) $draft:ident [$($done:tt)*]
        $field:ident: $read:ident($key:literal) $(, $($rest:tt)*)?) => {
        $crate::json::body!(@draft ($own $at $unknown) $draft [$($done)*
            $field: $crate::json::$read($own.$field, &$at.key($key), $unknown),
        ] $($($rest)*)?)
    };
    (@draft $from:tt $draft:ident [$($done:tt)*] $field:ident: $value:path $(, $($rest:tt)*)?) => {
        $crate::json::body!(@draft $from $draft [$($done)* $field: $value,] $($($rest)*)?)
    };
    (@draft ($own:tt $at:ident $unknown:ident) $draft:ident [$($done:tt)*]
        $field:ident = $other:ident $(, $($rest:tt)*)?) => {
        $crate::json::body!(@draft ($own $at $unknown) $draft [$($done)*
            $field: $own.$other.0,
        ] $($($rest)*)?)
    };
    (@draft ($own:tt $at:ident $unknown:ident) $draft:ident [$($done:tt)*]
        $field:ident $(, $($rest:tt)*)?) => {
        $crate::json::body!(@draft ($own $at $unknown) $draft [$($done)*
            $field: $own.$field.0,
        ] $($($rest)*)?)
    };
}
pub(crate) use body;
