//! Changing the values of an order: all values of a request, or none.

use super::edited::{Values, address_required};
use super::find::{NamedOrder, OrderScope};
use super::request::{LabelDraft, UpdateDraft, ValidUpdate, name_required};
use super::{DryRun, Order, OrderEditor, OrderError, OrderKind, Placed};
use crate::catalog::CatalogVersion;
use crate::check::{Field, IssueCode, Path, Report, Warning, limits};
use crate::fulfilment::{
    Caller, ChangeRequest, Decision, UpdatePlan, ask_update, plan_update, update,
};
use crate::store::Store;
use crate::value::ItemId;

use super::error::check_words;
use super::priced::{Purpose, incomplete_total};
use super::writer::{ATTEMPTS, too_many_changes};

struct EditRequest<'a> {
    named: NamedOrder<'a>,
    values: Values,
    change: ChangeRequest,
    version: Option<u32>,
    reason: Option<String>,
    warnings: Vec<Warning>,
    by: &'a Caller,
}

impl EditRequest<'_> {
    fn report(&self) -> Report {
        Report {
            violations: Vec::new(),
            warnings: self.warnings.clone(),
        }
    }
}

impl OrderEditor {
    /// Changes an order: sets the values that `draft` contains. A request that changes nothing
    /// leaves the order as it is, including prices and version. A store's request about items that
    /// are ready or in production becomes a pending change, for the print shop to decide.
    ///
    /// # Errors
    /// Any [`OrderError`] except [`OrderError::Duplicate`].
    pub async fn update(
        &self,
        reach: impl Into<OrderScope<'_>>,
        draft: &UpdateDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let request = self.update_request(reach.into(), draft, by).await?;
        self.change_values(&request).await
    }

    /// Replaces the label of an order. Same errors as [`OrderEditor::update`];
    /// [`OrderError::Invalid`] also for a manual order.
    #[pressline_kit::boxed]
    pub async fn update_label(
        &self,
        store: &Store,
        draft: &LabelDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let (valid, url) = draft.check()?;
        let request = EditRequest {
            named: NamedOrder::of_store(store, &valid.order_id),
            values: Values::Label(url.clone()),
            change: ChangeRequest::Label { url },
            version: valid.version,
            reason: valid.reason,
            warnings: valid.warnings,
            by,
        };
        self.change_values(&request).await
    }

    /// Makes a dry run of [`OrderEditor::update`], with the same errors.
    pub async fn dry_run_update(
        &self,
        reach: impl Into<OrderScope<'_>>,
        draft: &UpdateDraft,
        by: &Caller,
    ) -> Result<DryRun, OrderError> {
        let request = self.update_request(reach.into(), draft, by).await?;
        let stored = self.writer.reader.stored(&request.named).await?;
        let mut report = request.report();
        let outcome = self.decide(&request, &stored, Purpose::DryRun, &mut report);
        let order = match outcome.await?.0 {
            Decision::Unchanged => stored.clone(),
            Decision::Changed(change) => {
                // The repository checks the search words on a write, but a dry run writes nothing.
                check_words(change.order.parts())?;
                change.order
            }
        };
        Ok(DryRun::of_stored(&stored, order, report.warnings))
    }

