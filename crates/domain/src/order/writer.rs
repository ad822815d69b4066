//! Writes decisions about stored orders: load, decide, price, write, and again after a race.

use std::sync::Arc;

use super::edited::EditedOrder;
use super::find::NamedOrder;
use super::priced::Purpose;
use super::{Order, OrderError, OrderPricing, OrderReader, OrderWrite, Placed};
use crate::catalog::CatalogVersion;
use crate::check::{IssueCode, Report, Warning};
use crate::error::RepositoryError;
use crate::event::EventObserver;
use crate::fulfilment::{
    Caller, Change, Context, Decision, MoveCommand, Refusal, decide_move, reprice,
};
use crate::runtime::{Clock, IdSource};
use crate::store::Store;
use crate::value::{ChangeId, CorrectionId, ItemId, Timestamp};

/// Each concurrent change of the order costs an attempt, so up to 64 of them can succeed.
pub(super) const ATTEMPTS: usize = 64;

/// Number of latest events to search for a command's reason. If found, the command is repeated.
const RECENT_EVENTS: u32 = 100;

pub(super) type DecisionResult = Result<Decision, Refusal>;

pub(super) struct Refused {
    // The order that was decided about; `None` if it was not read.
    pub(super) order: Option<Box<Order>>,
    pub(super) error: OrderError,
}

impl<E: Into<OrderError>> From<E> for Refused {
    fn from(error: E) -> Self {
        Self {
            order: None,
            error: error.into(),
        }
    }
}

/// Writes orders for the use cases that change them. It alone knows the observers of events.
#[derive(Clone)]
pub(super) struct OrderWriter {
    pub(super) reader: OrderReader,
    pub(super) pricing: OrderPricing,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) ids: Arc<dyn IdSource>,
    pub(super) observers: Vec<Arc<dyn EventObserver>>,
}

impl OrderWriter {
    /// Loads the order, decides by `decide` and writes the change, at most [`ATTEMPTS`] times. Each
    /// attempt has its own time in `context`.
    pub(super) async fn carry_out(
        &self,
        named_order: &NamedOrder<'_>,
        context: &Context,
        decide: impl Fn(&Order, &Context) -> Result<Decision, OrderError> + Send + Sync,
    ) -> Result<Placed, Refused> {
        // Decides again each time, because a concurrent change can make the command illegal.
        for _ in 0..ATTEMPTS {
            let stored = self.reader.stored(named_order).await?;
            let context = Context {
                now: self.clock.now(),
                ..context.clone()
            };
            let change = match decide(&stored, &context) {
                // A repeated call succeeds without another event.
                Ok(Decision::Unchanged) => {
                    let warning = self.unstored_reason(&stored, &context).await?;
                    return Ok(Placed {
                        order: stored,
                        warnings: warning.into_iter().collect(),
                        replayed: true,
                    });
                }
                Ok(Decision::Changed(change)) => *change,
                Err(error) => {
                    let order = Some(Box::new(stored));
                    return Err(Refused { order, error });
                }
            };
            let written = self.write_change(&named_order.store, &stored, change, &context);
            if let Some(order) = written.await? {
                return Ok(Placed {
                    order,
                    warnings: Vec::new(),
                    replayed: false,
                });
            }
        }
        Err(too_many_changes().into())
    }

    pub(super) fn decide_move(
        &self,
        order: &Order,
        command: &MoveCommand,
        items: Option<Vec<ItemId>>,
        context: &Context,
    ) -> DecisionResult {
        let new_id = || self.ids.next(context.now);
        decide_move(order, command, items, &new_id, context)
    }

    /// Returns `None` without a reason, or if a recent event has it (then a repetition).
    async fn unstored_reason(
        &self,
        order: &Order,
        context: &Context,
    ) -> Result<Option<Warning>, OrderError> {
        if context.reason.is_none() {
            return Ok(None);
        }
        let (id, latest) = (order.content.id, order.state.last_sequence);
        let store = order.content.store_id;
        let events = self
            .reader
            .orders
            .events(store, id, latest, RECENT_EVENTS)
            .await?;
        let is_stored = events
            .iter()
            .any(|event| event.event.reason == context.reason);
        Ok((!is_stored).then(|| Warning {
            field: "reason".to_owned(),
            code: IssueCode::ReasonNotStored,
            message: format!(
                "{} is unchanged: the reason is not stored",
                order.service_order_id
            ),
        }))
    }

