//! Responses with an object or a complete list.

use std::borrow::Cow;
use std::marker::PhantomData;

use pressline_domain::check::report::Warning;
use pressline_http::problem::{Issue, issues};
use serde::Serialize;
use utoipa::openapi::schema::{ArrayBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

/// An object, with warnings about the request.
#[derive(Serialize, ToSchema)]
pub(crate) struct Envelope<'a, T: ToSchema> {
    /// Always `true`.
    success: bool,
    /// `OK`, `Already exists` if an earlier call with the same request created the object, or
    /// `No change` if a command changed nothing.
    message: &'a str,
    /// The object in its current state.
    data: T,
    /// Warnings about the request. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    warnings: Vec<Issue>,
}

impl<'a, T: ToSchema> Envelope<'a, T> {
    pub(crate) fn new(message: &'a str, data: T, warnings: Vec<Warning>) -> Self {
        Self {
            success: true,
            message,
            data,
            warnings: issues(warnings),
        }
    }
}

/// Schema of an [`Envelope`] with an object `T`, for the OpenAPI documents.
pub(crate) struct ResponseOf<T>(PhantomData<T>);

impl<T: ToSchema> ToSchema for ResponseOf<T> {
    fn name() -> Cow<'static, str> {
        format!("{}Response", T::name()).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((T::name().into_owned(), T::schema()));
        Envelope::<T>::schemas(schemas);
    }
}

impl<T: ToSchema> PartialSchema for ResponseOf<T> {
    fn schema() -> RefOr<Schema> {
        schema_with(Ref::from_schema_name(T::name()))
    }
}

/// Schema of an [`Envelope`] with a list of `T`, for the OpenAPI documents.
pub(crate) struct ListOf<T>(PhantomData<T>);

impl<T: ToSchema> ToSchema for ListOf<T> {
    fn name() -> Cow<'static, str> {
        format!("{}List", T::name()).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        ResponseOf::<T>::schemas(schemas);
    }
}

impl<T: ToSchema> PartialSchema for ListOf<T> {
    fn schema() -> RefOr<Schema> {
        schema_with(ArrayBuilder::new().items(Ref::from_schema_name(T::name())))
    }
}

/// Returns the schema of an [`Envelope`] in which the field `data` has the schema `data`. The
/// derived schema would contain a copy of `data`, which is usually a reference.
pub(crate) fn schema_with(data: impl Into<RefOr<Schema>>) -> RefOr<Schema> {
    let mut schema = Envelope::<()>::schema();
    if let RefOr::T(Schema::Object(envelope)) = &mut schema {
        envelope.properties.insert("data".to_owned(), data.into());
    }
    schema
}
