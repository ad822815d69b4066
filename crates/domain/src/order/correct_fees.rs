//! Adding an operator's fee lines to orders.

use super::command::CommandInput;
use super::find::OrderScope;
use super::request::FeeLineDraft;
use super::{OrderError, OrderService, Placed};
use crate::check::IssueCode;
use crate::fulfilment::{Caller, Refusal, correct_fees};
use crate::pricing::corrections::CorrectionParts;
use crate::value::Amount;

impl OrderService {
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
        let named = self.named(reach, &valid.command.order_id).await?;
        let decide = |given: CommandInput<'_>| {
            let currency = given.order.content.currency;
            // Parsed only here, because the order's currency decides the number of decimals.
            let amount = Amount::signed(&valid.amount, currency).map_err(|error| {
                Refusal::invalid("amount", IssueCode::OutOfRange, error.to_string())
            })?;
            let line = CorrectionParts {
                id: self.correction_id(given.context),
                fee: valid.fee,
                item: valid.item,
                amount,
                reason: valid.reason.clone(),
            };
            correct_fees(given.order, line, given.context)
        };
        let done = self.carry_out(&named, &valid.command, by, decide).await;
        done.map_err(|refused| refused.error)
    }
}
