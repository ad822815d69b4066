//! Search deliveries.

use pressline_backoffice::webhook::DeliveryDraft;
use pressline_http::CallKind;

use crate::json::Body;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::caller::WebhookCall;
use crate::webhook::request::{OfStore, SearchDeliveries};
use crate::webhook::response::{self, DeliveryPage};

operation! {
    /// Search deliveries
    ///
    /// Returns a page of the attempts to send events to your endpoints, newest first. Attempts are
    /// stored for 30 days, unless the service is configured otherwise.
    store "searchDeliveries" at "/app/v1/webhooks/deliveries/search";
    tag "webhooks", span "api.webhook.deliveries.search";
    with kind: CallKind::Search;
    errors [OrderNotFound, WebhookNotFound];
    request OfStore<SearchDeliveries>;
    response DeliveryPage: "A page of deliveries.";
    example "Failed deliveries": "../examples/deliveries_search" request response;
}

operation! {
    const FOR_OPERATORS;
    /// Search deliveries
    ///
    /// Returns a page of the attempts to send events to the endpoints of the print shop, or of the
    /// store `storeId`, newest first. Attempts are stored for 30 days, unless the service is
    /// configured otherwise.
    operator "searchDeliveries" at "/admin/v1/webhooks/deliveries/search";
    tag "webhooks", span "api.webhook.deliveries.search";
    with kind: CallKind::Search;
    errors [OrderNotFound, StoreNotFound, WebhookNotFound];
    request SearchDeliveries;
    response DeliveryPage: "A page of deliveries.";
    example "Failed deliveries": "../examples/operator_deliveries_search" request response;
}

async fn handle(
    call: impl WebhookCall,
    request: Request<impl Body<Draft = DeliveryDraft>>,
) -> Response {
    let deliveries = call.services().deliveries;
    let done = deliveries.search(call.caller(), &request.draft).await;
    respond(done, request.unknown, response::deliveries)
}
