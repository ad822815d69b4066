//! Update order: all of a request or nothing of it.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use pressline_domain::field::Field;
use pressline_domain::order::request::UpdateDraft;
use pressline_domain::report::Path;
use serde::Deserialize;
use utoipa::{OpenApi, ToSchema};

use super::request::{AddressBody, CustomerBody, LineItemChangeBody};
use super::response::{self, OrderAnswer, View};
use crate::Api;
use crate::json::{Body, Lenient, Object, Unknown, list, object};
use crate::openapi::parsed;
use crate::operations::{Access, Operation};
use crate::signed::Signed;
use pressline_http::failure::Failure;

pub(crate) const OPERATION: Operation = Operation {
    id: "updateOrder",
    method: Method::POST,
    path: "/app/v1/orders/update",
    aliases: &[],
    access: Access::Signed,
    is_search: false,
    route: || web::post().to(handle),
    document: Document::openapi,
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// Changes to an order. Optional fields that are absent or null stay as they are; an empty text or
/// object clears them.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct UpdateOrder {
    /// Your id of the order, or the service's order number.
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    order_id: Lenient<String>,
    /// Replaces the shipping address whole. Optional on label orders only.
    #[schema(value_type = Option<AddressBody>)]
    shipping_address: Lenient<Object<AddressBody>>,
    /// Replaces the billing address whole.
    #[schema(value_type = Option<AddressBody>)]
    billing_address: Lenient<Object<AddressBody>>,
    /// Replaces the customer whole.
    #[schema(value_type = CustomerBody)]
    customer: Lenient<Object<CustomerBody>>,
    /// Items to change, to add or to take out. Items that are not listed stay as they are.
    #[schema(value_type = Vec<LineItemChangeBody>, max_items = 100)]
    line_items: Lenient<Vec<Field<Object<LineItemChangeBody>>>>,
    /// The form of the answer. `normal` is the only one; another value gets it too, with a warning.
    #[schema(value_type = Option<String>)]
    response_type: Lenient<String>,
    /// Replaces the note to production.
    #[schema(value_type = Option<String>, max_length = 2000)]
    production_note: Lenient<String>,
    /// Replaces your e-mail address.
    #[schema(value_type = Option<String>, max_length = 255)]
    email: Lenient<String>,
    /// The version you have seen: where the order has moved on, nothing changes. Required to add an
    /// item.
    #[schema(value_type = Option<i64>, minimum = 1)]
    version: Lenient<i64>,
    /// True runs everything but the storing, and answers the order as it would be.
    #[serde(rename = "dryRun")]
    #[schema(value_type = Option<bool>)]
    dry_run: Lenient<bool>,
}

impl Body for UpdateOrder {
    type Draft = UpdateDraft;

    fn draft(self, at: &Path<'_>, unknown: &mut Unknown) -> UpdateDraft {
        UpdateDraft {
            order_id: self.order_id.0,
            email: self.email.0,
            shipping_address: object(self.shipping_address, &at.key("shipping_address"), unknown),
            billing_address: object(self.billing_address, &at.key("billing_address"), unknown),
            customer: object(self.customer, &at.key("customer"), unknown),
            line_items: list(self.line_items, &at.key("line_items"), unknown),
            response_type: self.response_type.0,
            production_note: self.production_note.0,
            version: self.version.0,
            dry_run: self.dry_run.0,
        }
    }
}

