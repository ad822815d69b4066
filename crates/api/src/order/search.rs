//! Search orders: a page of a store's orders, newest first.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use pressline_domain::order::search::SearchDraft;
use pressline_domain::page::PageDraft;
use pressline_domain::report::Path;
use serde::Deserialize;
use utoipa::{OpenApi, ToSchema};

use super::response::{self, OrderBody};
use crate::Api;
use crate::json::{Body, Lenient, Unknown};
use crate::openapi::parsed;
use crate::operations::{Access, Operation};
use crate::response::page::PageOf;
use crate::signed::Signed;
use pressline_http::failure::Failure;

pub(crate) const OPERATION: Operation = Operation {
    id: "searchOrders",
    method: Method::POST,
    path: "/app/v1/orders/search",
    aliases: &[("/api/v1/orders/search", "searchOrdersAtOtherPath")],
    access: Access::SignedOrOpen,
    is_search: true,
    route: || web::post().to(handle),
    document: Document::openapi,
};

/// Documents the response: orders are not counted.
type OrderPage = PageOf<OrderBody<'static>, false>;

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Which orders to find. Every field is optional; `{}` finds all.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SearchOrders {
    /// Created at or after: milliseconds since 1970; 0 is open.
    #[schema(value_type = Option<i64>, minimum = 0)]
    from_time: Lenient<i64>,
    /// Created at or before: milliseconds since 1970; 0 is open.
    #[schema(value_type = Option<i64>, minimum = 0)]
    to_time: Lenient<i64>,
    /// Beginnings of words of the order's ids, names, e-mail addresses, phone number, SKUs and item
    /// names; each must be found. Case and accents do not matter, and no character has a special
    /// meaning.
    #[schema(value_type = Option<String>, max_length = 255)]
    search_key: Lenient<String>,
    /// Which page, from 1. Not together with `cursor`.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 1_000_000, default = 1)]
    page: Lenient<i64>,
    /// Orders on a page.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100, default = 20)]
    size: Lenient<i64>,
    /// The `nextCursor` of the page before, with the same filters: cheaper than `page` far back,
    /// and no order that was there at the start is skipped or repeated.
    #[schema(value_type = Option<String>)]
    cursor: Lenient<String>,
}

impl Body for SearchOrders {
    type Draft = SearchDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> SearchDraft {
        SearchDraft {
            from_time: self.from_time.0,
            to_time: self.to_time.0,
            search_key: self.search_key.0,
            paging: PageDraft {
                page: self.page.0,
                size: self.size.0,
                cursor: self.cursor.0,
            },
        }
    }
}

