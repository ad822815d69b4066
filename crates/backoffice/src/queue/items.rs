//! Search for waiting items, and for whole orders with a matching item.

use super::draft::{QueueDraft, QueueFilter, ValidQueue};
use super::{CrossStoreQuery, Direction, QueueService};
use crate::operator::Operator;
use pressline_domain::check::Report;
use pressline_domain::fulfilment::ItemState;
use pressline_domain::order::{LineItem, Order, OrderError};
use pressline_domain::store::StoreSet;
use pressline_domain::value::OrderId;
use pressline_domain::value::page::{CursorKey, Page, Window};
use pressline_kit::words::{SearchKey, WordSet};

type Result<T, E = OrderError> = std::result::Result<T, E>;

/// Number of orders that the first query of a search returns: enough for most pages.
const FIRST_PORTION: u32 = 100;
const GROWTH: u32 = 4;
const LARGEST_PORTION: u32 = 4096;

/// Number of examined orders after which a search stops. The page then may have fewer items than
/// requested, and its cursor continues after the examined orders.
const LOOKED_AT: usize = 10_000;

/// Each read of a search doubles the number of orders, up to this number or `wanted` if higher.
const READ_AT_ONCE: usize = 1000;

/// Item of the queue, with the order that contains it.
#[derive(Debug, Clone, PartialEq)]
pub struct QueueItem {
    /// Order that contains the item.
    pub order: Order,
    /// Index of the item in `order.content.items`.
    pub position: usize,
}

impl QueueItem {
    /// Returns the item and its state; `None` if `position` is out of range.
    pub fn item(&self) -> Option<(&LineItem, &ItemState)> {
        let line = self.order.content.items.get(self.position)?;
        Some((line, self.order.state.items.get(self.position)?))
    }

    fn key(&self) -> QueueKey {
        let number = self.item().map_or(0, |(_, state)| state.number);
        let order = self.order.content.id;
        QueueKey { order, number }
    }
}

impl QueueFilter {
    fn has_order(&self, order: &Order) -> bool {
        let content = &order.content;
        let code = || content.shipping_address.as_ref()?.country_code.as_ref();
        (self.kinds.is_empty() || self.kinds.contains(&content.kind()))
            && (self.countries.is_empty()
                || code().is_some_and(|code| self.countries.contains(code)))
    }

    pub(crate) fn has_state(&self, sku: &str, state: &ItemState) -> bool {
        self.statuses.contains(&state.status)
            && self.sku.as_ref().is_none_or(|wanted| sku == wanted)
    }

    /// Returns whether [`has_state`](Self::has_state) alone can decide which items pass. Order
    /// types do not matter, because the query checks them.
    pub(crate) fn asks_for_states_only(&self) -> bool {
        self.area.is_none() && self.ship_class.is_none() && self.countries.is_empty()
    }

    fn has_item(&self, line: &LineItem, state: &ItemState) -> bool {
        let has_area = |name: &String| {
            let files = line.files().into_iter();
            let mut in_use = files.filter(|file| !file.file_urls.is_empty());
            in_use.any(|file| file.area.name == *name)
        };
        let class = line.ship_class_or_standard();
        self.has_state(&line.sku, state)
            && self
                .ship_class
                .as_ref()
                .is_none_or(|wanted| wanted.eq_ignore_ascii_case(class))
            && self.area.as_ref().is_none_or(has_area)
    }

    pub(super) fn finds(&self, order: &Order) -> bool {
        let mut pairs = order.content.items.iter().zip(&order.state.items);
        self.has_order(order) && pairs.any(|(line, state)| self.has_item(line, state))
    }

