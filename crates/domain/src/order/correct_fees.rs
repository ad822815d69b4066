//! Adding fee lines to orders.

use super::command::CommandInput;
use super::find::OrderScope;
use super::request::FeeLineDraft;
use super::{OrderError, OrderService, Placed};
use crate::fulfilment::{Caller, Refusal, correct_fees};
use crate::money::Amount;
use crate::pricing::corrections::CorrectionParts;
use crate::report::IssueCode;

impl OrderService {
    /// Adds a fee line of an operator to an order.
    ///
    /// # Errors
    /// [`OrderError::Invalid`], also where the fee would be below zero; [`OrderError::UnknownItem`],
    /// [`OrderError::NotFound`], [`OrderError::VersionConflict`] and [`OrderError::Repository`].
    #[pressline_kit::boxed]
    pub async fn correct_fees<'a>(
        &'a self,
        reach: OrderScope<'a>,
        draft: &FeeLineDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let valid = draft.check()?;
        let named = reach.named(&valid.command.order_id).await?;
        let decide = |given: CommandInput<'_>| {
            let currency = given.order.content.currency;
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
