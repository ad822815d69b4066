//! Orders and items of a page to print: orders named in its query, orders of a batch, or the oldest
//! matches of the queue's filters.

use std::collections::BTreeSet;

use pressline_backoffice::operator::Paper;
use pressline_backoffice::production::{
    BatchHeader, BatchNameDraft, BatchView, ProducedItem, QueuedItem,
};
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::Order;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use crate::shell::filter::queue::first_items;
use crate::shell::list;
use crate::shell::paths::print::{BATCH, ORDER};
use crate::shell::{Result, SignedInRequest};

/// Maximum number of orders or items on a page to print.
pub(super) const MAX_PRINTED: usize = 500;

pub(super) struct Items {
    pub(super) items: Vec<ProducedItem>,
    pub(super) batch: Option<BatchHeader>,
    pub(super) has_more: bool,
}

pub(super) struct Orders {
    pub(super) orders: Vec<Order>,
    pub(super) has_more: bool,
}

fn named(visit: &SignedInRequest) -> Result<BTreeSet<String>> {
    let names: BTreeSet<String> = visit
        .query()
        .all(ORDER)
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect();
    if names.len() > MAX_PRINTED {
        let message = format!("order: at most {MAX_PRINTED} orders on a page");
        return Err(RequestError::new(Code::ValidationFailed, message));
    }
    Ok(names)
}

/// Returns the items to print: all items of a batch that are not excluded. Without a batch, returns
/// up to [`MAX_PRINTED`] items of orders or the queue, if they are ready or in production.
pub(super) async fn items(visit: &SignedInRequest) -> Result<Items> {
    if let Some(batch) = batch(visit).await? {
        let produced = batch
            .lines
            .into_iter()
            .filter(|line| line.taken_out().is_none());
        let items = produced.filter_map(|line| line.item).map(|item| *item);
        return Ok(Items {
            items: items.collect(),
            batch: Some(batch.header),
            // A batch has at most 500 items, so all fit on the page.
            has_more: false,
        });
    }
    let names = named(visit)?;
    let production = &visit.services().production;
    let (mut items, mut has_more) = (Vec::new(), false);
    if names.is_empty() {
        let (queue_items, more) = first_items(visit, MAX_PRINTED).await?;
        let queued = production.of_queue(list::page(queue_items, None)).await?;
        items.extend(queued.entries.into_iter().filter_map(produced));
        has_more = more;
    }
    for name in names {
        let name = name.as_str().into();
        let order_production = production.of_order(visit.operator(), &name).await?;
        items.extend(order_production.items);
    }
    // An order also has finished items, and items that nobody should produce now.
    items.retain(|item| is_produced(item.state.status));
    has_more |= items.len() > MAX_PRINTED;
    items.truncate(MAX_PRINTED);
    Ok(Items {
        items,
        batch: None,
        has_more,
    })
}

pub(super) async fn orders(visit: &SignedInRequest) -> Result<Orders> {
    let names = match batch(visit).await? {
        Some(batch) => of_batch(&batch),
        None => named(visit)?,
    };
    let (mut orders, mut has_more): (Vec<Order>, bool) = (Vec::new(), false);
    // A batch without items left must print nothing, and not the oldest items of the queue.
    if names.is_empty() && visit.query().get(BATCH).is_empty() {
        let (queue_items, more) = first_items(visit, MAX_PRINTED).await?;
        for item in queue_items {
            let id = item.order.content.id;
            // Items of an order are adjacent.
            if orders.last().is_none_or(|last| last.content.id != id) {
                orders.push(item.order);
            }
        }
        has_more = more;
    }
    for name in names {
        orders.push(visit.order(name.as_str()).await?);
    }
    Ok(Orders { orders, has_more })
}

async fn batch(visit: &SignedInRequest) -> Result<Option<BatchView>> {
    let name = visit.query().text(BATCH);
    if name.is_absent() {
        return Ok(None);
    }
    let draft = BatchNameDraft { batch: name };
    let production = &visit.services().production;
    let batch = production.get_batch(visit.operator(), &draft).await?;
    Ok(Some(batch))
}

/// Returns the order numbers of the items in `batch`, without excluded items.
fn of_batch(batch: &BatchView) -> BTreeSet<String> {
    let lines = batch.lines.iter();
    let produced = lines.filter(|line| line.taken_out().is_none());
    let items = produced.filter_map(|line| line.item.as_ref());
    items.map(|item| item.order.to_string()).collect()
}

pub(super) fn is_produced(status: ItemStatus) -> bool {
    matches!(status, ItemStatus::Ready | ItemStatus::InProduction)
}

fn produced(queued: QueuedItem) -> Option<ProducedItem> {
    let QueuedItem {
        found: queue_item,
        production,
    } = queued;
    let (line, state) = queue_item.item()?;
    Some(ProducedItem::new(
        &queue_item.order,
        line,
        state,
        production,
    ))
}

const PAPER: &str = "paper";

/// Paper of the sheets to print, and controls above the sheets. The controls are not printed.
pub(super) struct Sheets {
    pub(super) class: &'static str,
    /// Paper name, URL of the page on this paper, and whether it is the current paper.
    pub(super) papers: Vec<(&'static str, String, bool)>,
    /// Reason why the page lacks some of the requested sheets.
    pub(super) limit: String,
}

impl Sheets {
    /// Returns `validation_failed` if the query names an unknown paper. `has_more` is true if the
    /// page lacks requested sheets.
    pub(super) fn from_request(
        visit: &SignedInRequest,
        path: &str,
        has_more: bool,
    ) -> Result<Self> {
        let asked = visit.query().get(PAPER);
        let known_paper = match asked {
            "" => Some(visit.session.signed_in.preferences.paper),
            name => Paper::from_name(name),
        };
        let paper = known_paper.ok_or_else(|| {
            let names = Paper::ALL.map(Paper::as_str).join(", ");
            RequestError::new(Code::ValidationFailed, format!("paper: not one of {names}"))
        })?;
        let others = visit.query().without(&[PAPER]);
        let papers = Paper::ALL.map(|other| {
            let address = others.clone().with(PAPER, other.as_str()).address(path);
            (name_and_class(other).0, address, other == paper)
        });
        Ok(Self {
            class: name_and_class(paper).1,
            papers: papers.into(),
            limit: match has_more {
                true => format!("These are the first {MAX_PRINTED}: choose fewer for the others."),
                false => String::new(),
            },
        })
    }
}

fn name_and_class(paper: Paper) -> (&'static str, &'static str) {
    match paper {
        Paper::A4 => ("A4", "a4"),
        Paper::Letter => ("Letter", "letter"),
        Paper::Label => ("4 x 6 in", "label"),
    }
}