/// The answer to an example of the documentation.
const ANSWER: &str = r#"{
    "success": true, "message": "OK",
    "data": [
        {
            "id": "0197f3c2-5b0e-7c3a-9d52-000000000001", "serviceOrderId": "DEMO-1", "orderId": "shop-1-8533",
            "billingAddress": {
                "city": "Austin", "country": "United States", "countryCode": "US", "fullName": "Shop Inc."
            },
            "shippingAddress": {
                "address1": "1 Market St", "city": "San Francisco", "country": "United States",
                "countryCode": "US", "firstName": "Ana", "fullName": "Ana Reyes", "lastName": "Reyes",
                "postcode": "94105", "province": "California", "provinceCode": "US-CA"
            },
            "customer": { "firstName": "Ana", "lastName": "Reyes", "name": "Ana Reyes" },
            "email": "orders@shop.example", "productionNote": "Please fold, do not roll.",
            "createdAt": "2024-06-08T03:49:12.905Z", "updatedAt": "2024-06-08T03:49:12.905Z", "version": 3,
            "currency": "USD", "priced": true, "handleFee": null, "surchargeFee": 4.5, "otherFee": null,
            "otherShippingFee": null, "productCost": 29.75, "shippingFee": 7.75, "totalCost": 42,
            "feeLines": [
                {
                    "type": "product", "itemId": "0197f3c2-5b0e-7c3a-9d52-000000000002", "itemIndex": 0,
                    "amount": 25.5, "currency": "USD", "rule": "TEE-BLACK-M: 3 x 8.50 USD by the catalog"
                },
                {
                    "type": "product", "itemId": "0197f3c2-5b0e-7c3a-9d52-000000000007", "itemIndex": 1,
                    "amount": 4.25, "currency": "USD", "rule": "MUG-11OZ: 1 x 4.25 USD by the catalog"
                },
                {
                    "type": "shipping", "itemId": null, "itemIndex": null, "amount": 7.75, "currency": "USD",
                    "rule": "Standard to World: 4.00 USD for the first unit and 3 x 1.25 USD for further ones"
                },
                {
                    "type": "surcharge", "itemId": "0197f3c2-5b0e-7c3a-9d52-000000000002", "itemIndex": 0,
                    "amount": 4.5, "currency": "USD", "rule": "TEE-BLACK-M: 3 x 1.50 USD for print area Back"
                }
            ],
            "pricedAt": "2024-06-08T03:49:12.905Z",
            "itemStatuses": null, "source": "store", "storeId": "0197f3c2-0000-7000-8000-000000000001",
            "type": "manual", "shipping_address_label": null,
            "childDetails": [
                {
                    "id": "0197f3c2-5b0e-7c3a-9d52-000000000002", "name": "Unisex tee", "sku": "TEE-BLACK-M",
                    "quantity": 3,
                    "files": [
                        {
                            "id": "front", "name": "Front", "size": "38x48 cm",
                            "note": "PNG, 300 dpi, sRGB, at most 100 MB", "sizeWidth": "4500",
                            "sizeHeight": "5400", "requirement": "base_belongs", "requireFor": [],
                            "extraFee": "0", "fileUrl": ["https://cdn.shop.example/8533/front.png"],
                            "thumbnailFileUrl": ["https://cdn.shop.example/8533/front.png"],
                            "personalizedDataFileUrl": null
                        },
                        {
                            "id": "back", "name": "Back", "size": "38x48 cm",
                            "note": "PNG, 300 dpi, sRGB, at most 100 MB", "sizeWidth": "4500",
                            "sizeHeight": "5400", "requirement": "base_belongs", "requireFor": [],
                            "extraFee": "1.5", "fileUrl": ["https://cdn.shop.example/8533/back.png"],
                            "thumbnailFileUrl": ["https://cdn.shop.example/8533/back.png"],
                            "personalizedDataFileUrl": null
                        }
                    ],
                    "mockupImages": ["https://cdn.shop.example/8533/mockup.jpg"],
                    "thumbnailMockupImages": ["https://cdn.shop.example/8533/mockup.jpg"], "status": null,
                    "sellerCost": 8.5, "shipClass": "Standard"
                },
                {
                    "id": "0197f3c2-5b0e-7c3a-9d52-000000000007", "name": "Mug 11oz", "sku": "MUG-11OZ",
                    "quantity": 1,
                    "files": [
                        {
                            "id": "wrap", "name": "Wrap", "size": "38x48 cm",
                            "note": "PNG, 300 dpi, sRGB, at most 100 MB", "sizeWidth": "4500",
                            "sizeHeight": "5400", "requirement": "base_belongs", "requireFor": [],
                            "extraFee": "0", "fileUrl": ["https://cdn.shop.example/8533/mug.png"],
                            "thumbnailFileUrl": ["https://cdn.shop.example/8533/mug.png"],
                            "personalizedDataFileUrl": null
                        }
                    ],
                    "mockupImages": [], "thumbnailMockupImages": [], "status": null, "sellerCost": 4.25
                }
            ]
        }
    ],
    "page": 1, "size": 20, "pageHasNext": false, "pageHasPre": false
}"#;

/// Search orders
///
/// Served at `/app/v1/orders/search` and `/api/v1/orders/search`. A store can be set to allow it
/// without a signature; a signature that is sent must be right all the same.
#[utoipa::path(
    post,
    path = "/app/v1/orders/search",
    operation_id = "searchOrders",
    tag = "orders",
    request_body(content = SearchOrders, examples(
        ("Everything" = (value = json!({}))),
        ("By name, in June 2024" = (value = json!({
            "fromTime": 1_717_200_000_000_i64, "toTime": 1_719_791_999_999_i64, "searchKey": "ana tee", "page": 1, "size": 20
        })))
    )),
    responses((status = 200, description = "A page of orders.", body = OrderPage,
        examples(("By name, in June 2024" = (value = json!(parsed(ANSWER)))))))
)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<SearchOrders>,
) -> Result<HttpResponse, Failure> {
    let Signed {
        store,
        draft,
        unknown,
    } = request;
    match api.services.orders.search(&store, &draft).await {
        Ok(page) => response::page(page, unknown, &api.responses),
        Err(error) => Err(Failure::from(error).warned(unknown)),
    }
}
