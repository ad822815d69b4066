//! Previous and next order in a list.

use super::orders::ValidOrders;
use super::{
    CrossStoreQuery, Direction, OrderRef, OrdersDraft, QueueDraft, QueueFilter, QueueService,
};
use crate::limits;
use crate::operator::Operator;
use pressline_domain::order::OrderError;
use pressline_domain::value::OrderId;

/// Numbers of orders to examine on each side: first few, because most orders match.
const PORTIONS: [u32; 2] = [8, 1000];
const READ_AT_ONCE: usize = 50;

/// Orders before and after a given order in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Neighbours {
    /// Order before the given order; `None` at the start of the list.
    pub previous: Option<OrderRef>,
    /// Order after the given order; `None` at the end of the list.
    pub next: Option<OrderRef>,
}

impl CrossStoreQuery {
    /// Returns the query for one side of `order`, nearest orders first: newer orders for
    /// [`Direction::OldestFirst`], older orders for [`Direction::NewestFirst`].
    pub(crate) fn beside(&self, order: OrderId, direction: Direction) -> Self {
        let mut query = self.clone();
        query.direction = direction;
        match direction {
            // No order has the highest id, so nothing follows it.
            Direction::OldestFirst => query.from = order.next().unwrap_or(order).max(self.from),
            Direction::NewestFirst => query.before = order.min(self.before),
        }
        query
    }
}

impl QueueService {
    /// Returns the neighbours of `order` among [`orders`](Self::orders); it need not match `draft`.
    #[pressline_kit::boxed]
    pub async fn order_neighbours(
        &self,
        operator: &Operator,
        draft: &OrdersDraft,
        order: OrderId,
    ) -> Result<Neighbours, OrderError> {
        let valid = draft.check(operator, limits::LISTED_ORDERS)?;
        let ValidOrders {
            query: list_query,
            number,
            ..
        } = valid;
        let (newer, older) = (Direction::OldestFirst, Direction::NewestFirst);
        let first = async |direction| {
            let query = CrossStoreQuery {
                count: 1,
                ..list_query.beside(order, direction)
            };
            let places = self.places(number.clone(), &query).await?;
            Ok::<_, OrderError>(places.first().copied())
        };
        Ok(Neighbours {
            previous: first(newer).await?,
            next: first(older).await?,
        })
    }

    /// Returns the neighbours of `order` in a list of orders, oldest first. The list has each order
    /// with an item that [`search`](Self::search) finds for `draft`. Up to 1,000 orders are
    /// examined on each side of `order`. Same errors as [`search`](Self::search).
    #[pressline_kit::boxed]
    pub async fn queue_neighbours(
        &self,
        operator: &Operator,
        draft: &QueueDraft,
        order: OrderId,
    ) -> Result<Neighbours, OrderError> {
        let (query, filter) = draft.first_query(operator)?;
        let (older, newer) = (Direction::NewestFirst, Direction::OldestFirst);
        Ok(Neighbours {
            previous: self
                .first_found(query.beside(order, older), &filter)
                .await?,
            next: self
                .first_found(query.beside(order, newer), &filter)
                .await?,
        })
    }

    async fn first_found(
        &self,
        mut query: CrossStoreQuery,
        filter: &QueueFilter,
    ) -> Result<Option<OrderRef>, OrderError> {
        let mut looked_at = 0;
        for count in PORTIONS {
            query.count = count;
            let places = self.queue.page(&query).await?;
            // The second, larger query returns the first orders again.
            let new = places.get(looked_at..).unwrap_or_default();
            for part in new.chunks(READ_AT_ONCE) {
                let mut orders = self.load(part).await?;
                if query.direction == Direction::NewestFirst {
                    // `load` returns ascending ids.
                    orders.reverse();
                }
                if let Some(order) = orders.iter().find(|order| filter.finds(order)) {
                    return Ok(Some(OrderRef::new(order)));
                }
            }
            looked_at = places.len();
            if looked_at < usize::try_from(count).unwrap_or(usize::MAX) {
                break;
            }
        }
        Ok(None)
    }
}
