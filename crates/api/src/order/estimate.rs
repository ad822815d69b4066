//! Estimate order: what a cart costs, and the ways to ship it. Nothing is stored.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use pressline_domain::field::Field;
use pressline_domain::order::request::OrderDraft;
use pressline_domain::report::Path;
use serde::Deserialize;
use utoipa::{OpenApi, ToSchema};

use super::request::{AddressBody, CustomerBody, LineItemBody};
use super::response::{self, OrderAnswer};
use crate::Api;
use crate::json::{Body, Lenient, Object, Unknown, list, object};
use crate::openapi::parsed;
use crate::operations::{Access, Operation};
use crate::signed::Signed;
use pressline_http::failure::Failure;

pub(crate) const OPERATION: Operation = Operation {
    id: "estimateOrder",
    method: Method::POST,
    path: "/app/v1/orders/estimate",
    aliases: &[],
    access: Access::Signed,
    is_search: false,
    route: || web::post().to(handle),
    document: Document::openapi,
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// A cart: the body of create order or create order label, of which only `line_items` and, without
/// a label, the country of the destination are required, and its province for US, CA and AU.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct EstimateOrder {
    /// Your id of the order. An estimate does not take it, but says if an order has it already.
    #[schema(value_type = Option<String>, max_length = 128)]
    order_id: Lenient<String>,
    /// Where the prepared shipping label can be fetched: an http or https URL. It makes this a
    /// label order.
    #[schema(value_type = Option<String>, max_length = 2048)]
    shipping_address_label: Lenient<String>,
    /// Your e-mail address.
    #[schema(value_type = Option<String>, max_length = 255)]
    email: Lenient<String>,
    /// Where the order goes. The country is enough, with the province for US, CA and AU. Optional
    /// on label orders only.
    #[schema(value_type = Option<AddressBody>)]
    shipping_address: Lenient<Object<AddressBody>>,
    /// Who pays.
    #[schema(value_type = Option<AddressBody>)]
    billing_address: Lenient<Object<AddressBody>>,
    /// Who ordered.
    #[schema(value_type = Option<CustomerBody>)]
    customer: Lenient<Object<CustomerBody>>,
    /// What is ordered. If no item names a `shipClass`, the answer has `shippingOptions`.
    #[schema(value_type = Vec<LineItemBody>, min_items = 1, max_items = 100)]
    line_items: Lenient<Vec<Field<Object<LineItemBody>>>>,
    /// The form of the answer. `normal` is the only one; another value gets it too, with a warning.
    #[schema(value_type = Option<String>)]
    response_type: Lenient<String>,
    /// Nothing is stored whatever stands here, so that the body of a dry run can be sent as it is.
    #[serde(rename = "dryRun")]
    #[schema(value_type = Option<bool>)]
    dry_run: Lenient<bool>,
}

impl Body for EstimateOrder {
    type Draft = OrderDraft;

    fn draft(self, at: &Path<'_>, unknown: &mut Unknown) -> OrderDraft {
        OrderDraft {
            order_id: self.order_id.0,
            email: self.email.0,
            shipping_address_label: self.shipping_address_label.0,
            shipping_address: object(self.shipping_address, &at.key("shipping_address"), unknown),
            billing_address: object(self.billing_address, &at.key("billing_address"), unknown),
            customer: object(self.customer, &at.key("customer"), unknown),
            line_items: list(self.line_items, &at.key("line_items"), unknown),
            response_type: self.response_type.0,
            dry_run: self.dry_run.0,
        }
    }
}

