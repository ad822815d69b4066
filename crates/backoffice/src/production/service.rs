//! Service of production, over its ports, and its errors.

use std::sync::Arc;

use super::ItemCode;
use super::batch::{BatchNumber, Stamp};
use super::port::{BatchRepository, ProgressRepository};
use super::steps::Steps;
use super::units::OutOfOrder;
use crate::operator::{Operator, OperatorAdmin};
use crate::store::StoreAdmin;
use pressline_domain::check::{IssueCode, Report, Violation};
use pressline_domain::error::RepositoryError;
use pressline_domain::fulfilment::ItemState;
use pressline_domain::order::{
    LineItem, Order, OrderError, OrderMover, OrderReader, OrderScope, OrderShipper, OwnOrderIds,
};
use pressline_domain::runtime::Clock;
use pressline_domain::value::{ItemId, ServiceOrderId};

pub(super) type Result<T, E = ProductionError> = std::result::Result<T, E>;

/// Reason why a call about production or batches failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProductionError {
    /// The request is invalid, the order does not exist or refuses the change, or a repository call
    /// failed.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// The request records more units as done than wait at the step, or more units as misprinted
    /// than are done at the first step and not shipped.
    #[error(transparent)]
    OutOfOrder(#[from] OutOfOrder),
    /// The status of some items does not permit production.
    #[error("items cannot be produced in their present status")]
    NotProducible {
        /// Error for the first refused item: the first of `items`.
        first: Box<OrderError>,
        /// Ids of all refused items.
        items: Vec<ItemId>,
        /// A violation for each refused item. [`Violation::field`] is the item's position in the
        /// request, such as `items[0]`.
        violations: Vec<Violation>,
    },
    /// Items of the request are already in open batches. Contains a violation for each of them.
    /// [`Violation::field`] is the item's position in the request, such as `items[0]`.
    #[error("items are in open batches")]
    ItemsInBatch(Vec<Violation>),
    /// The batch does not exist, or it has items of stores outside the operator's scope.
    #[error("there is no such batch")]
    BatchNotFound,
    /// The batch with this number is closed.
    #[error("{0} is closed")]
    BatchClosed(BatchNumber),
}

impl From<RepositoryError> for ProductionError {
    fn from(error: RepositoryError) -> Self {
        Self::Order(error.into())
    }
}

impl From<Report> for ProductionError {
    fn from(report: Report) -> Self {
        Self::Order(report.into())
    }
}

/// Records the progress of items and manages batches.
#[derive(Clone)]
pub struct ProductionService {
    /// Stores progress and production records.
    pub progress: Arc<dyn ProgressRepository>,
    /// Stores batches.
    pub batches: Arc<dyn BatchRepository>,
    /// Reads orders.
    pub orders: OrderReader,
    /// Starts items.
    pub moves: OrderMover,
    /// Creates the shipments of sent parcels.
    pub shipper: OrderShipper,
    /// Gives the times of records.
    pub clock: Arc<dyn Clock>,
    /// Finds stores, their prefixes and their settings.
    pub stores: StoreAdmin,
    /// Reads operator names.
    pub operators: OperatorAdmin,
    /// Configured steps of the print shop, first to last.
    pub steps: Steps,
}

impl ProductionService {
    pub(super) fn stamp(&self, operator: &Operator) -> Stamp {
        Stamp {
            by: operator.id,
            at: self.clock.now(),
        }
    }

    /// Returns the scope for numbers that come from item codes and orders, not from stores.
    pub(super) fn scope<'a>(&'a self, operator: &'a Operator) -> OrderScope<'a> {
        self.scope_with(operator, OwnOrderIds::Ignored)
    }

    pub(super) fn scope_with<'a>(
        &'a self,
        operator: &'a Operator,
        own_ids: OwnOrderIds,
    ) -> OrderScope<'a> {
        OrderScope::Stores {
            set: &operator.stores,
            by_prefix: self.stores.by_prefix(),
            own_ids,
        }
    }

    pub(super) async fn order_numbered(
        &self,
        operator: &Operator,
        number: &ServiceOrderId,
    ) -> Result<Order, OrderError> {
        let number = number.to_string();
        self.orders.reached(self.scope(operator), &number).await
    }

    pub(super) async fn order_of(
        &self,
        operator: &Operator,
        code: &ItemCode,
    ) -> Result<Order, OrderError> {
        self.order_numbered(operator, &code.order).await
    }
}

pub(super) fn item_numbered(order: &Order, number: u32) -> Option<(&LineItem, &ItemState)> {
    let mut pairs = order.content.items.iter().zip(&order.state.items);
    pairs.find(|(_, state)| state.number == number)
}

pub(super) fn item_coded<'a>(
    order: &'a Order,
    code: &ItemCode,
) -> Result<(&'a LineItem, &'a ItemState), OrderError> {
    item_numbered(order, code.number).ok_or_else(|| {
        OrderError::UnknownItem(vec![Violation {
            field: "itemCode".to_owned(),
            code: IssueCode::UnknownItem,
            message: format!("the order {} has no item {}", code.order, code.number),
        }])
    })
}