    async fn update_request<'a>(
        &self,
        reach: OrderScope<'a>,
        draft: &UpdateDraft,
        by: &'a Caller,
    ) -> Result<EditRequest<'a>, OrderError> {
        let valid = self.checked(reach, draft, by).await?;
        Ok(EditRequest {
            named: self.writer.reader.named(reach, &valid.order_id).await?,
            change: ChangeRequest::Update(Box::new(draft.clone())),
            version: valid.version,
            reason: valid.reason.clone(),
            warnings: valid.warnings.clone(),
            values: Values::Update(Box::new(valid)),
            by,
        })
    }

    async fn change_values(&self, request: &EditRequest<'_>) -> Result<Placed, OrderError> {
        for _ in 0..ATTEMPTS {
            let stored = self.writer.reader.stored(&request.named).await?;
            let mut report = request.report();
            let outcome = self.decide(request, &stored, Purpose::Write, &mut report);
            let written = match outcome.await? {
                (Decision::Unchanged, _) => Some(stored),
                (Decision::Changed(change), catalog) => {
                    self.writer.write_priced(*change, catalog).await?
                }
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

    async fn checked(
        &self,
        reach: OrderScope<'_>,
        draft: &UpdateDraft,
        by: &Caller,
    ) -> Result<ValidUpdate, OrderError> {
        let new_id = || ItemId::new(self.writer.ids.next(self.writer.now()));
        match draft.check(by.actor.role(), &new_id) {
            Ok(valid) => Ok(valid),
            Err(report) => {
                // Reads the stored order, but only for a request that is refused anyway.
                let report = self.with_missing_address(reach, draft, report).await?;
                Err(report.into())
            }
        }
    }

    /// Adds a violation if a store omits or empties the shipping address of a manual order, and if
    /// the stored address cannot replace the customer's name.
    async fn with_missing_address(
        &self,
        reach: OrderScope<'_>,
        draft: &UpdateDraft,
        mut report: Report,
    ) -> Result<Report, OrderError> {
        let order_id = draft
            .order_id
            .text()
            .filter(|given| limits::is_order_id(given));
        let missing = match &draft.shipping_address {
            Field::Absent => true,
            Field::Value(address) => address.is_empty(),
            Field::Wrong(_) => false,
        };
        let (Some(order_id), OrderScope::Store(store), true) = (order_id, reach, missing) else {
            return Ok(report);
        };
        match self
            .writer
            .reader
            .stored(&NamedOrder::of_store(store, order_id))
            .await
        {
            Ok(order) => {
                if order.content.kind() == OrderKind::Manual {
                    address_required(&mut report);
                }
                let address = order.content.shipping_address.as_ref();
                let has_company = address.is_some_and(|address| address.company.is_some());
                if draft.needs_company() && !has_company {
                    name_required(&Path::Root.key("customer"), &mut report);
                }
            }
            // Without the fields' problems, the call would be refused because of the name.
            Err(OrderError::NotFound | OrderError::Ambiguous { .. }) => {}
            Err(error) => return Err(error),
        }
        Ok(report)
    }

    /// Adds warnings to `report`; writes no order. If the change takes effect immediately, prices
    /// it and also returns the catalog version.
    async fn decide(
        &self,
        request: &EditRequest<'_>,
        stored: &Order,
        purpose: Purpose,
        report: &mut Report,
    ) -> Result<(Decision, Option<CatalogVersion>), OrderError> {
        let context = self
            .writer
            .context(request.by, &request.reason, request.version);
        check_version(stored, request.version)?;
        let (values, before) = (request.values.clone(), (stored, &stored.state));
        let mut edited = values.apply(stored, context.role(), report)?;
        let refuse = |refusal| OrderError::refused(refusal, stored);
        // Planned before pricing: a request that changes nothing does not get new prices either.
        let plan = plan_update(stored, &edited.parts, &request.change, &context).map_err(refuse)?;
        let (decision, catalog) = match plan {
            UpdatePlan::Unchanged => (Decision::Unchanged, None),
            UpdatePlan::Ask => {
                // A change that could never be approved is refused now. Its price is decided later.
                let mut priced = edited.clone();
                priced.parts.priced_at = context.now;
                let store = &request.named.store;
                let pricing =
                    self.writer
                        .pricing
                        .price_edited(store, before, &mut priced, purpose, report);
                pricing.await?;
                // New prices apply when the change is approved, so this warning would mislead.
                let is_about_now = |warning: &Warning| warning.code == IssueCode::Repriced;
                report.warnings.retain(|warning| !is_about_now(warning));
                let id = self.writer.change_id(&context);
                let change = request.change.clone();
                let asked = ask_update(stored, &edited.parts, change, id, &context);
                (asked.map_err(refuse)?, None)
            }
            UpdatePlan::Apply => {
                edited.parts.priced_at = context.now;
                let store = &request.named.store;
                let pricing =
                    self.writer
                        .pricing
                        .price_edited(store, before, &mut edited, purpose, report);
                let catalog = pricing.await?;
                let updated = update(stored, edited.parts, &context);
                (updated.map_err(refuse)?, Some(catalog))
            }
        };
        if decision == Decision::Unchanged {
            // Pricing did not run, so its warning about missing fees is added here.
            report.warnings.extend(incomplete_total(stored));
        }
        Ok((decision, catalog))
    }
}

fn check_version(stored: &Order, version: Option<u32>) -> Result<(), OrderError> {
    let current = stored.state.version;
    let is_stale = version.is_some_and(|version| version != current);
    // A repetition of the pending request names the version before that request.
    if is_stale && stored.state.pending.is_none() {
        return Err(OrderError::VersionConflict { current });
    }
    Ok(())
}
