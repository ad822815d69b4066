//! Count the queue: the number of items in each status.

use pressline_backoffice::queue::StoresDraft;
use pressline_domain::check::field::Field;
use pressline_http::CallKind;
use serde::Deserialize;
use utoipa::ToSchema;

use super::response::{self, CountsBody};
use crate::caller::ByOperator;
use crate::json::{Lenient, body};
use crate::operation::operation;
use crate::request::Request;
use crate::response::single::ResponseOf;
use crate::response::{Response, respond};

operation! {
    /// Count the queue
    ///
    /// Returns the number of items in each status, in all stores that you have access to, or only
    /// in `stores`.
    operator "countQueue" at "/admin/v1/queue/counts";
    tag "queue", span "api.queue.counts";
    with kind: CallKind::Search;
    request CountQueue;
    response CountsResponse: "The number of items in each status.";
    example "Counts of all stores": "examples/counts" request response;
}

type CountsResponse = ResponseOf<CountsBody>;

/// Query for the number of items in each status. Every field is optional.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct CountQueue {
    /// Ids of stores. Empty for all stores that you have access to.
    #[schema(value_type = Option<Vec<String>>)]
    stores: Lenient<Vec<Field<String>>>,
    /// `true` to include orders of test stores; default `false`.
    #[schema(value_type = Option<bool>)]
    test: Lenient<bool>,
}

body! { CountQueue => StoresDraft { ids = stores, test } }

async fn handle(call: ByOperator, request: Request<CountQueue>) -> Response {
    let operator = &call.caller.operator;
    let counted = call
        .api
        .services
        .queue
        .counts(operator, &request.draft)
        .await;
    respond(counted, request.unknown, response::counts)
}
