//! Batches in responses.

use pressline_backoffice::operator::OperatorNames;
use pressline_backoffice::production::{
    BatchHeader, BatchLine, BatchNumber, BatchPage, BatchView, Exclusion, Stamp, StartedBatch,
    Steps,
};
use pressline_domain::check::report::Warning;
use pressline_domain::value::id::{ItemId, StoreId};
use pressline_domain::value::time::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::response::ProducedBody;
use crate::order::operator::MovedResponse;
use crate::response::page::{PageOf, PageResponse};
use crate::response::single::{Envelope, ResponseOf};
use crate::response::text::Text;
use crate::response::{Response, already_so, json};
use crate::schema::TakenOutName;

/// A batch, without its items.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BatchHeader)]
#[serde(rename_all = "camelCase")]
pub(super) struct HeaderBody<'a> {
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
pub(super) struct BatchBody<'a> {
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
pub(super) struct StartedBody<'a> {
    #[serde(flatten)]
    batch: BatchBody<'a>,
    /// Result for each order, as in `orders/move`.
    orders: Vec<MovedResponse>,
}

pub(super) type BatchResponse = ResponseOf<BatchBody<'static>>;
pub(super) type StartedResponse = ResponseOf<StartedBody<'static>>;
pub(super) type BatchesPage = PageOf<HeaderBody<'static>, false>;

/// `replayed` is `true` if the command changed nothing.
pub(super) fn batch(
    view: &BatchView,
    replayed: bool,
    steps: &Steps,
    unknown: Vec<Warning>,
) -> Response {
    let warnings = view.warnings.iter().cloned().chain(unknown).collect();
    let body = BatchBody::new(view, steps);
    match replayed {
        true => already_so(body, warnings),
        false => json(&Envelope::new("OK", body, warnings)),
    }
}

pub(super) fn started(started: StartedBatch, steps: &Steps, unknown: Vec<Warning>) -> Response {
    let body = StartedBody {
        batch: BatchBody::new(&started.batch, steps),
        orders: started.orders.into_iter().map(Into::into).collect(),
    };
    match started.replayed {
        true => already_so(body, unknown),
        false => json(&Envelope::new("OK", body, unknown)),
    }
}

pub(super) fn page(found: &BatchPage, unknown: Vec<Warning>) -> Response {
    let BatchPage { page, names } = found;
    let headers = page.entries.iter();
    let headers = headers.map(|header| HeaderBody::new(header, names));
    json(&PageResponse::new(page, headers.collect(), None, unknown))
}
