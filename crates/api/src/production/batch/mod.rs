//! Operations on batches, for operators.

use pressline_backoffice::operator::OperatorNames;
use pressline_backoffice::production::{
    BatchDraft, BatchHeader, BatchLine, BatchNameDraft, BatchNumber, BatchPage, BatchView,
    BatchesDraft, Exclusion, Stamp, StartedBatch, Steps,
};
use pressline_domain::check::{Field, Warning};
use pressline_domain::value::page::PageDraft;
use pressline_domain::value::{ItemId, StoreId, Timestamp};
use pressline_http::CallKind;
use serde::Serialize;
use utoipa::ToSchema;

use super::response::ProducedBody;
use crate::caller::ByOperator;
use crate::json::bodies;
use crate::operation::operations;
use crate::order::operator::MovedResponse;
use crate::request::Request;
use crate::response::{
    PageOf, PageResponse, Response, ResponseOf, Text, json, ok_or_unchanged, respond,
};
use crate::schema::TakenOutName;

operations! {
    const OPERATIONS;

    /// Create a batch
    ///
    /// Creates a batch of 1 to 500 items that are `ready` or `in-production`, and are in no other
    /// open batch; if one item is not eligible, no batch is created. The items remain unchanged
    /// until the batch is started.
    operator "createBatch" at "/admin/v1/batches/create";
    tag "batches", span "api.batch.create", handler create;
    with kind: CallKind::Large;
    errors [UnknownItem, IllegalTransition, ItemInBatch];
    request CreateBatch;
    response BatchResponse: "The batch.";
    example "A batch of one item": "examples/create" request response;

    /// Get a batch
    ///
    /// Returns a batch with its items as they are now. It still lists items that are no longer
    /// produced, such as held or cancelled items; their `takenOut` has the reason. Operators with
    /// access to only some stores find only batches without items of other stores.
    operator "getBatch" at "/admin/v1/batches/get";
    tag "batches", span "api.batch.get", handler get;
    with kind: CallKind::Large;
    errors [BatchNotFound];
    request BatchName;
    response BatchResponse: "The batch.";
    example "By its number": "examples/get" request response;

    /// Search batches
    ///
    /// Returns a page of batches, newest first, without their items.
    operator "searchBatches" at "/admin/v1/batches/search";
    tag "batches", span "api.batch.search", handler search;
    with kind: CallKind::Search;
    request SearchBatches;
    response PageOf<HeaderBody<'static>, false>: "A page of batches.";
    example "Open batches": "examples/search" request response;

    /// Start a batch
    ///
    /// Starts the items of a batch that are `ready`. Each order is moved independently, and has a
    /// result as in `orders/move`; a refusal does not affect other orders. A repeated call starts
    /// items that have become `ready` since the previous call.
    operator "startBatch" at "/admin/v1/batches/start";
    tag "batches", span "api.batch.start", handler start;
    with kind: CallKind::Large;
    errors [BatchNotFound, BatchClosed];
    request BatchName;
    response ResponseOf<StartedBody<'static>>: "The batch, and what became of each order.";
    example "By its number": "examples/start" request response;

    /// Close a batch
    ///
    /// Closes a batch, whatever the status of its items. Afterwards, the items can be added to
    /// other batches.
    operator "closeBatch" at "/admin/v1/batches/close";
    tag "batches", span "api.batch.close", handler close;
    with kind: CallKind::Large;
    errors [BatchNotFound];
    request BatchName;
    response BatchResponse: "The batch.";
    example "By its number": "examples/close" request response;
}

async fn create(call: ByOperator, request: Request<CreateBatch>) -> Response {
    let production = &call.api.services.production;
    let (operator, by) = (&call.caller.operator, call.by());
    let created = production.create_batch(operator, &request.draft, &by).await;
    respond(created, request.unknown, |created, unknown| {
        batch(&created, false, &production.steps, unknown)
    })
}

async fn get(call: ByOperator, request: Request<BatchName>) -> Response {
    let production = &call.api.services.production;
    let result = production
        .get_batch(&call.caller.operator, &request.draft)
        .await;
    respond(result, request.unknown, |batch_view, unknown| {
        batch(&batch_view, false, &production.steps, unknown)
    })
}

async fn search(call: ByOperator, request: Request<SearchBatches>) -> Response {
    let production = &call.api.services.production;
    let operator = &call.caller.operator;
    let result = production.search_batches(operator, &request.draft).await;
    respond(result, request.unknown, |batch_page, unknown| {
        page(&batch_page, unknown)
    })
}

async fn start(call: ByOperator, request: Request<BatchName>) -> Response {
    let production = &call.api.services.production;
    let (operator, by) = (&call.caller.operator, call.by());
    let result = production.start_batch(operator, &request.draft, &by).await;
    respond(result, request.unknown, |outcome, unknown| {
        started(outcome, &production.steps, unknown)
    })
}

async fn close(call: ByOperator, request: Request<BatchName>) -> Response {
    let production = &call.api.services.production;
    let closed = production
        .close_batch(&call.caller.operator, &request.draft)
        .await;
    respond(closed, request.unknown, |(closed, replayed), unknown| {
        batch(&closed, replayed, &production.steps, unknown)
    })
}

