//! Deciding the pending change of a store: load, price, decide, write.

use super::edited::Values;
use super::find::OrderScope;
use super::priced::Purpose;
use super::request::{DecideDraft, ValidDecision, ValidVerdict};
use super::writer::{ATTEMPTS, too_many_changes};
use super::{DryRun, Order, OrderEditor, OrderError, OrderParts, Placed};
use crate::catalog::CatalogVersion;
use crate::check::{Report, Violation};
use crate::event::{Role, Value};
use crate::fulfilment::{
    Caller, Change, ChangeRequest, Context, DecideCommand, Decision, PendingChange, Verdict, decide,
};
use crate::store::Store;
use crate::value::{ItemId, NeedId};

type PricedDecision = (Change, Option<CatalogVersion>);

impl OrderEditor {
    /// Approves or refuses the pending change that a store requested, or asks the store a question
    /// about it. An approved update is applied to the order as it is now.
    ///
    /// # Errors
    /// Any [`OrderError`] except [`OrderError::Duplicate`]; [`OrderError::NotEditable`] if an
    /// approved change is no longer possible, because the order has changed.
    #[pressline_kit::boxed]
    pub async fn decide_change<'a>(
        &'a self,
        reach: OrderScope<'a>,
        draft: &DecideDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let valid = draft.check()?;
        let named_order = self.writer.reader.named(reach, &valid.order_id).await?;
        for _ in 0..ATTEMPTS {
            let stored = self.writer.reader.stored(&named_order).await?;
            let context = self.writer.context(by, &valid.reason, valid.version);
            let mut report = valid.report();
            let decided = self.decided(&named_order.store, &stored, &valid, &context, &mut report);
            let (change, catalog) = decided.await?;
            // An approved update is already priced, with the version in `catalog`.
            let written = if change.needs_price {
                let store = &named_order.store;
                self.writer
                    .write_change(store, &stored, change, &context)
                    .await?
            } else {
                self.writer.write_priced(change, catalog).await?
            };
            if let Some(order) = written {
                return Ok(Placed {
                    order,
                    warnings: report.warnings,
                    replayed: false,
                });
            }
        }
        Err(too_many_changes())
    }

    /// Makes a dry run of [`OrderEditor::decide_change`], with the same errors.
    #[pressline_kit::boxed]
    pub async fn dry_run_decide<'a>(
        &'a self,
        reach: OrderScope<'a>,
        draft: &DecideDraft,
        by: &Caller,
    ) -> Result<DryRun, OrderError> {
        let valid = draft.check()?;
        let named_order = self.writer.reader.named(reach, &valid.order_id).await?;
        let stored = self.writer.reader.stored(&named_order).await?;
        let context = self.writer.context(by, &valid.reason, valid.version);
        let mut report = valid.report();
        let decided = self.decided(&named_order.store, &stored, &valid, &context, &mut report);
        let (mut change, _) = decided.await?;
        if change.needs_price {
            let priced = self
                .writer
                .priced_again(&named_order.store, &stored, &change, &context);
            change = priced.await?.0;
        }
        Ok(DryRun::of_stored(&stored, change.order, report.warnings))
    }

    async fn decided(
        &self,
        store: &Store,
        stored: &Order,
        valid: &ValidDecision,
        context: &Context,
        report: &mut Report,
    ) -> Result<PricedDecision, OrderError> {
        let mut catalog = None;
        let verdict = match &valid.verdict {
            ValidVerdict::Refuse => Verdict::Refuse,
            ValidVerdict::Ask { text } => Verdict::Ask {
                need: NeedId::new(self.writer.ids.next(context.now)),
                text: text.clone(),
            },
            ValidVerdict::Approve { keep_fees } => {
                let approved = self.approved(store, stored, valid, context, report).await?;
                let edited = approved.map(|(parts, version)| {
                    catalog = Some(version);
                    Box::new(parts)
                });
                Verdict::Approve {
                    edited,
                    keep_fees: *keep_fees,
                }
            }
        };
        let command = DecideCommand {
            change: valid.change,
            verdict,
        };
        let new_line = || self.writer.correction_id(context);
        match decide(stored, command, &new_line, context) {
            Ok(Decision::Changed(change)) => Ok((*change, catalog)),
            // A decision ends the pending change or asks about it, so the order always changes.
            Ok(Decision::Unchanged) => Err(too_many_changes()),
            Err(refusal) => Err(OrderError::refused(refusal, stored)),
        }
    }

    /// Returns `None` for a hold or a cancellation, or for a change that is not pending.
    async fn approved(
        &self,
        store: &Store,
        stored: &Order,
        valid: &ValidDecision,
        context: &Context,
        report: &mut Report,
    ) -> Result<Option<(OrderParts, CatalogVersion)>, OrderError> {
        let pending = stored.state.pending.as_ref();
        let Some(pending) = pending.filter(|pending| valid.decides(pending)) else {
            return Ok(None);
        };
        let Some(values) = self.asked_values(pending, context)? else {
            return Ok(None);
        };
        // The request was valid when it was sent. A problem means that the order has changed since.
        let no_longer_fits = |error| no_longer_fits(error, pending);
        let mut edited = values
            .apply(stored, Role::Store, report)
            .map_err(no_longer_fits)?;
        // The store pays the prices at the time of the approval.
        edited.parts.priced_at = context.now;
        let stored = (stored, &stored.state);
        let priced =
            self.writer
                .pricing
                .price_edited(store, stored, &mut edited, Purpose::Write, report);
        let catalog = priced.await.map_err(no_longer_fits)?;
        Ok(Some((edited.parts, catalog)))
    }

    /// Returns `None` for a hold or a cancellation. New items get their ids from `pending`.
    fn asked_values(
        &self,
        pending: &PendingChange,
        context: &Context,
    ) -> Result<Option<Values>, OrderError> {
        let draft = match &pending.request {
            ChangeRequest::Update(draft) => draft,
            ChangeRequest::Label { url } => return Ok(Some(Values::Label(url.clone()))),
            ChangeRequest::Hold { .. } | ChangeRequest::Cancel { .. } => return Ok(None),
        };
        // Items that the update adds have no old value.
        let line_ids =
            pending
                .changes
                .iter()
                .filter_map(|change| match (&change.old, &change.new) {
                    (Value::None, Value::Line(line)) => Some(line.id),
                    _ => None,
                });
        // The check calls `new_id` through a shared reference.
        let added = std::cell::RefCell::new(line_ids);
        let new_id = || {
            let known = added.borrow_mut().next();
            known.unwrap_or_else(|| ItemId::new(self.writer.ids.next(context.now)))
        };
        let valid = draft
            .check(Role::Store, &new_id)
            .map_err(|report| no_longer_fits(report.into(), pending))?;
        Ok(Some(Values::Update(Box::new(valid))))
    }
}

fn no_longer_fits(error: OrderError, pending: &PendingChange) -> OrderError {
    let refuse = |violations: Vec<Violation>| OrderError::NotEditable {
        items: pending.items.clone(),
        violations,
    };
    match error {
        OrderError::Invalid { violations, .. } | OrderError::UnknownItem(violations) => {
            refuse(violations)
        }
        error => error,
    }
}