/// The answer to an example of the documentation.
const ANSWER: &str = r#"{
    "success": true, "message": "OK",
    "data": {
        "id": null, "serviceOrderId": null, "orderId": "shop-1-8535", "billingAddress": {},
        "shippingAddress": {
            "address1": "350 5th Ave", "city": "New York", "country": "United States", "countryCode": "US",
            "fullName": "Ana Reyes", "postcode": "10118", "province": "New York",
            "provinceCode": "US-NY"
        },
        "customer": { "firstName": "Ana", "lastName": "Reyes", "name": "Ana Reyes" },
        "email": null, "productionNote": null, "createdAt": "2024-06-08T03:49:12.905Z",
        "updatedAt": "2024-06-08T03:49:12.905Z", "version": 1, "currency": "USD", "priced": true,
        "handleFee": null, "surchargeFee": 1.5, "otherFee": null, "otherShippingFee": null, "productCost": 17,
        "shippingFee": 6.5, "totalCost": 25,
        "shippingOptions": [{ "shipClass": "Standard", "shippingFee": 6.5, "totalCost": 25 }],
        "feeLines": [
            {
                "type": "product", "itemId": null, "itemIndex": 0, "amount": 8.5, "currency": "USD",
                "rule": "TEE-BLACK-M: 1 x 8.50 USD by the catalog"
            },
            {
                "type": "product", "itemId": null, "itemIndex": 1, "amount": 8.5, "currency": "USD",
                "rule": "MUG-11OZ: 2 x 4.25 USD by the catalog"
            },
            {
                "type": "shipping", "itemId": null, "itemIndex": null, "amount": 6.5, "currency": "USD",
                "rule": "Standard to World: 4.00 USD for the first unit and 2 x 1.25 USD for further ones"
            },
            {
                "type": "surcharge", "itemId": null, "itemIndex": 0, "amount": 1.5, "currency": "USD",
                "rule": "TEE-BLACK-M: 1 x 1.50 USD for print area Back"
            }
        ],
        "pricedAt": "2024-06-08T03:49:12.905Z", "itemStatuses": null, "source": "store",
        "storeId": "0197f3c2-0000-7000-8000-000000000001", "type": "manual", "shipping_address_label": null,
        "childDetails": [
            {
                "id": null, "name": "Unisex tee, black, M", "sku": "TEE-BLACK-M", "quantity": 1,
                "files": [
                    {
                        "id": "front", "name": "Front", "size": "38x48 cm",
                        "note": "PNG, 300 dpi, sRGB, at most 100 MB", "sizeWidth": "4500", "sizeHeight": "5400",
                        "requirement": "base_belongs", "requireFor": [], "extraFee": "0", "fileUrl": [],
                        "thumbnailFileUrl": [], "personalizedDataFileUrl": null
                    },
                    {
                        "id": "back", "name": "Back", "size": "38x48 cm",
                        "note": "PNG, 300 dpi, sRGB, at most 100 MB", "sizeWidth": "4500", "sizeHeight": "5400",
                        "requirement": "base_belongs", "requireFor": [], "extraFee": "1.5",
                        "fileUrl": ["https://cdn.shop.example/8535/back.png"], "thumbnailFileUrl": [],
                        "personalizedDataFileUrl": null
                    }
                ],
                "mockupImages": [], "thumbnailMockupImages": null, "status": null, "sellerCost": 8.5
            },
            {
                "id": null, "name": "Mug 11oz", "sku": "MUG-11OZ", "quantity": 2,
                "files": [
                    {
                        "id": "wrap", "name": "Wrap", "size": "38x48 cm",
                        "note": "PNG, 300 dpi, sRGB, at most 100 MB", "sizeWidth": "4500", "sizeHeight": "5400",
                        "requirement": "base_belongs", "requireFor": [], "extraFee": "0", "fileUrl": [],
                        "thumbnailFileUrl": [], "personalizedDataFileUrl": null
                    }
                ],
                "mockupImages": [], "thumbnailMockupImages": null, "status": null, "sellerCost": 4.25
            }
        ],
        "dryRun": true
    }
}"#;

/// Estimate an order
///
/// Prices a cart. Takes the body of create order or create order label, of which little is
/// required: `line_items` and, of the shipping address, the country (with the province for US, CA
/// and AU). A field that is present is checked as in create. Nothing is stored.
///
/// The answer is the order that would be stored, with `dryRun`. Its `id`, its `serviceOrderId` and
/// the ids of its items are null, as only storing gives them; what the body lacks is empty. The
/// same items and destination sent to create come to the same fees, unless a price changes in
/// between.
///
/// If no item names a `shipClass`, `shippingOptions` lists the classes that all items can be sent
/// in and that have a rate to the destination, cheapest first: `shipClass` of each item in create
/// then comes to that `shippingFee` and `totalCost`. A label order has none.
///
/// With an `order_id` that an order has already, the answer is that of create: the order, with
/// `Already exists`, where the request is the same, otherwise 409.
#[utoipa::path(
    post,
    path = "/app/v1/orders/estimate",
    operation_id = "estimateOrder",
    tag = "orders",
    request_body(content = EstimateOrder, examples(
        ("A shirt and a mug to the United States" = (value = json!({
            "order_id": "shop-1-8535",
            "shipping_address": {
                "name": "Ana Reyes", "address1": "350 5th Ave", "city": "New York", "zip": "10118",
                "province_code": "US-NY", "country_code": "US"
            },
            "customer": { "first_name": "Ana", "last_name": "Reyes" },
            "line_items": [
                {
                    "sku": "TEE-BLACK-M", "quantity": 1,
                    "fileUrls": ["", "https://cdn.shop.example/8535/back.png"]
                },
                { "sku": "MUG-11OZ", "quantity": 2 }
            ]
        }))),
        ("A cart to France" = (value = json!({
            "shipping_address": { "country_code": "FR" },
            "line_items": [{ "sku": "MUG-11OZ", "quantity": 2 }]
        }))),
        ("A mug with a label" = (value = json!({
            "shipping_address_label": "https://labels.shop.example/8601.pdf",
            "line_items": [{ "sku": "MUG-11OZ", "quantity": 1 }]
        })))
    )),
    responses((
        status = 200, description = "The order as it would be stored, and the ways to ship it.", body = OrderAnswer<'_>,
        headers((
            "Idempotent-Replayed" = String,
            description = "`true` where the same request created the order before."
        )),
        examples(("A shirt and a mug to the United States" = (value = json!(parsed(ANSWER)))))
    ))
)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<EstimateOrder>,
) -> Result<HttpResponse, Failure> {
    let Signed {
        store,
        draft,
        unknown,
    } = request;
    match api.services.orders.estimate(&store, &draft).await {
        Ok(quote) => response::quoted(&quote, unknown),
        Err(error) => Err(Failure::from(error).warned(unknown)),
    }
}