bodies! {
    /// A batch to create.
    pub(crate) struct CreateBatch {
        /// Codes of the items, each once, in the order of their production.
        items: Vec<String> [min_items = 1, max_items = 500],
        /// Name of the batch, for people.
        name: Option<String> [max_length = 255],
    }
    draft BatchDraft

    /// Reference to a batch.
    pub(crate) struct BatchName {
        /// Number of the batch, with or without `BATCH-`.
        batch: String,
    }
    draft BatchNameDraft

    /// Search for batches. Every field is optional; `{}` finds all batches.
    pub(crate) struct SearchBatches {
        /// `true` for open batches, `false` for closed batches; if absent, both.
        open: Option<bool>,
        /// Number of batches per page; default `20`.
        size: Option<i64> [minimum = 1, maximum = 100],
        /// The `nextCursor` of the previous page, to read the next page. `open` must be the same.
        cursor: Option<String>,
    }
    draft BatchesDraft {
        open,
        paging: PageDraft { page: Field::Absent, size, cursor },
    }
}

/// A batch, without its items.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BatchHeader)]
#[serde(rename_all = "camelCase")]
struct HeaderBody<'a> {
    /// Number of the batch, such as `BATCH-12`.
    #[schema(value_type = String, pattern = "^BATCH-[1-9][0-9]*$")]
    batch: Text<BatchNumber>,
    /// Name for people; `null` if the batch has no name.
    #[schema(required)]
    name: Option<&'a str>,
    /// Number of items when the batch was created.
    #[schema(minimum = 1, maximum = 500)]
    item_count: u32,
    /// Whether the batch is open.
    open: bool,
    /// Time of creation.
    #[schema(value_type = String, format = "date-time")]
    created_at: Text<Timestamp>,
    /// Name of the operator who created the batch; `null` if unknown.
    #[schema(required)]
    created_by: Option<&'a str>,
    /// Time of the first start; `null` before.
    #[schema(value_type = Option<String>, format = "date-time", required)]
    started_at: Option<Text<Timestamp>>,
    /// Name of the operator who started the batch; `null` before the start.
    #[schema(required)]
    started_by: Option<&'a str>,
    /// Time of closing; `null` while the batch is open.
    #[schema(value_type = Option<String>, format = "date-time", required)]
    closed_at: Option<Text<Timestamp>>,
    /// Name of the operator who closed the batch; `null` while it is open.
    #[schema(required)]
    closed_by: Option<&'a str>,
}

impl<'a> HeaderBody<'a> {
    fn new(header: &'a BatchHeader, names: &'a OperatorNames) -> Self {
        let at = |stamp: Option<Stamp>| stamp.map(|stamp| Text(stamp.at));
        let by = |stamp: Option<Stamp>| Some(names.get(&stamp?.by)?.as_str());
        Self {
            batch: Text(header.number),
            name: header.name.as_deref(),
            item_count: header.item_count,
            open: header.is_open(),
            created_at: Text(header.created.at),
            created_by: by(Some(header.created)),
            started_at: at(header.started),
            started_by: by(header.started),
            closed_at: at(header.closed),
            closed_by: by(header.closed),
        }
    }
}

/// An item of a batch.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BatchItem)]
#[serde(rename_all = "camelCase")]
struct LineBody<'a> {
    /// Id of the item.
    #[schema(value_type = String, format = "uuid")]
    item_id: Text<ItemId>,
    /// Id of the item's store.
    #[schema(value_type = String, format = "uuid")]
    store_id: Text<StoreId>,
    /// Reason why the item is excluded from production: its status, or `removed` if the order no
    /// longer contains it. `null` if the item is ready, in production or sent.
    #[schema(value_type = Option<TakenOutName>, required)]
    taken_out: Option<&'static str>,
    /// The item as it is now; `null` if its order no longer contains it.
    #[schema(required)]
    item: Option<ProducedBody<'a>>,
}

impl<'a> LineBody<'a> {
    fn new(line: &'a BatchLine, steps: &'a Steps) -> Self {
        Self {
            item_id: Text(line.place.item),
            store_id: Text(line.place.store),
            taken_out: line.taken_out().map(Exclusion::as_str),
            item: line
                .item
                .as_deref()
                .map(|item| ProducedBody::new(item, steps)),
        }
    }
}

/// A batch with the current state of its items.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Batch)]
struct BatchBody<'a> {
    #[serde(flatten)]
    header: HeaderBody<'a>,
    /// Items of the batch, in the order of the create call.
    items: Vec<LineBody<'a>>,
}

impl<'a> BatchBody<'a> {
    fn new(view: &'a BatchView, steps: &'a Steps) -> Self {
        let lines = view.lines.iter();
        Self {
            header: HeaderBody::new(&view.header, &view.names),
            items: lines.map(|line| LineBody::new(line, steps)).collect(),
        }
    }
}

/// A started batch.
#[derive(Serialize, ToSchema)]
#[schema(as = StartedBatch)]
struct StartedBody<'a> {
    #[serde(flatten)]
    batch: BatchBody<'a>,
    /// Result for each order, as in `orders/move`.
    orders: Vec<MovedResponse>,
}

type BatchResponse = ResponseOf<BatchBody<'static>>;

/// Responds with the batch in `view`. `replayed` is `true` if the command changed nothing.
fn batch(view: &BatchView, replayed: bool, steps: &Steps, unknown: Vec<Warning>) -> Response {
    let warnings = view.warnings.iter().cloned().chain(unknown).collect();
    let body = BatchBody::new(view, steps);
    ok_or_unchanged(body, replayed, warnings)
}

fn started(started: StartedBatch, steps: &Steps, unknown: Vec<Warning>) -> Response {
    let body = StartedBody {
        batch: BatchBody::new(&started.batch, steps),
        orders: started.orders.into_iter().map(Into::into).collect(),
    };
    ok_or_unchanged(body, started.replayed, unknown)
}

fn page(batch_page: &BatchPage, unknown: Vec<Warning>) -> Response {
    let BatchPage { page, names } = batch_page;
    let headers = page
        .entries
        .iter()
        .map(|header| HeaderBody::new(header, names));
    json(&PageResponse::new(page, headers.collect(), None, unknown))
}
