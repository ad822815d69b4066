//! Create order label: an order that ships with a label the store prepared.

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
    id: "createOrderLabel",
    method: Method::POST,
    path: "/app/v1/orders/create-label",
    aliases: &[],
    access: Access::Signed,
    is_search: false,
    route: || web::post().to(handle),
    document: Document::openapi,
};

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// An order that ships with a label the store prepared.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct CreateOrderLabel {
    /// Your id of the order, unique in the store for ever.
    #[schema(value_type = String, min_length = 1, max_length = 128)]
    order_id: Lenient<String>,
    /// Where the prepared shipping label can be fetched: an http or https URL.
    #[schema(value_type = String, max_length = 2048)]
    shipping_address_label: Lenient<String>,
    /// Your e-mail address.
    #[schema(value_type = Option<String>, max_length = 255)]
    email: Lenient<String>,
    /// Where the order goes, for your own records.
    #[schema(value_type = Option<AddressBody>)]
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

impl Body for CreateOrderLabel {
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
        "id": "0197f3c2-5b0e-7c3a-9d52-000000000005", "serviceOrderId": "DEMO-3", "orderId": "shop-1-8600",
        "billingAddress": { "country": "United States", "countryCode": "US", "fullName": "Shop Inc." },
        "shippingAddress": {
            "address1": "350 5th Ave", "city": "New York", "country": "United States", "country_code": "US",
            "first_name": "Ana", "province": "New York", "province_code": "US-NY", "zip": "10118"
        },
        "customer": { "firstName": "Ana", "lastName": "Reyes", "name": "Ana Reyes" },
        "email": "orders@shop.example", "productionNote": null, "createdAt": "2024-06-08T03:49:12.905Z",
        "updatedAt": "2024-06-08T03:49:12.905Z", "version": 1, "currency": "USD", "priced": true,
        "handleFee": 2.5, "surchargeFee": null, "otherFee": null, "otherShippingFee": null, "productCost": null,
        "shippingFee": null, "totalCost": 2.5,
        "feeLines": [
            {
                "type": "handling", "itemId": null, "itemIndex": null, "amount": 2.5, "currency": "USD",
                "rule": "Label handling: 2.50 USD an order"
            }
        ],
        "pricedAt": "2024-06-08T03:49:12.905Z",
        "itemStatuses": null, "source": "store",
        "storeId": "0197f3c2-0000-7000-8000-000000000001", "type": "label",
        "shipping_address_label": "https://labels.shop.example/8600.pdf",
        "childDetails": [
            {
                "id": "0197f3c2-5b0e-7c3a-9d52-000000000006", "name": "Mug 11oz", "sku": "MUG-11OZ",
                "quantity": 1,
                "files": [
                    {
                        "id": "wrap", "name": "Wrap", "size": "38x48 cm",
                        "note": "PNG, 300 dpi, sRGB, at most 100 MB", "sizeWidth": "4500", "sizeHeight": "5400",
                        "requirement": "base_belongs", "requireFor": [], "extraFee": "0",
                        "fileUrl": ["https://cdn.shop.example/8600/wrap.png"], "thumbnailFileUrl": [],
                        "personalizedDataFileUrl": null
                    }
                ],
                "mockupImages": ["https://cdn.shop.example/8600/mockup.jpg"], "thumbnailMockupImages": null,
                "status": null, "sellerCost": 4.25, "refId": "line-1"
            }
        ]
    }
}"#;

/// Create an order with a prepared shipping label
///
/// As create order, but the store provides the shipping label: the order costs a handling fee, and
/// its answer spells `shippingAddress` with the keys of requests.
#[utoipa::path(
    post,
    path = "/app/v1/orders/create-label",
    operation_id = "createOrderLabel",
    tag = "orders",
    request_body(content = CreateOrderLabel, examples(
        ("A mug with a label" = (value = json!({
            "order_id": "shop-1-8600",
            "shipping_address_label": "https://labels.shop.example/8600.pdf",
            "email": "orders@shop.example",
            "shipping_address": {
                "first_name": "Ana", "address1": "350 5th Ave", "city": "New York", "zip": "10118",
                "province_code": "NY", "country": "United States"
            },
            "billing_address": { "name": "Shop Inc.", "country_code": "US" },
            "customer": { "first_name": "Ana", "last_name": "Reyes" },
            "line_items": [{
                "name": "Mug 11oz", "sku": "MUG-11OZ", "quantity": 1, "refId": "line-1",
                "fileUrls": ["https://cdn.shop.example/8600/wrap.png"],
                "mockupImages": ["https://cdn.shop.example/8600/mockup.jpg"]
            }],
            "response_type": "normal"
        })))
    )),
    responses((
        status = 200, description = "The order as it is stored.", body = OrderAnswer<'_>,
        headers((
            "Idempotent-Replayed" = String,
            description = "`true` where the same request created the order before."
        )),
        examples(("A mug with a label" = (value = json!(parsed(ANSWER)))))
    ))
)]
pub(crate) async fn handle(
    api: web::Data<Api>,
    request: Signed<CreateOrderLabel>,
) -> Result<HttpResponse, Failure> {
    let Signed {
        store,
        draft,
        unknown,
    } = request;
    if draft.is_dry_run() {
        return match api.services.orders.quote_label(&store, &draft).await {
            Ok(quote) => response::quoted(&quote, unknown),
            Err(error) => Err(Failure::from(error).warned(unknown)),
        };
    }
    match api.services.orders.create_label(&store, &draft).await {
        Ok(placed) => response::placed(&placed, View::LabelWritten, unknown),
        Err(error) => Err(Failure::from(error).warned(unknown)),
    }
}
