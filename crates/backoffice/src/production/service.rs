//! The use cases of production, over the ports.

use std::sync::Arc;

use super::batch::Stamp;
use super::port::{BatchRepository, ProgressRepository};
use super::produced_item::ProducedItem;
use super::progress::ProductionRecord;
use super::steps::Steps;
use super::{ItemCode, ProductionError};
use crate::operator::{Operator, OperatorAdmin, OperatorNames};
use crate::store::StoreAdmin;
use pressline_domain::field::Field;
use pressline_domain::fulfilment::ItemState;
use pressline_domain::limits;
use pressline_domain::order::{
    GetDraft, LineItem, Order, OrderError, OrderRepository, OrderScope, OrderService,
};
use pressline_domain::report::{IssueCode, Violation};
use pressline_domain::runtime::Clock;

/// Records how far items have come, and makes batches of them.
#[derive(Clone)]
pub struct ProductionService {
    pub(super) ports: ProductionPorts,
}

/// What [`ProductionService`] is made of.
#[derive(Clone)]
pub struct ProductionPorts {
    /// Keeps progress.
    pub progress: Arc<dyn ProgressRepository>,
    /// Keeps batches.
    pub batches: Arc<dyn BatchRepository>,
    /// Keeps orders.
    pub repository: Arc<dyn OrderRepository>,
    /// Starts items.
    pub orders: OrderService,
    /// Knows the stores.
    pub stores: StoreAdmin,
    /// Knows the names of operators.
    pub operators: OperatorAdmin,
    /// Says when something is recorded.
    pub clock: Arc<dyn Clock>,
    /// The steps of the shop.
    pub steps: Steps,
}

/// An order in production.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderProduction {
    /// The order.
    pub order: Order,
    /// Its items, in the order of the order.
    pub items: Vec<ProducedItem>,
    /// The latest records about them, at most [`limits::RECORDS`], the latest first.
    pub records: Vec<ProductionRecord>,
    /// The names of the operators who made them.
    pub names: OperatorNames,
}

impl ProductionService {
    /// Returns the service over these ports.
    pub fn new(ports: ProductionPorts) -> Self {
        Self { ports }
    }

    /// Returns the steps of the shop.
    pub fn steps(&self) -> &Steps {
        &self.ports.steps
    }

    pub(super) fn stamp(&self, operator: &Operator) -> Stamp {
        Stamp {
            by: operator.id,
            at: self.ports.clock.now(),
        }
    }

    pub(super) fn reach<'a>(&'a self, operator: &'a Operator) -> OrderScope<'a> {
        OrderScope::Stores {
            set: &operator.stores,
            by_prefix: self.ports.stores.by_prefix(),
        }
    }

    /// Returns how far the items of an order have come, with the latest records.
    #[pressline_kit::boxed]
    pub async fn of_order(
        &self,
        operator: &Operator,
        order_id: &Field<String>,
    ) -> Result<OrderProduction, ProductionError> {
        let order = self.order_named(operator, order_id.clone()).await?;
        let items = self.items_of(&order).await?;
        let (store, id) = (order.content.store_id, order.content.id);
        let records = (self.ports.progress).records(store, id, None, limits::RECORDS);
        let records = records.await?;
        let names = if records.is_empty() {
            OperatorNames::new()
        } else {
            self.ports.operators.names().await?
        };
        Ok(OrderProduction {
            order,
            items,
            records,
            names,
        })
    }

    pub(super) async fn order_named(
        &self,
        operator: &Operator,
        order_id: Field<String>,
    ) -> Result<Order, OrderError> {
        let draft = GetDraft {
            order_id,
            ..GetDraft::default()
        };
        self.ports.orders.get(self.reach(operator), &draft).await
    }

    pub(super) async fn order_of(
        &self,
        operator: &Operator,
        code: &ItemCode,
    ) -> Result<Order, OrderError> {
        let number = code.order.to_string().into();
        let order = self.order_named(operator, number).await?;
        match item_numbered(&order, code.number) {
            Some(_) => Ok(order),
            None => Err(OrderError::UnknownItem(vec![Violation {
                field: "itemCode".to_owned(),
                code: IssueCode::UnknownItem,
                message: format!("the order {} has no item {}", code.order, code.number),
            }])),
        }
    }
}

pub(super) fn item_numbered(order: &Order, number: u32) -> Option<(&LineItem, &ItemState)> {
    let mut pairs = order.content.items.iter().zip(&order.state.items);
    pairs.find(|(_, state)| state.number == number)
}
