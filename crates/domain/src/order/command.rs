//! Commands of stores about a stored order.

use pressline_kit::boxed;

use super::find::NamedOrder;
use super::request::{CommandDraft, ValidCommand};
use super::writer::{DecisionResult, OrderWriter};
use super::{Order, OrderEditor, OrderError, OrderMover, Placed};
use crate::fulfilment::{
    AnswerCommand, Caller, Context, MoveCommand, answer, process_now, withdraw_change,
};
use crate::store::Store;
use crate::value::ItemId;

struct CommandInput<'a> {
    order: &'a Order,
    items: Option<Vec<ItemId>>,
    command: &'a ValidCommand,
    context: &'a Context,
}

impl OrderMover {
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
            let command = MoveCommand::Cancel { keep_fees: false };
            self.writer
                .decide_move(given.order, &command, given.items, given.context)
        };
        self.writer.command(store, draft, by, decide).await
    }

    /// Puts the items in `draft` on hold. If a store holds items that are ready or in production,
    /// the hold becomes a request to the print shop. Same errors as [`OrderMover::cancel`].
    #[boxed]
    pub async fn hold(
        &self,
        store: &Store,
        draft: &CommandDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let decide = |given: CommandInput<'_>| {
            let until = given.command.until;
            let command = MoveCommand::Hold { until };
            self.writer
                .decide_move(given.order, &command, given.items, given.context)
        };
        self.writer.command(store, draft, by, decide).await
    }

    /// Ends holds; a store can end only its own. Same errors as [`OrderMover::cancel`].
    #[boxed]
    pub async fn release(
        &self,
        store: &Store,
        draft: &CommandDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let decide = |given: CommandInput<'_>| {
            let command = MoveCommand::Release;
            self.writer
                .decide_move(given.order, &command, given.items, given.context)
        };
        self.writer.command(store, draft, by, decide).await
    }

    /// Ends the cooling-off window of an order. Same errors as [`OrderMover::cancel`].
    #[boxed]
    pub async fn process_now(
        &self,
        store: &Store,
        draft: &CommandDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let decide = |given: CommandInput<'_>| process_now(given.order, given.context);
        self.writer.command(store, draft, by, decide).await
    }
}

impl OrderEditor {
    /// Withdraws the store's pending change. Same errors as [`OrderMover::cancel`].
    #[boxed]
    pub async fn withdraw_change(
        &self,
        store: &Store,
        draft: &CommandDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let decide = |given: CommandInput<'_>| withdraw_change(given.order, given.context);
        self.writer.command(store, draft, by, decide).await
    }

    /// Stores the answer to needs of the print shop. Same errors as [`OrderMover::cancel`].
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
            let new_id = || self.writer.correction_id(given.context);
            answer(given.order, &command, &new_id, given.context)
        };
        self.writer.command(store, draft, by, decide).await
    }
}

impl OrderWriter {
    async fn command(
        &self,
        store: &Store,
        draft: &CommandDraft,
        by: &Caller,
        decide: impl Fn(CommandInput<'_>) -> DecisionResult + Send + Sync,
    ) -> Result<Placed, OrderError> {
        let valid = draft.check()?;
        let named_order = NamedOrder::of_store(store, &valid.order_id);
        let decide = |order: &Order, context: &Context| {
            let given = CommandInput {
                order,
                items: valid.items_of(order)?,
                command: &valid,
                context,
            };
            decide(given).map_err(|refusal| OrderError::refused(refusal, order))
        };
        let context = self.context(by, &valid.reason, valid.version);
        let placed = self
            .carry_out(&named_order, &context, decide)
            .await
            .map_err(|refused| refused.error)?;
        Ok(placed.with_warnings(&valid.warnings))
    }
}