    /// Returns the matching items of `order` with an item number above `after`.
    fn items_of(&self, order: &Order, after: u32) -> Vec<QueueItem> {
        if !self.has_order(order) {
            return Vec::new();
        }
        let pairs = order.content.items.iter().zip(&order.state.items);
        let item = |(position, _)| QueueItem {
            order: order.clone(),
            position,
        };
        pairs
            .enumerate()
            .filter(|(_, (line, state))| state.number > after && self.has_item(line, state))
            .map(item)
            .collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct QueueKey {
    pub(crate) order: OrderId,
    number: u32,
}

impl QueueKey {
    fn behind(order: OrderId) -> Self {
        Self {
            order,
            // After all items of the order.
            number: u32::MAX,
        }
    }
}

impl CursorKey for QueueKey {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.order.to_bytes();
        bytes.extend(self.number.to_be_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (order, number) = bytes.split_last_chunk::<4>()?;
        Some(Self {
            order: OrderId::from_bytes(order)?,
            number: u32::from_be_bytes(*number),
        })
    }
}

/// Adds the words of `sku`, if they can be searched, so that the repository skips other orders.
/// `text` is the text of `key`.
fn with_sku(key: Option<SearchKey>, sku: Option<&String>, text: &str) -> Option<SearchKey> {
    let Some(sku) = sku else {
        return key;
    };
    let mut words = WordSet::default();
    words.text(sku);
    let of_sku = SearchKey::parse(sku).ok().flatten();
    // A key that does not match the SKU itself would miss its orders.
    if of_sku.is_none_or(|of_sku| !of_sku.matches(&words)) {
        return key;
    }
    // If both together make no valid key, the words of the SKU are left out.
    let both = SearchKey::parse(&format!("{text} {sku}"));
    both.ok().flatten().or(key)
}

impl QueueDraft {
    pub(crate) fn first_query(
        &self,
        operator: &Operator,
    ) -> Result<(CrossStoreQuery, QueueFilter)> {
        let mut report = Report::default();
        let valid = self.check_filter(&mut report);
        report.check()?;
        Ok(self.query(valid, &operator.stores))
    }

    /// Without statuses, the query finds orders with an item that is ready or in production.
    pub(crate) fn cross_store_query(
        &self,
        within: &StoreSet,
    ) -> Result<(CrossStoreQuery, QueueFilter, Window<OrderId>)> {
        let mut report = Report::default();
        let mut valid = self.check_filter(&mut report);
        if self.statuses.value().is_none_or(Vec::is_empty) {
            valid.filter.statuses.retain(|status| status.is_at_work());
        }
        let list = valid.digest().list(ValidQueue::FIELDS);
        let window = self.paging.check_by_cursor::<OrderId>(list, &mut report);
        report.check()?;
        let (mut query, filter) = self.query(valid, within);
        if let Some(last) = window.after() {
            query.from = last.next().unwrap_or(OrderId::HIGHEST);
        }
        Ok((query, filter, window))
    }

    pub(super) fn query(
        &self,
        valid: ValidQueue,
        within: &StoreSet,
    ) -> (CrossStoreQuery, QueueFilter) {
        let text = self.search_key.text().unwrap_or_default();
        let ValidQueue {
            stores,
            filter,
            placed_before,
            key,
        } = valid;
        let query = CrossStoreQuery {
            stores: stores.within(within),
            from: OrderId::LOWEST,
            before: placed_before.map_or(OrderId::HIGHEST, OrderId::first_of),
            key: with_sku(key, filter.sku.as_ref(), text),
            statuses: filter.statuses.clone(),
            kinds: filter.kinds.clone(),
            direction: Direction::OldestFirst,
            count: FIRST_PORTION,
        };
        (query, filter)
    }
}

impl QueueService {
    /// Returns a page of the items that `draft` selects, in the stores that `operator` has access
    /// to. Items of older orders come first.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] if `draft` is invalid; [`OrderError::Repository`] if a query fails.
    #[pressline_kit::boxed]
    pub async fn search(&self, operator: &Operator, draft: &QueueDraft) -> Result<Page<QueueItem>> {
        let mut report = Report::default();
        let valid = draft.check_filter(&mut report);
        let list = valid.digest().list(ValidQueue::FIELDS);
        let window = draft.paging.check_by_cursor::<QueueKey>(list, &mut report);
        report.check()?;
        let after = window.after();
        let (list_query, filter) = draft.query(valid, &operator.stores);
        let query = CrossStoreQuery {
            // The order of the previous page's last item may have further items.
            from: after.map_or(OrderId::LOWEST, |key| key.order),
            ..list_query
        };
        let wanted = window.limit() + 1;
        let (mut items, stopped) = self.items(query, &filter, after, wanted).await?;
        let last = window.cut(&mut items, QueueItem::key);
        Ok(window.page(items, last.or(stopped).as_ref()))
    }

    /// Returns the first `wanted` items of `query` that match `filter`, oldest order first. Skips
    /// the item `after` and earlier items of its order; `query` must skip older orders. After
    /// [`LOOKED_AT`] examined orders, returns fewer items, and the key after which to continue.
    pub(crate) async fn items(
        &self,
        mut query: CrossStoreQuery,
        filter: &QueueFilter,
        after: Option<QueueKey>,
        wanted: usize,
    ) -> Result<(Vec<QueueItem>, Option<QueueKey>)> {
        let mut items = Vec::new();
        let mut looked_at = 0;
        let mut at_once = wanted;
        loop {
            let places = self.queue.page(&query).await?;
            let is_last = places.len() < usize::try_from(query.count).unwrap_or(usize::MAX);
            let mut rest = places.as_slice();
            while !rest.is_empty() {
                // Most orders have a matching item, so the first read takes no more orders than may
                // be needed.
                let next = rest.get(..at_once).unwrap_or(rest);
                let (orders, unread) = self.read(next).await?;
                for order in &orders {
                    let own = after.filter(|key| key.order == order.content.id);
                    items.extend(filter.items_of(order, own.map_or(0, |key| key.number)));
                }
                if items.len() >= wanted {
                    items.truncate(wanted);
                    return Ok((items, None));
                }
                let read = next.len() - unread.len();
                rest = rest.get(read..).unwrap_or_default();
                // If few orders match, larger reads need fewer calls.
                at_once = at_once.saturating_mul(2).min(READ_AT_ONCE.max(wanted));
            }
            looked_at += places.len();
            let last = places.last().filter(|_| !is_last);
            let Some((last, next)) =
                last.and_then(|last| Some((last.order.id, last.order.id.next()?)))
            else {
                return Ok((items, None));
            };
            if looked_at >= LOOKED_AT {
                return Ok((items, Some(QueueKey::behind(last))));
            }
            query.from = next;
            query.count = query.count.saturating_mul(GROWTH).min(LARGEST_PORTION);
        }
    }

    /// Returns orders with an item that matches `filter`, for up to `limit` items and about 10,000
    /// examined orders. Also returns the id to continue after; `None` at the end of the search.
    pub(crate) async fn first_orders(
        &self,
        query: &CrossStoreQuery,
        filter: &QueueFilter,
        limit: usize,
    ) -> Result<(Vec<Order>, Option<OrderId>)> {
        let (items, stopped) = self.items(query.clone(), filter, None, limit).await?;
        let last = match items.last() {
            Some(item) if items.len() == limit => Some(item.order.content.id),
            _ => stopped.map(|key| key.order),
        };
        let mut orders: Vec<Order> = items.into_iter().map(|item| item.order).collect();
        // Matching items of the same order follow each other.
        orders.dedup_by_key(|order| order.content.id);
        Ok((orders, last))
    }
}
