//! Adding an operator's fee lines to orders.

use super::find::OrderScope;
use super::request::FeeLineDraft;
use super::{Order, OrderEditor, OrderError, Placed};
use crate::check::IssueCode;
use crate::fulfilment::{Caller, Context, Refusal, correct_fees};
use crate::pricing::corrections::CorrectionParts;
use crate::value::Amount;

impl OrderEditor {
    /// Adds the operator's fee line in `draft` to an order.
    ///
    /// # Errors
    /// - [`OrderError::Invalid`] if `draft` is invalid, or the fee would become negative.
    /// - [`OrderError::UnknownItem`] if `draft` names an item that the order does not have.
    /// - [`OrderError::NotFound`] if `reach` does not contain the order.
    /// - [`OrderError::VersionConflict`] if the order has another version.
    /// - [`OrderError::Repository`] if a query fails.
    #[pressline_kit::boxed]
    pub async fn correct_fees<'a>(
        &'a self,
        reach: OrderScope<'a>,
        draft: &FeeLineDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let valid = draft.check()?;
        let named_order = self
            .writer
            .reader
            .named(reach, &valid.command.order_id)
            .await?;
        let decide = |order: &Order, context: &Context| {
            // Parsed only here, because the order's currency decides the number of decimals.
            let amount = Amount::signed(&valid.amount, order.content.currency).map_err(|error| {
                Refusal::invalid("amount", IssueCode::OutOfRange, error.to_string())
            });
            let decided = amount.and_then(|amount| {
                let line = CorrectionParts {
                    id: self.writer.correction_id(context),
                    fee: valid.fee,
                    item: valid.item,
                    amount,
                    reason: valid.reason.clone(),
                };
                correct_fees(order, line, context)
            });
            decided.map_err(|refusal| OrderError::refused(refusal, order))
        };
        let command = &valid.command;
        let context = self.writer.context(by, &command.reason, command.version);
        let placed = self
            .writer
            .carry_out(&named_order, &context, decide)
            .await
            .map_err(|refused| refused.error)?;
        Ok(placed.with_warnings(&command.warnings))
    }
}
