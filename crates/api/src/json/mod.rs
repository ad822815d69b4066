//! Reads request bodies so that one response can report all problems.
//!
//! The value of each request field is a [`Lenient`], which accepts any type. Values are first read
//! as raw JSON, because a number that is too large for any type (`1e400`) would otherwise stop the
//! reader.

mod lenient;
mod number;
mod object;
mod unknown;

pub(crate) use lenient::{Decimal, Lenient, RequestType, Value, texts};
pub(crate) use object::{Body, Object};
pub(crate) use unknown::Unknown;

/// Declares request bodies: structs of [`Lenient`] fields, with their schemas and their drafts.
///
/// A field has its type in the schema, from which [`RequestType`] derives the type to read, and in
/// brackets its limits in the schema. `as` names another type to read. Objects and lists of objects
/// must have the same name in JSON as in Rust.
///
/// `draft` names the draft, which has the same fields as the body. In braces:
///
/// - `..` leaves the draft's other fields at their default,
/// - `field` takes its value from the body's field with the same name,
/// - `field = other` takes its value from the body's field `other`,
/// - `field: Inner { … }` creates a nested draft from fields of the same body,
/// - `field: value` sets a constant.
macro_rules! bodies {
    ($(
        $(#[$attribute:meta])*
        pub(crate) struct $body:ident $fields:tt
        $(draft $draft:ident $({ $($set:tt)+ })?)?
    )+) => {$(
        $crate::json::bodies! { @struct [$(#[$attribute])*] $body $fields }

        impl $crate::json::RequestType for $body {
            type Read = $crate::json::Object<Self>;
        }

        $($crate::json::bodies! { @body $body $fields $draft [$($($set)+)?] })?
    )+};
    (@struct [$(#[$attribute:meta])*] $body:ident {
        $(
            $(#[$field_attribute:meta])*
            $field:ident: $type:ty $(as $read:ty)? $([$($limits:tt)+])?,
        )*
    }) => {
        #[derive(Debug, serde::Deserialize, utoipa::ToSchema)]
        $(#[$attribute])*
        pub(crate) struct $body {
            $(
                $(#[$field_attribute])*
                #[schema(value_type = $type $(, $($limits)+)?)]
                $field: $crate::json::Lenient<
                    <($type, $($read)?) as $crate::json::RequestType>::Read
                >,
            )*
        }
    };
    (@body $body:ident {
        $(
            $(#[$field_attribute:meta])*
            $field:ident: $type:ty $(as $read:ty)? $([$($limits:tt)+])?,
        )*
    } $draft:ident $set:tt) => {
        impl $crate::json::Body for $body {
            type Draft = $draft;

            fn draft(
                self,
                at: &pressline_domain::check::Path<'_>,
                unknown: &mut $crate::json::Unknown,
            ) -> $draft {
                $crate::json::bodies!(@draft (self at unknown) $draft [$($field),*] $set)
            }
        }
    };
    (@draft $from:tt $draft:ident [$($own:ident),*] []) => {
        $crate::json::bodies!(@set $from $draft [] $($own),*)
    };
    (@draft $from:tt $draft:ident [$($own:ident),*] [..]) => {
        $crate::json::bodies!(@set $from $draft [] $($own,)* ..)
    };
    (@draft $from:tt $draft:ident $own:tt [$($set:tt)+]) => {
        $crate::json::bodies!(@set $from $draft [] $($set)+)
    };
    (@set $from:tt $draft:ident [$($done:tt)*]) => { $draft { $($done)* } };
    (@set $from:tt $draft:ident [$($done:tt)*] ..) => {
        $draft { $($done)* ..$draft::default() }
    };
    (@set $from:tt $draft:ident [$($done:tt)*]
        $field:ident: $inner:ident { $($nested:tt)* } $(, $($rest:tt)*)?) => {
        $crate::json::bodies!(@set $from $draft [$($done)*
            $field: $crate::json::bodies!(@set $from $inner [] $($nested)*),
        ] $($($rest)*)?)
    };
    (@set $from:tt $draft:ident [$($done:tt)*] $field:ident: $value:path $(, $($rest:tt)*)?) => {
        $crate::json::bodies!(@set $from $draft [$($done)* $field: $value,] $($($rest)*)?)
    };
    (@set $from:tt $draft:ident [$($done:tt)*]
        $field:ident = $other:ident $(, $($rest:tt)*)?) => {
        $crate::json::bodies!(@set $from $draft [$($done)*
            $field: $crate::json::bodies!(@value $from $other),
        ] $($($rest)*)?)
    };
    (@set $from:tt $draft:ident [$($done:tt)*] $field:ident $(, $($rest:tt)*)?) => {
        $crate::json::bodies!(@set $from $draft [$($done)*
            $field: $crate::json::bodies!(@value $from $field),
        ] $($($rest)*)?)
    };
    (@value ($own:tt $at:ident $unknown:ident) $field:ident) => {
        $own.$field.draft(&$at.key(stringify!($field)), $unknown)
    };
}
pub(crate) use bodies;
