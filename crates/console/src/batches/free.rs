//! Items that a batch can have: those that are ready or in production, and in no open batch.

use std::future::Future;

use pressline_domain::field::Field;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::limits;
use pressline_domain::order::queue::QueueDraft;
use pressline_domain::page::{Page, PageDraft};
use pressline_domain::production::QueuedItem;
use pressline_http::request_error::RequestError;

use crate::order::filter::stores_draft;
use crate::queue;
use crate::visit::Visit;

/// Maximum number of pages read: 10,000 items.
const PAGES: usize = 100;
/// Items per page.
const PAGE: i64 = 100;

/// Item codes that a batch can have, oldest orders first.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Free {
    pub(super) codes: Vec<String>,
    /// Number of items before the last of `codes` that a batch cannot have.
    pub(super) left_out: usize,
}

/// Oldest first, up to the size of a batch.
pub(super) async fn ready_of(visit: &Visit, sku: &str) -> Result<Free, RequestError> {
    let read = |paging| async move {
        let draft = QueueDraft {
            statuses: Field::Value(vec![ItemStatus::Ready.as_str().into()]),
            stores: stores_draft(visit.query()),
            sku: sku.into(),
            paging,
            ..QueueDraft::default()
        };
        queue::with_production(visit, &draft).await
    };
    first(read).await
}

pub(super) async fn matching(visit: &Visit) -> Result<Free, RequestError> {
    first(|paging| queue::queued(visit, paging)).await
}

async fn first<F>(read: impl Fn(PageDraft) -> F) -> Result<Free, RequestError>
where
    F: Future<Output = Result<Page<QueuedItem>, RequestError>>,
{
    let mut free = Free::default();
    let mut paging = PageDraft {
        size: PAGE.into(),
        ..PageDraft::default()
    };
    for _ in 0..PAGES {
        let page = read(paging.clone()).await?;
        for item in &page.entries {
            if free.codes.len() == limits::BATCH_ITEMS {
                return Ok(free);
            }
            match code_if_free(item) {
                Some(code) => free.codes.push(code),
                None => free.left_out += 1,
            }
        }
        match page.next_cursor {
            Some(cursor) => paging.cursor = cursor.into(),
            None => break,
        }
    }
    Ok(free)
}

fn code_if_free(item: &QueuedItem) -> Option<String> {
    let (_, state) = item.found.item()?;
    let is_producible = matches!(state.status, ItemStatus::Ready | ItemStatus::InProduction);
    let is_free = is_producible && item.production.batch.is_none();
    is_free.then(|| state.code(&item.found.order.service_order_id))
}