/// The answer to an example of the documentation.
const ANSWER: &str = r#"{
    "success": true, "message": "OK",
    "data": {
        "id": "0197f3c2-5b0e-7c3a-9d52-000000000001", "serviceOrderId": "DEMO-1", "orderId": "shop-1-8533",
        "billingAddress": {
            "city": "Austin", "country": "United States", "countryCode": "US", "fullName": "Shop Inc."
        },
        "shippingAddress": {
            "address1": "1 Market St", "city": "San Francisco", "country": "United States", "countryCode": "US",
            "firstName": "Ana", "fullName": "Ana Reyes", "lastName": "Reyes", "postcode": "94105",
            "province": "California", "provinceCode": "US-CA"
        },
        "customer": { "firstName": "Ana", "lastName": "Reyes", "name": "Ana Reyes" },
        "email": "orders@shop.example", "productionNote": "Please fold, do not roll.",
        "createdAt": "2024-06-08T03:49:12.905Z", "updatedAt": "2024-06-08T03:49:12.905Z", "version": 2,
        "currency": "USD", "priced": true, "handleFee": null, "surchargeFee": 4.5, "otherFee": null,
        "otherShippingFee": null, "productCost": 25.5, "shippingFee": 6.5, "totalCost": 36.5,
        "feeLines": [
            {
                "type": "product", "itemId": "0197f3c2-5b0e-7c3a-9d52-000000000002", "itemIndex": 0,
                "amount": 25.5, "currency": "USD", "rule": "TEE-BLACK-M: 3 x 8.50 USD by the catalog"
            },
            {
                "type": "shipping", "itemId": null, "itemIndex": null, "amount": 6.5, "currency": "USD",
                "rule": "Standard to World: 4.00 USD for the first unit and 2 x 1.25 USD for further ones"
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
                        "note": "PNG, 300 dpi, sRGB, at most 100 MB", "sizeWidth": "4500", "sizeHeight": "5400",
                        "requirement": "base_belongs", "requireFor": [], "extraFee": "0",
                        "fileUrl": ["https://cdn.shop.example/8533/front.png"], "thumbnailFileUrl": [],
                        "personalizedDataFileUrl": null
                    },
                    {
                        "id": "back", "name": "Back", "size": "38x48 cm",
                        "note": "PNG, 300 dpi, sRGB, at most 100 MB", "sizeWidth": "4500", "sizeHeight": "5400",
                        "requirement": "base_belongs", "requireFor": [], "extraFee": "1.5",
                        "fileUrl": ["https://cdn.shop.example/8533/back.png"], "thumbnailFileUrl": [],
                        "personalizedDataFileUrl": null
                    }
                ],
                "mockupImages": ["https://cdn.shop.example/8533/mockup.jpg"], "thumbnailMockupImages": null,
                "status": null, "sellerCost": 8.5, "shipClass": "Standard"
            }
        ]
    }
}"#;

/// Update an order
///
/// Everything in the request happens, or nothing. Fees are computed again. Possible until
/// production begins.
#[utoipa::path(
    post,
    path = "/app/v1/orders/update",
    operation_id = "updateOrder",
    tag = "orders",
    request_body(content = UpdateOrder, examples(
        ("Another address, another quantity" = (value = json!({
            "order_id": "shop-1-8533",
            "shipping_address": {
                "first_name": "Ana", "last_name": "Reyes", "address1": "1 Market St", "city": "San Francisco",
                "zip": "94105", "province_code": "US-CA", "country_code": "US"
            },
            "customer": { "first_name": "Ana", "last_name": "Reyes" },
            "line_items": [{ "appItemId": "0197f3c2-5b0e-7c3a-9d52-000000000002", "quantity": 3 }],
            "response_type": "normal",
            "production_note": "Please fold, do not roll."
        }))),
        ("One more item" = (value = json!({
            "order_id": "shop-1-8533",
            "version": 2,
            "shipping_address": {
                "first_name": "Ana", "last_name": "Reyes", "address1": "1 Market St", "city": "San Francisco",
                "zip": "94105", "province_code": "US-CA", "country_code": "US"
            },
            "customer": { "first_name": "Ana", "last_name": "Reyes" },
            "line_items": [{
                "sku": "MUG-11OZ", "quantity": 1, "fileUrls": ["https://cdn.shop.example/8533/mug.png"]
            }]
        })))
    )),
    responses((status = 200, description = "The order as it now is.", body = OrderAnswer<'_>,
        examples(("Another address, another quantity" = (value = json!(parsed(ANSWER)))))))
)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<UpdateOrder>,
) -> Result<HttpResponse, Failure> {
    let Signed {
        store,
        draft,
        unknown,
    } = request;
    if draft.is_dry_run() {
        return match api.services.orders.quote_update(&store, &draft).await {
            Ok(quote) => response::quoted_update(&quote, unknown),
            Err(error) => Err(Failure::from(error).warned(unknown)),
        };
    }
    match api.services.orders.update(&store, &draft).await {
        Ok(placed) => response::placed(&placed, View::Written, unknown),
        Err(error) => Err(Failure::from(error).warned(unknown)),
    }
}
