//! Schemas of strings with a fixed set of values.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};

use crate::error;

pub(crate) const ALIVE: &str = "alive";

pub(crate) const READY: &str = "ready";

pub(crate) const UNAVAILABLE: &str = "unavailable";

/// Returns the schema of a string that is one of `values`.
pub fn one_of<'v>(description: &str, values: impl IntoIterator<Item = &'v str>) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(description.trim()))
        .enum_values(Some(values))
        .into()
}

/// Defines types that document strings with a fixed set of values. A response field names the type
/// as its `value_type`. The OpenAPI document then lists the values that the domain has.
#[macro_export]
macro_rules! value_sets {
    ($($(#[doc = $doc:literal])+ $name:ident as $schema:literal = $values:expr;)*) => {$(
        $(#[doc = $doc])+
        pub enum $name {}

        impl utoipa::ToSchema for $name {
            fn name() -> std::borrow::Cow<'static, str> {
                $schema.into()
            }
        }

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                $crate::schema::one_of(concat!($($doc),+), $values)
            }
        }
    )*};
}

value_sets! {
    /// Always `alive`.
    LivenessStatus as "LivenessStatus" = [ALIVE];
    /// `ready` or `unavailable`.
    ReadinessStatus as "ReadinessStatus" = [READY, UNAVAILABLE];
    /// Kind of error, for programs: see the error reference.
    ErrorCode as "ErrorCode" = error::TABLE.iter().map(|error| error.name);
    /// Kind of problem or warning, for programs.
    IssueCode as "IssueCode" = pressline_domain::check::IssueCode::ALL.iter().map(|code| code.as_str());
}
