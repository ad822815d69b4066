//! Schemas of texts that have one of a set of values.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};

use crate::error;

pub(crate) const ALIVE: &str = "alive";

pub(crate) const READY: &str = "ready";

pub(crate) const UNAVAILABLE: &str = "unavailable";

/// Returns the schema of a text that is one of these values.
pub fn one_of<'v>(description: &str, values: impl IntoIterator<Item = &'v str>) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(description.trim()))
        .enum_values(Some(values))
        .into()
}

/// Defines types that document texts with one of a set of values. A field of a response names such
/// a type as its `value_type`, so that the document lists the values that the domain has.
#[macro_export]
macro_rules! value_sets {
    ($(#[doc = $doc:literal] $name:ident as $schema:literal = $values:expr;)*) => {$(
        #[doc = $doc]
        pub enum $name {}

        impl utoipa::ToSchema for $name {
            fn name() -> std::borrow::Cow<'static, str> {
                $schema.into()
            }
        }

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                $crate::schema::one_of($doc, $values)
            }
        }
    )*};
}

value_sets! {
    /// Always `alive`.
    LivenessStatus as "LivenessStatus" = [ALIVE];
    /// `ready` or `unavailable`.
    ReadinessStatus as "ReadinessStatus" = [READY, UNAVAILABLE];
    /// What kind of error it is, for programs: see the error reference.
    ErrorCode as "ErrorCode" = error::TABLE.iter().map(|error| error.name);
    /// What kind of problem or warning it is, for programs.
    IssueCode as "IssueCode" = pressline_domain::report::IssueCode::ALL.iter().map(|code| code.as_str());
}
