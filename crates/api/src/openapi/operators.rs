//! The OpenAPI document for operators.

use pressline_http::health;
use pressline_http::problem::{ErrorBody, Problem};
use utoipa::OpenApi as _;
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Components, OpenApi, RefOr};
use utoipa::{PartialSchema as _, ToSchema as _};

use super::describe::describe;
use super::requests::OR_BLANK;
use super::rules;
use super::security::add_token;
use super::values::nullable_text;
use crate::operations::of_operators;
use crate::order::request::UpdateOrder;
use crate::schema::OperatorActionName;

const DESCRIPTION: &str = "\
For the operators of the print shop, on a listener of their own. Every operation is a POST with a JSON object.

**Token.** `Authorization: Bearer plo_…`, from `pressline operator create`. The role that the security of an operation \
names is the least one that may call it; viewer, operator and admin each include the one before. What is outside the \
stores that an operator is bound to is not found.

**Orders** are named by `order_id`, which is the service's order number, whose prefix names the store, or the order's \
`id`. A number that is also a store's own id of another order is refused with `ambiguous_order_id` by calls that \
change the order; its `id` is never ambiguous here. The schemas of orders are those of the API for stores.

**Errors, fields and texts** are treated as in the API for stores.";

/// Pattern of an order number, such as `SUN-12`, with up to 18 digits, which fit into an `i64`; or of
/// the id of an order.
const NUMBER_OR_ID: &str =
    r"^\s*([A-Z0-9]{1,12}-[1-9][0-9]{0,17}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})\s*$";

#[derive(utoipa::OpenApi)]
#[openapi(
    info(title = "Pressline for operators", version = "1", description = DESCRIPTION, contact(name = "The operator of this service"), license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")),
    servers((url = "/")),
    paths(health::live, health::ready),
    components(schemas(ErrorBody<'_>, Problem<'_>)),
    tags((name = "queue", description = "Items of all stores"), (name = "orders", description = "Orders of all stores"), (name = "shipments", description = "Parcels and their tracking"), (name = "production", description = "Progress of items in production"), (name = "batches", description = "Items that are produced together"), (name = "reports", description = "Statistics of orders"), (name = "catalog", description = "Products, prices, shipping rates and fees"), (name = "stores", description = "Stores and their keys"), (name = "webhooks", description = "Webhook endpoints and their deliveries"), (name = "health", description = "Probes"))
)]
struct Document;

/// Returns the OpenAPI document of all operations for operators.
pub fn operator_openapi() -> OpenApi {
    let mut document = Document::openapi();
    describe(&mut document, of_operators());
    let components = document.components.get_or_insert_default();
    // Order schemas are the same as for stores, except for the actions that the caller may take.
    let actions = (
        OperatorActionName::name().into_owned(),
        OperatorActionName::schema(),
    );
    components.schemas.extend([actions]);
    name_orders_by_number(components);
    require_of_update(components);
    add_token(components);
    rules::add_rules(&mut document, of_operators());
    document
}

/// Restricts `order_id` to the service's order number or id, also in schemas that stores share.
fn name_orders_by_number(components: &mut Components) {
    for schema in components.schemas.values_mut() {
        let RefOr::T(Schema::Object(body)) = schema else {
            continue;
        };
        if let Some(RefOr::T(Schema::Object(order_id))) = body.properties.get_mut("order_id") {
            let number =
                "The service's number of the order, whose prefix names the store, or its `id`.";
            order_id.description = Some(number.to_owned());
            // A nullable `order_id` may be blank, because a blank string counts as absent.
            let is_nullable = order_id.schema_type == nullable_text();
            let blank = if is_nullable { OR_BLANK } else { "" };
            order_id.pattern = Some(format!("{blank}{NUMBER_OR_ID}"));
        }
    }
}

/// Makes only `order_id` and `reason` required, because absent fields remain unchanged.
fn require_of_update(components: &mut Components) {
    let update = components.schemas.get_mut(UpdateOrder::name().as_ref());
    if let Some(RefOr::T(Schema::Object(update))) = update {
        update.required = ["order_id", "reason"].map(str::to_owned).to_vec();
    }
}
