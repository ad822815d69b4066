//! Create order: an order that the service ships.

use actix_web::http::Method;
use actix_web::{HttpResponse, web};
use pressline_domain::field::Field;
use pressline_domain::order::request::OrderDraft;
use pressline_domain::report::Path;
use serde::Deserialize;
use utoipa::{OpenApi, ToSchema};

use super::request::{AddressBody, CustomerBody, LineItemBody};
use super::response::{self, OrderAnswer, View};
use crate::Api;
use crate::json::{Body, Lenient, Object, Unknown, list, object};
use crate::openapi::parsed;
use crate::operations::{Access, Operation};
use crate::signed::Signed;
use pressline_http::failure::Failure;

pub(crate) const OPERATION: Operation = Operation {
    id: "createOrder",
    method: Method::POST,
    path: "/app/v1/orders/create",
    aliases: &[],
    access: Access::Signed,
    is_search: false,
    route: || web::post().to(handle),
    document: Document::openapi,
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// An order that the service ships.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct CreateOrder {
    /// Your id of the order, unique in the store for ever.
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    order_id: Lenient<String>,
    /// Your e-mail address.
    #[schema(value_type = Option<String>, max_length = 255)]
    email: Lenient<String>,
    /// Where the order goes.
    #[schema(value_type = AddressBody)]
    shipping_address: Lenient<Object<AddressBody>>,
    /// Who pays.
    #[schema(value_type = Option<AddressBody>)]
    billing_address: Lenient<Object<AddressBody>>,
    /// Who ordered.
    #[schema(value_type = CustomerBody)]
    customer: Lenient<Object<CustomerBody>>,
    /// What is ordered.
    #[schema(value_type = Vec<LineItemBody>, min_items = 1, max_items = 100)]
    line_items: Lenient<Vec<Field<Object<LineItemBody>>>>,
    /// The form of the answer. `normal` is the only one; another value gets it too, with a warning.
    #[schema(value_type = Option<String>)]
    response_type: Lenient<String>,
    /// True runs everything but the storing, and answers the order as it would be.
    #[serde(rename = "dryRun")]
    #[schema(value_type = Option<bool>)]
    dry_run: Lenient<bool>,
}

impl Body for CreateOrder {
    type Draft = OrderDraft;

    fn draft(self, at: &Path<'_>, unknown: &mut Unknown) -> OrderDraft {
        OrderDraft {
            order_id: self.order_id.0,
            email: self.email.0,
            shipping_address_label: Field::Absent,
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
        "id": "0197f3c2-5b0e-7c3a-9d52-000000000001", "serviceOrderId": "DEMO-1", "orderId": "shop-1-8533",
        "billingAddress": {
            "city": "Austin", "country": "United States", "countryCode": "US", "fullName": "Shop Inc."
        },
        "shippingAddress": {
            "address1": "350 5th Ave", "address2": "Floor 21", "city": "New York", "country": "United States",
            "countryCode": "US", "firstName": "Ana", "fullName": "Ana Reyes", "lastName": "Reyes",
            "phone": "+1 212 555 0100", "postcode": "10118", "province": "New York", "provinceCode": "US-NY"
        },
        "customer": { "firstName": "Ana", "lastName": "Reyes", "name": "Ana Reyes" },
        "email": "orders@shop.example", "productionNote": null, "createdAt": "2024-06-08T03:49:12.905Z",
        "updatedAt": "2024-06-08T03:49:12.905Z", "version": 1, "currency": "USD", "priced": true,
        "handleFee": null, "surchargeFee": 3, "otherFee": null, "otherShippingFee": null, "productCost": 17,
        "shippingFee": 5.25, "totalCost": 25.25,
        "feeLines": [
            {
                "type": "product", "itemId": "0197f3c2-5b0e-7c3a-9d52-000000000002", "itemIndex": 0,
                "amount": 17, "currency": "USD", "rule": "TEE-BLACK-M: 2 x 8.50 USD by the catalog"
            },
            {
                "type": "shipping", "itemId": null, "itemIndex": null, "amount": 5.25, "currency": "USD",
                "rule": "Standard to World: 4.00 USD for the first unit and 1 x 1.25 USD for further ones"
            },
            {
                "type": "surcharge", "itemId": "0197f3c2-5b0e-7c3a-9d52-000000000002", "itemIndex": 0,
                "amount": 3, "currency": "USD", "rule": "TEE-BLACK-M: 2 x 1.50 USD for print area Back"
            }
        ],
        "pricedAt": "2024-06-08T03:49:12.905Z",
        "itemStatuses": null, "source": "store",
        "storeId": "0197f3c2-0000-7000-8000-000000000001", "type": "manual", "shipping_address_label": null,
        "childDetails": [
            {
                "id": "0197f3c2-5b0e-7c3a-9d52-000000000002", "name": "Unisex tee", "sku": "TEE-BLACK-M",
                "quantity": 2,
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

/// Create an order
///
/// The order is priced and stored. The same request again answers the stored order with
/// `Already exists`; another request with the same `order_id` is refused.
#[utoipa::path(
    post,
    path = "/app/v1/orders/create",
    operation_id = "createOrder",
    tag = "orders",
    request_body(content = CreateOrder, examples(
        ("A shirt to the United States" = (value = json!({
            "order_id": "shop-1-8533",
            "email": "orders@shop.example",
            "shipping_address": {
                "first_name": "Ana", "last_name": "Reyes", "address1": "350 5th Ave", "address2": "Floor 21",
                "city": "New York", "zip": "10118", "province": "New York", "province_code": "US-NY",
                "country": "United States", "country_code": "US", "phone": "+1 212 555 0100"
            },
            "billing_address": { "name": "Shop Inc.", "city": "Austin", "country_code": "US" },
            "customer": { "first_name": "Ana", "last_name": "Reyes" },
            "line_items": [{
                "name": "Unisex tee", "sku": "TEE-BLACK-M", "quantity": 2, "shipClass": "Standard",
                "fileUrls": ["https://cdn.shop.example/8533/front.png", "https://cdn.shop.example/8533/back.png"],
                "mockupImages": ["https://cdn.shop.example/8533/mockup.jpg"]
            }]
        }))),
        ("As little as possible, to Germany" = (value = json!({
            "order_id": "shop-1-8534",
            "shipping_address": {
                "name": "Jörg Müller", "address1": "Unter den Linden 1", "city": "Berlin", "zip": "10117",
                "country": "Germany", "eur_tax_value": "IM2760000742"
            },
            "customer": { "last_name": "Müller" },
            "line_items": [{ "sku": "MUG-11OZ", "quantity": 1 }]
        })))
    )),
    responses((
        status = 200, description = "The order as it is stored.", body = OrderAnswer<'_>,
        headers((
            "Idempotent-Replayed" = String,
            description = "`true` where the same request created the order before."
        )),
        examples(("A shirt to the United States" = (value = json!(parsed(ANSWER)))))
    ))
)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<CreateOrder>,
) -> Result<HttpResponse, Failure> {
    let Signed {
        store,
        draft,
        unknown,
    } = request;
    if draft.is_dry_run() {
        return match api.services.orders.quote_create(&store, &draft).await {
            Ok(quote) => response::quoted(&quote, unknown),
            Err(error) => Err(Failure::from(error).warned(unknown)),
        };
    }
    match api.services.orders.create(&store, &draft).await {
        Ok(placed) => response::placed(&placed, View::Written, unknown),
        Err(error) => Err(Failure::from(error).warned(unknown)),
    }
}
