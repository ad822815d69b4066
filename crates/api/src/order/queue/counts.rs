//! Count the queue: the number of items in each status.

use actix_web::{HttpResponse, web};
use pressline_domain::field::Field;
use pressline_domain::order::queue::{CountsDraft, StoresDraft};
use pressline_domain::report::Path;
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;
use serde::Deserialize;
use utoipa::{OpenApi, ToSchema};

use super::response::{self, CountsBody};
use crate::OperatorApi;
use crate::json::{Body, Lenient, Unknown};
use crate::operation::{Example, Operation};
use crate::operator::ByOperator;
use crate::response::respond;
use crate::response::single::ResponseOf;

pub(crate) const OPERATION: Operation = Operation {
    kind: CallKind::Search,
    examples: &[Example {
        title: "Of all stores",
        request: include_str!("examples/counts.request.json"),
        response: Some(include_str!("examples/counts.response.json")),
    }],
    ..Operation::of_operators(
        "countQueue",
        "/admin/v1/queue/counts",
        || web::post().to(handle),
        Document::openapi,
    )
};

type CountsResponse = ResponseOf<CountsBody>;

#[derive(OpenApi)]
#[openapi(paths(handle))]
struct Document;

/// The stores whose items are counted.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct CountQueue {
    /// Ids of stores. Empty for all that you reach.
    #[schema(value_type = Option<Vec<String>>)]
    stores: Lenient<Vec<Field<String>>>,
    /// True to include the orders of test stores. They are left out otherwise.
    #[schema(value_type = Option<bool>)]
    test: Lenient<bool>,
}

impl Body for CountQueue {
    type Draft = CountsDraft;

    fn draft(self, _at: &Path<'_>, _unknown: &mut Unknown) -> CountsDraft {
        CountsDraft {
            stores: StoresDraft {
                ids: self.stores.0,
                test: self.test.0,
            },
        }
    }
}

/// Count the queue
///
/// Returns the number of items in each of the statuses, of all orders that you reach.
#[utoipa::path(
    post,
    path = "/admin/v1/queue/counts",
    operation_id = "countQueue",
    tag = "queue",
    request_body(content = CountQueue),
    responses((status = 200, description = "The number of items in each status.", body = CountsResponse))
)]
#[tracing::instrument(name = "api.queue.counts", skip_all)]
pub(crate) async fn handle(
    api: web::Data<OperatorApi>,
    request: ByOperator<CountQueue>,
) -> Result<HttpResponse, RequestError> {
    let operator = &request.caller.operator;
    let counted = api.services.queue.counts(operator, &request.draft).await;
    respond(counted, request.unknown, response::counts)
}
