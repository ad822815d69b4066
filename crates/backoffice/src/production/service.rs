//! Service of production, over its ports.

use std::sync::Arc;

use super::ItemCode;
use super::batch::Stamp;
use super::port::{BatchRepository, ProgressRepository};
use super::steps::Steps;
use crate::operator::{Operator, OperatorAdmin};
use crate::store::StoreAdmin;
use pressline_domain::check::{Field, IssueCode, Violation};
use pressline_domain::fulfilment::ItemState;
use pressline_domain::order::{GetDraft, LineItem, Order, OrderError, OrderScope, OrderService};

type Result<T, E = OrderError> = std::result::Result<T, E>;

/// Records the progress of items and manages batches.
#[derive(Clone)]
pub struct ProductionService {
    /// Stores progress and production records.
    pub progress: Arc<dyn ProgressRepository>,
    /// Stores batches.
    pub batches: Arc<dyn BatchRepository>,
    /// Reads orders, starts items, creates shipments, and gives timestamps by its clock.
    pub orders: OrderService,
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
            at: self.orders.now(),
        }
    }

    pub(super) fn scope<'a>(&'a self, operator: &'a Operator) -> OrderScope<'a> {
        OrderScope::Stores {
            set: &operator.stores,
            by_prefix: self.stores.by_prefix(),
        }
    }

    pub(super) async fn order_named(
        &self,
        operator: &Operator,
        order_id: Field<String>,
    ) -> Result<Order> {
        let draft = GetDraft {
            order_id,
            ..GetDraft::default()
        };
        self.orders.get(self.scope(operator), &draft).await
    }

    pub(super) async fn order_of(&self, operator: &Operator, code: &ItemCode) -> Result<Order> {
        let number = code.order.to_string().into();
        self.order_named(operator, number).await
    }
}

pub(super) fn item_numbered(order: &Order, number: u32) -> Option<(&LineItem, &ItemState)> {
    let mut pairs = order.content.items.iter().zip(&order.state.items);
    pairs.find(|(_, state)| state.number == number)
}

pub(super) fn item_coded<'a>(
    order: &'a Order,
    code: &ItemCode,
) -> Result<(&'a LineItem, &'a ItemState)> {
    item_numbered(order, code.number).ok_or_else(|| {
        OrderError::UnknownItem(vec![Violation {
            field: "itemCode".to_owned(),
            code: IssueCode::UnknownItem,
            message: format!("the order {} has no item {}", code.order, code.number),
        }])
    })
}
