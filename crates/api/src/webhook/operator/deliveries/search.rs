//! Search deliveries, by an operator.

use pressline_http::CallKind;

use crate::caller::ByOperator;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::request::SearchDeliveries;
use crate::webhook::response::{self, DeliveryPage};

operation! {
    /// Search deliveries
    ///
    /// Returns a page of the attempts to send events to the endpoints of the print shop, or of the
    /// store `storeId`, newest first. They are stored for 30 days, unless the service is configured
    /// otherwise.
    operator "searchDeliveries" at "/admin/v1/webhooks/deliveries/search";
    tag "webhooks", span "api.webhook.deliveries.search";
    with kind: CallKind::Search;
    errors [OrderNotFound, StoreNotFound, WebhookNotFound];
    request SearchDeliveries;
    response DeliveryPage: "A page of deliveries.";
    example "Failed deliveries": "../../examples/operator_deliveries_search" request response;
}

async fn handle(call: ByOperator, request: Request<SearchDeliveries>) -> Response {
    let deliveries = &call.api.services.webhooks.deliveries;
    let done = deliveries
        .search(&call.caller.operator, &request.draft)
        .await;
    respond(done, request.unknown, response::deliveries)
}
