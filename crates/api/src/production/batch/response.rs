//! Batches in responses.

use pressline_backoffice::operator::OperatorNames;
use pressline_backoffice::production::{
    BatchHeader, BatchLine, BatchNumber, BatchPage, BatchView, Exclusion, Stamp, StartedBatch,
    Steps,
};
use pressline_domain::id::{ItemId, StoreId};
use pressline_domain::report::Warning;
use pressline_domain::time::Timestamp;
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
    /// Its number.
    #[schema(value_type = String, pattern = "^BATCH-[1-9][0-9]*$")]
    batch: Text<BatchNumber>,
    /// What people call it; null if it has no name.
    #[schema(required)]
    name: Option<&'a str>,
    /// How many items it was made of.
    #[schema(minimum = 1, maximum = 500)]
    item_count: u32,
    /// Whether it is open.
    open: bool,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    created_at: Text<Timestamp>,
    /// The name of the operator who made it.
    #[schema(required)]
    created_by: Option<&'a str>,
    /// When it was started first; null before that.
    #[schema(value_type = Option<String>, format = "date-time", required)]
    started_at: Option<Text<Timestamp>>,
    /// The name of the operator who started it.
    #[schema(required)]
    started_by: Option<&'a str>,
    /// When it was closed; null while it is open.
    #[schema(value_type = Option<String>, format = "date-time", required)]
    closed_at: Option<Text<Timestamp>>,
    /// The name of the operator who closed it.
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
    /// The item's id.
    #[schema(value_type = String, format = "uuid")]
    item_id: Text<ItemId>,
    /// The store.
    #[schema(value_type = String, format = "uuid")]
    store_id: Text<StoreId>,
    /// Why it is not produced: its status, or `removed` if it was removed from its order. Null while it is produced, and
    /// when it has been.
    #[schema(value_type = Option<TakenOutName>, required)]
    taken_out: Option<&'static str>,
    /// The item as it now is; null if it was removed from its order.
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

/// A batch with its items as they are now.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Batch)]
pub(super) struct BatchBody<'a> {
    #[serde(flatten)]
    header: HeaderBody<'a>,
    /// Its items, in the order in which they were given.
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

/// A batch that was started.
#[derive(Serialize, ToSchema)]
#[schema(as = StartedBatch)]
pub(super) struct StartedBody<'a> {
    #[serde(flatten)]
    batch: BatchBody<'a>,
    /// What became of each order, as when orders are moved.
    orders: Vec<MovedResponse>,
}

pub(super) type BatchResponse = ResponseOf<BatchBody<'static>>;
pub(super) type StartedResponse = ResponseOf<StartedBody<'static>>;
pub(super) type BatchesPage = PageOf<HeaderBody<'static>, false>;

/// Returns the response with a batch. `replayed` is true if a command has changed nothing.
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
