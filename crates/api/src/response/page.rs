//! Responses with a page of a list.

use std::borrow::Cow;
use std::marker::PhantomData;

use pressline_domain::check::report::Warning;
use pressline_domain::value::page::Page;
use pressline_http::problem::{Issue, issues};
use serde::Serialize;
use utoipa::openapi::schema::{ArrayBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

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
    /// `count` is the number of entries on all pages; `None` if the list does not count them.
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

/// Schema of a [`PageResponse`] with entries `T`, for the OpenAPI documents. `COUNTED` is true for
/// lists that count their entries.
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
    /// Returns a schema of the page that refers to the schema of its entries. The derived schema
    /// would contain a copy of the schema of the entries.
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
