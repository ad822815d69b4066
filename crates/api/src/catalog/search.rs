//! Search products: pages of the products that a store can order, with its prices.

use pressline_domain::catalog::ProductSearchDraft;
use pressline_domain::value::page::PageDraft;
use serde::Deserialize;
use utoipa::ToSchema;

use super::response::{self, ProductResponse};
use crate::caller::Signed;
use crate::json::{Lenient, body};
use crate::operation::operations;
use crate::request::Request;
use crate::response::page::PageOf;
use crate::response::{Response, respond};
use pressline_http::CallKind;

operations! {
    const OPERATIONS;

    /// Search products
    ///
    /// Returns the products that can be ordered, sorted by `id`, each with all its variants and
    /// their prices for your store. Each call needs a signature, because a store can have its own
    /// prices.
    store "searchProducts" at "/app/v1/products/search";
    tag "products", span "api.catalog.search", handler search;
    with kind: CallKind::Search;
    request SearchProducts;
    response ProductPage: "A page of products.";
    example "Black shirts": "examples/search" request response;
}

type ProductPage = PageOf<ProductResponse<'static>, true>;

/// Search for products. Every field is optional; `{}` finds all products.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchProducts {
    /// Words, or beginnings of words. A product matches if each is the beginning of a word in its
    /// `id` or `name`, or in the `sku`, name or option values of a variant. Case and accents do not
    /// matter, and no character has a special meaning.
    #[schema(value_type = Option<String>, max_length = 255)]
    search_key: Lenient<String>,
    /// Number of the page, from 1; default 1. Not together with `cursor`.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 1_000_000)]
    page: Lenient<i64>,
    /// Number of products per page; default `20`.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100)]
    size: Lenient<i64>,
    /// The `nextCursor` of the previous page, to read the next page. `searchKey` must be the same.
    #[schema(value_type = Option<String>)]
    cursor: Lenient<String>,
}

body! {
    SearchProducts => ProductSearchDraft {
        search_key,
        paging: PageDraft { page, size, cursor },
    }
}

async fn search(call: Signed, request: Request<SearchProducts>) -> Response {
    let products = &call.api.services.products;
    let found = products.search(&call.store, &request.draft).await;
    respond(found, request.unknown, response::products)
}