    /// Prices `change` again if needed. Returns `None` without writing if order or catalog changed.
    pub(super) async fn write_change(
        &self,
        store: &Store,
        before: &Order,
        change: Change,
        context: &Context,
    ) -> Result<Option<Order>, OrderError> {
        let (change, catalog) = if change.needs_price {
            let (change, catalog) = self.priced_again(store, before, &change, context).await?;
            (change, Some(catalog))
        } else {
            (change, None)
        };
        self.write_priced(change, catalog).await
    }

    /// Writes `change`, with prices of the version `catalog`. Returns `None` without writing if the
    /// order or that catalog version is no longer current.
    pub(super) async fn write_priced(
        &self,
        change: Change,
        catalog: Option<CatalogVersion>,
    ) -> Result<Option<Order>, OrderError> {
        match self.write_with(OrderWrite::change(change), catalog).await {
            Ok(order) => Ok(Some(order)),
            Err(RepositoryError::Stale | RepositoryError::CatalogChanged) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Executes `write`, with prices of the version `catalog`. If the catalog has changed since the
    /// pricing, removes the outdated version from the catalog cache.
    pub(super) async fn write_with(
        &self,
        write: OrderWrite,
        catalog: Option<CatalogVersion>,
    ) -> Result<Order, RepositoryError> {
        let Some(catalog) = catalog else {
            return self.write(write).await;
        };
        let written = self.write(write.priced_with(catalog)).await;
        // Otherwise the next attempt would price with the same cached version.
        if matches!(written, Err(RepositoryError::CatalogChanged)) {
            self.pricing.forget(catalog);
        }
        written
    }

    pub(super) async fn priced_again(
        &self,
        store: &Store,
        before: &Order,
        change: &Change,
        context: &Context,
    ) -> Result<(Change, CatalogVersion), OrderError> {
        let after = &change.order;
        let mut edited = EditedOrder::new(after.parts().clone());
        // A change that needs a price takes the prices of its own time.
        edited.parts.priced_at = context.now;
        let (purpose, report) = (Purpose::Write, &mut Report::default());
        let pricing =
            self.pricing
                .price_edited(store, (before, &after.state), &mut edited, purpose, report);
        let catalog = pricing.await?;
        match reprice(before, change, edited.parts, context) {
            Ok(Decision::Changed(change)) => Ok((*change, catalog)),
            // A change does not become a repetition when it is priced.
            Ok(Decision::Unchanged) => Ok((change.clone(), catalog)),
            Err(refusal) => Err(OrderError::refused(refusal, before)),
        }
    }

    pub(super) fn context(
        &self,
        by: &Caller,
        reason: &Option<String>,
        version: Option<u32>,
    ) -> Context {
        Context {
            reason: reason.clone(),
            version,
            ..by.at(self.clock.now())
        }
    }

    pub(super) fn change_id(&self, context: &Context) -> ChangeId {
        ChangeId::new(self.ids.next(context.now))
    }

    pub(super) fn correction_id(&self, context: &Context) -> CorrectionId {
        CorrectionId::new(self.ids.next(context.now))
    }

    /// Writes, then notifies the observers. Same errors as
    /// [`OrderRepository::write`](super::OrderRepository::write).
    pub(super) async fn write(&self, write: OrderWrite) -> Result<Order, RepositoryError> {
        let order = self.reader.orders.write(write).await?;
        for observer in &self.observers {
            observer.stored(order.content.store_id, order.state.last_sequence);
        }
        Ok(order)
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }
}

pub(super) fn too_many_changes() -> OrderError {
    OrderError::Repository(RepositoryError::too_many_changes())
}
