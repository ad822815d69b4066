//! Search deliveries.

use pressline_http::CallKind;

use crate::caller::Signed;
use crate::operation::operation;
use crate::request::Request;
use crate::response::{Response, respond};
use crate::webhook::request::{OfStore, SearchDeliveries};
use crate::webhook::response::{self, DeliveryPage};

operation! {
    /// Search deliveries
    ///
    /// Returns a page of the attempts to send events to your endpoints, newest first. They are
    /// stored for 30 days, unless the service is configured otherwise.
    store "searchDeliveries" at "/app/v1/webhooks/deliveries/search";
    tag "webhooks", span "api.webhook.deliveries.search";
    with kind: CallKind::Search;
    errors [OrderNotFound, WebhookNotFound];
    request OfStore<SearchDeliveries>;
    response DeliveryPage: "A page of deliveries.";
    example "Failed deliveries": "../examples/deliveries_search" request response;
}

async fn handle(call: Signed, request: Request<OfStore<SearchDeliveries>>) -> Response {
    let deliveries = &call.api.services.webhooks.deliveries;
    let done = deliveries.search(call.store.as_ref(), &request.draft).await;
    respond(done, request.unknown, response::deliveries)
}
