//! Search products: a page of what a store can order, with its prices.

use actix_web::{HttpResponse, web};
use pressline_domain::catalog::ProductSearchDraft;
use pressline_domain::page::PageDraft;
use pressline_domain::report::Path;
use serde::Deserialize;
use utoipa::{OpenApi, ToSchema};

use super::response::{self, ProductResponse};
use crate::Api;
use crate::json::{Body, Lenient, Unknown};
use crate::operation::{Example, Operation};
use crate::response::page::PageOf;
use crate::response::respond;
use crate::signed::Signed;
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;

pub(crate) const OPERATION: Operation = Operation {
    kind: CallKind::Search,
    examples: &[Example {
        title: "Black shirts",
        request: include_str!("examples/search.request.json"),
        response: Some(include_str!("examples/search.response.json")),
    }],
    ..Operation::of_stores(
        "searchProducts",
        "/app/v1/products/search",
        || web::post().to(handle),
        Document::openapi,
    )
};

/// Documents the response: products are counted.
type ProductPage = PageOf<ProductResponse<'static>, true>;

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// The products to find. Every field is optional; `{}` finds all.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchProducts {
    /// Beginnings of words of a product's id and name and of the SKU, name and option values of one
    /// of its variants; each must be found. Case and accents do not matter, and no character has a
    /// special meaning.
    #[schema(value_type = Option<String>, max_length = 255)]
    search_key: Lenient<String>,
    /// The number of the page, from 1; 1 if it is absent. Not together with `cursor`.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 1_000_000)]
    page: Lenient<i64>,
    /// Products on a page; 20 if it is absent.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100)]
    size: Lenient<i64>,
    /// The `nextCursor` of the previous page, with the same `searchKey`.
    #[schema(value_type = Option<String>)]
    cursor: Lenient<String>,
}

impl Body for SearchProducts {
    type Draft = ProductSearchDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> ProductSearchDraft {
        ProductSearchDraft {
            search_key: self.search_key.0,
            paging: PageDraft {
                page: self.page.0,
                size: self.size.0,
                cursor: self.cursor.0,
            },
        }
    }
}

/// Search products
///
/// Returns the products that can be ordered, by id, each with all its variants and their prices for
/// your store. Always signed, because a store can have its own prices.
#[utoipa::path(
    post,
    path = "/app/v1/products/search",
    operation_id = "searchProducts",
    tag = "products",
    request_body(content = SearchProducts),
    responses((status = 200, description = "A page of products.", body = ProductPage))
)]
#[tracing::instrument(name = "api.catalog.search", skip_all)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<SearchProducts>,
) -> Result<HttpResponse, RequestError> {
    let products = &api.services.products;
    let found = products.search(&request.store, &request.draft).await;
    respond(found, request.unknown, response::products)
}
