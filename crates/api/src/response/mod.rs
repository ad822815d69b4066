//! Common parts of all responses.

mod money;

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::marker::PhantomData;

use actix_web::HttpResponse;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::web::Bytes;
use pressline_domain::check::Warning;
use pressline_domain::value::Tenths;
use pressline_domain::value::page::Page;
use pressline_http::error::OK;
use pressline_http::headers::JSON;
use pressline_http::problem::{Issue, issues};
use pressline_http::request_error::RequestError;
use serde::{Serialize, Serializer};
use utoipa::openapi::schema::{ArrayBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

pub(crate) use money::{Money, MoneySum, SignedMoney};

pub(crate) type Response = Result<HttpResponse, RequestError>;

const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Initial capacity of a response's buffer, in bytes: an order with a few items fits in.
const USUAL_RESPONSE: usize = 8 * 1024;

/// Adds `unknown`, the warnings about unknown fields, to the response or to the error.
pub(crate) fn respond<T, E>(
    result: Result<T, E>,
    unknown: Vec<Warning>,
    render: impl FnOnce(T, Vec<Warning>) -> Response,
) -> Response
where
    RequestError: From<E>,
{
    match result {
        Ok(value) => render(value, unknown),
        Err(error) => Err(RequestError::from(error).warned(unknown)),
    }
}

pub(crate) fn json(body: &impl Serialize) -> Result<HttpResponse, RequestError> {
    let mut response = HttpResponse::build(OK);
    Ok(response.content_type(JSON).body(bytes(body)?))
}

/// Returns the message `OK` or, if `is_unchanged`, `No change` with [`mark_replayed`].
pub(crate) fn ok_or_unchanged(
    body: impl Serialize + ToSchema,
    is_unchanged: bool,
    warnings: Vec<Warning>,
) -> Response {
    if !is_unchanged {
        return json(&Envelope::new("OK", body, warnings));
    }
    let mut response = json(&Envelope::new("No change", body, warnings))?;
    mark_replayed(&mut response);
    Ok(response)
}

/// Adds `Idempotent-Replayed`, for a repeated call or a command that changed nothing.
pub(crate) fn mark_replayed(response: &mut HttpResponse) {
    let replayed = HeaderValue::from_static("true");
    response.headers_mut().insert(REPLAYED, replayed);
}

pub(crate) fn bytes(value: &impl Serialize) -> Result<Vec<u8>, RequestError> {
    let mut bytes = Vec::with_capacity(USUAL_RESPONSE);
    match serde_json::to_writer(&mut bytes, value) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(RequestError::internal(format!(
            "writing a response: {error}"
        ))),
    }
}

/// Splits JSON with an empty list `data` at the place for the entries of the list.
pub(crate) fn around_data(response: Vec<u8>) -> Result<(Bytes, Bytes), RequestError> {
    const EMPTY: &[u8] = b"\"data\":[]";
    // Only a constant message precedes the list, so the first match is the list.
    let at = response
        .windows(EMPTY.len())
        .position(|part| part == EMPTY)
        .ok_or_else(|| RequestError::internal("a response without a list of entries"))?;
    let mut head = Bytes::from(response);
    let tail = head.split_off(at + EMPTY.len() - 1);
    Ok((head, tail))
}

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

/// Returns an [`Envelope`] schema that refers to `data`; the derived schema would copy `data`.
pub(crate) fn schema_with(data: impl Into<RefOr<Schema>>) -> RefOr<Schema> {
    let mut schema = Envelope::<()>::schema();
    if let RefOr::T(Schema::Object(envelope)) = &mut schema {
        envelope.properties.insert("data".to_owned(), data.into());
    }
    schema
}

/// A page of a list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PageResponse<'a, T: ToSchema> {
    /// Always `true`.
    success: bool,
    /// Always `OK`.
    message: &'a str,
    /// Entries of the page, in the order of the list.
    data: Vec<T>,
    /// Number of the page. Absent if the request had a `cursor`.
    #[serde(skip_serializing_if = "Option::is_none")]
    // utoipa would allow `null` for an option, but the field is absent instead.
    #[schema(nullable = false)]
    #[schema(minimum = 1, maximum = 1_000_000)]
    page: Option<u32>,
    /// Number of entries on a full page.
    #[schema(minimum = 1, maximum = 100)]
    size: u32,
    /// Total number of entries on all pages. Absent for lists that do not count their entries.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    count: Option<u64>,
    /// Whether there is a next page.
    page_has_next: bool,
    /// Whether there is a previous page.
    page_has_pre: bool,
    /// Send it back as `cursor`, with the same filters, to read the next page. Absent on the last
    /// page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<&'a str>,
    /// Warnings about the request. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    warnings: Vec<Issue>,
}

impl<'a, T: ToSchema> PageResponse<'a, T> {
    /// Takes the number of entries on all pages as `count`; `None` if the list does not count them.
    pub(crate) fn new<E>(
        page: &'a Page<E>,
        data: Vec<T>,
        count: Option<u64>,
        warnings: Vec<Warning>,
    ) -> Self {
        Self {
            success: true,
            message: "OK",
            data,
            page: page.number,
            size: page.size,
            count,
            page_has_next: page.has_next(),
            page_has_pre: page.has_previous,
            next_cursor: page.next_cursor.as_deref(),
            warnings: issues(warnings),
        }
    }
}

/// Schema of a [`PageResponse`] with entries `T`. `COUNTED` is true for lists with `count`.
pub(crate) struct PageOf<T, const COUNTED: bool>(PhantomData<T>);

impl<T: ToSchema, const COUNTED: bool> ToSchema for PageOf<T, COUNTED> {
    fn name() -> Cow<'static, str> {
        format!("{}Page", T::name()).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((T::name().into_owned(), T::schema()));
        PageResponse::<T>::schemas(schemas);
    }
}

impl<T: ToSchema, const COUNTED: bool> PartialSchema for PageOf<T, COUNTED> {
    /// Refers to the schema of the entries; the derived schema would contain a copy.
    fn schema() -> RefOr<Schema> {
        let mut schema = PageResponse::<T>::schema();
        if let RefOr::T(Schema::Object(page)) = &mut schema {
            let entries = ArrayBuilder::new()
                .items(Ref::from_schema_name(T::name()))
                .description(Some("The entries, in the order of the list."))
                .build();
            page.properties.insert("data".to_owned(), entries.into());
            // Each list has `count` in every response or in none, so it is never optional.
            if COUNTED {
                page.required.push("count".to_owned());
            } else {
                page.properties.remove("count");
            }
        }
        schema
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Text<T>(pub(crate) T);

impl<T: Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// A number with at most one decimal; without decimals if it is whole.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decimal(pub(crate) Tenths);

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_whole() {
            Some(whole) => serializer.serialize_u32(whole),
            None => serializer.serialize_f64(self.0.as_f64()),
        }
    }
}

/// A width or height in pixels, as digits; `None` is shown as an empty string.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pixels(pub(crate) Option<u32>);

impl Display for Pixels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |pixels| pixels.fmt(f))
    }
}
