//! Commands about a stored order: load, decide, write.

use pressline_kit::boxed;

use super::edited::EditedOrder;
use super::find::NamedOrder;
use super::priced::Purpose;
use super::request::{CommandDraft, MoveCommand, ValidCommand};
use super::{Order, OrderError, OrderService, OrderWrite, Placed};
use crate::catalog::CatalogVersion;
use crate::check::{IssueCode, Report, Warning};
use crate::error::RepositoryError;
use crate::fulfilment::{
    AnswerCommand, Caller, Change, Context, Decision, Refusal, answer, process_now, release,
    reprice, withdraw_change,
};
use crate::store::Store;
use crate::value::{ChangeId, CorrectionId, ItemId};

/// Each concurrent change of the order costs an attempt, so up to 64 of them can succeed.
pub(super) const ATTEMPTS: usize = 64;

/// Number of latest events to search for a command's reason. If found, the command is repeated.
const RECENT_EVENTS: u32 = 100;

pub(super) struct CommandInput<'a> {
    pub(super) order: &'a Order,
    pub(super) items: Option<Vec<ItemId>>,
    pub(super) command: &'a ValidCommand,
    pub(super) context: &'a Context,
}

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

impl OrderService {
    /// Cancels the items in `draft`. If a store cancels items that are ready or in production, the
    /// cancellation becomes a request to the print shop.
    ///
    /// # Errors
    /// Any [`OrderError`] except [`OrderError::Duplicate`].
    #[boxed]
    pub async fn cancel(
        &self,
        store: &Store,
        draft: &CommandDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let decide = |given: CommandInput<'_>| {
            self.decided_move(&MoveCommand::Cancel { keep_fees: false }, given)
        };
        self.command(store, draft, by, decide).await
    }

    /// Puts the items in `draft` on hold. If a store holds items that are ready or in production,
    /// the hold becomes a request to the print shop. Same errors as [`OrderService::cancel`].
    #[boxed]
    pub async fn hold(
        &self,
        store: &Store,
        draft: &CommandDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let decide = |given: CommandInput<'_>| {
            let until = given.command.until;
            self.decided_move(&MoveCommand::Hold { until }, given)
        };
        self.command(store, draft, by, decide).await
    }

    /// Ends holds; a store can end only its own. Same errors as [`OrderService::cancel`].
    #[boxed]
    pub async fn release(
        &self,
        store: &Store,
        draft: &CommandDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let decide =
            |given: CommandInput<'_>| release(given.order, given.items.as_deref(), given.context);
        self.command(store, draft, by, decide).await
    }

    /// Ends the cooling-off window of an order. Same errors as [`OrderService::cancel`].
    #[boxed]
    pub async fn process_now(
        &self,
        store: &Store,
        draft: &CommandDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let decide = |given: CommandInput<'_>| process_now(given.order, given.context);
        self.command(store, draft, by, decide).await
    }

    /// Withdraws the store's pending change. Same errors as [`OrderService::cancel`].
    #[boxed]
    pub async fn withdraw_change(
        &self,
        store: &Store,
        draft: &CommandDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let decide = |given: CommandInput<'_>| withdraw_change(given.order, given.context);
        self.command(store, draft, by, decide).await
    }

    /// Stores the answer to needs of the print shop. Same errors as [`OrderService::cancel`].
    #[boxed]
    pub async fn answer(
        &self,
        store: &Store,
        draft: &CommandDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let decide = |given: CommandInput<'_>| {
            let command = AnswerCommand {
                items: given.items,
                text: given.command.text.clone(),
                accept: given.command.accept,
            };
            let new_id = || self.correction_id(given.context);
            answer(given.order, &command, &new_id, given.context)
        };
        self.command(store, draft, by, decide).await
    }

    async fn command(
        &self,
        store: &Store,
        draft: &CommandDraft,
        by: &Caller,
        decide: impl Fn(CommandInput<'_>) -> DecisionResult + Send + Sync,
    ) -> Result<Placed, OrderError> {
        let valid = draft.check()?;
        let named = NamedOrder::of_store(store, &valid.order_id);
        let done = self.carry_out(&named, &valid, by, decide).await;
        done.map_err(|refused| refused.error)
    }

    pub(super) async fn carry_out(
        &self,
        named: &NamedOrder<'_>,
        valid: &ValidCommand,
        by: &Caller,
        decide: impl Fn(CommandInput<'_>) -> DecisionResult + Send + Sync,
    ) -> Result<Placed, Refused> {
        // Decides again each time, because a concurrent change can make the command illegal.
        for _ in 0..ATTEMPTS {
            let stored = self.stored(named).await?;
            let context = self.context(by, &valid.reason, valid.version);
            let decided = valid.items_of(&stored).and_then(|items| {
                let given = CommandInput {
                    order: &stored,
                    items,
                    command: valid,
                    context: &context,
                };
                decide(given).map_err(|refusal| OrderError::refused(refusal, &stored))
            });
            let change = match decided {
                // A repeated call succeeds without another event.
                Ok(Decision::Unchanged) => {
                    let mut warnings = valid.warnings.clone();
                    warnings.extend(self.unstored_reason(&stored, valid).await?);
                    return Ok(Placed {
                        order: stored,
                        warnings,
                        replayed: true,
                    });
                }
                Ok(Decision::Changed(change)) => *change,
                Err(error) => {
                    let order = Some(Box::new(stored));
                    return Err(Refused { order, error });
                }
            };
            let written = self.write_change(&named.store, &stored, change, &context);
            if let Some(order) = written.await? {
                return Ok(Placed {
                    order,
                    warnings: valid.warnings.clone(),
                    replayed: false,
                });
            }
        }
        Err(too_many_changes().into())
    }

    /// Returns `None` without a reason, or if a recent event has it (then a repetition).
    async fn unstored_reason(
        &self,
        order: &Order,
        valid: &ValidCommand,
    ) -> Result<Option<Warning>, OrderError> {
        if valid.reason.is_none() {
            return Ok(None);
        }
        let (id, latest) = (order.content.id, order.state.last_sequence);
        let store = order.content.store_id;
        let events = self.orders.events(store, id, latest, RECENT_EVENTS).await?;
        let is_stored = events
            .iter()
            .any(|event| event.event.reason == valid.reason);
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
            self.catalog.forget(catalog);
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
            self.price_edited(store, (before, &after.state), &mut edited, purpose, report);
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
}

pub(super) fn too_many_changes() -> OrderError {
    OrderError::Repository(RepositoryError::too_many_changes())
}
