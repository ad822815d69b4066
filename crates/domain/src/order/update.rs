//! Changing an order: all of a request or nothing of it.

use super::OrderWrite;
use super::request::{OptionalChange, UpdateDraft, ValidUpdate};
use crate::catalog::CatalogVersion;
use crate::error::RepositoryError;
use crate::field::Field;
use crate::fulfilment::{
    Caller, Change, ChangeRequest, Context, Decision, ItemStatus, UpdatePlan, ask_update,
    plan_update, update,
};
use crate::id::{ChangeId, ItemId};
use crate::limits;
use crate::order::{LineItem, Order, OrderKind, OrderParts, check};
use crate::report::{Path, Report};
use crate::store::Store;

use super::content::{self, check_content};
use super::edit::{Edited, edit};
use super::error::{check_words, refused};
use super::find::Named;
use super::price::{ItemPosition, PriceRequest, Purpose, total_incomplete};
use super::repriced::repriced;
use super::{DryRun, DryRunOrder, OrderError, OrderService, Placed};

/// How often an update is decided again when another one came in between. Of updates at once one
/// wins each round, so that this many of them can all be carried out.
const ATTEMPTS: usize = 64;

/// What an update comes to.
enum Outcome {
    /// The request asks for nothing that differs from what is stored, or is pending.
    Unchanged,
    /// The change, and the state of the catalog that it was priced with; `None` if the shop has to
    /// decide it first.
    Changed(Box<Change>, Option<CatalogVersion>),
}

/// A request to update a stored order.
struct UpdateRequest<'a> {
    store: &'a Store,
    stored: &'a Order,
    draft: &'a UpdateDraft,
    by: &'a Caller,
    purpose: Purpose,
}

impl OrderService {
    /// Changes an order. A request that changes nothing leaves it as it is, prices and version
    /// included. One that concerns items at work is kept as pending, until the shop decides it.
    ///
    /// # Errors
    /// Every [`OrderError`] but [`OrderError::Duplicate`].
    pub async fn update(
        &self,
        store: &Store,
        draft: &UpdateDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let valid = self.checked(store, draft).await?;
        let named = Named::of_store(store, &valid.order_id);
        for _ in 0..ATTEMPTS {
            let stored = self.stored(&named).await?;
            let mut report = Report {
                violations: Vec::new(),
                warnings: valid.warnings.clone(),
            };
            let request = UpdateRequest {
                store,
                stored: &stored,
                draft,
                by,
                purpose: Purpose::Write,
            };
            let outcome = self.decide(&request, valid.clone(), &mut report).await?;
            let Outcome::Changed(change, catalog) = outcome else {
                return Ok(Placed {
                    order: stored,
                    warnings: report.warnings,
                    replayed: false,
                });
            };
            let mut write = OrderWrite::change(*change);
            if let Some(catalog) = catalog {
                write = write.priced_with(catalog);
            }
            match self.orders.write(write).await {
                Ok(order) => {
                    return Ok(Placed {
                        order,
                        warnings: report.warnings,
                        replayed: false,
                    });
                }
                Err(RepositoryError::Stale) => {}
                Err(RepositoryError::CatalogChanged) => {
                    if let Some(catalog) = catalog {
                        self.catalog.forget(catalog);
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(OrderError::Repository(RepositoryError::Unavailable(
            "too many updates of one order at once".into(),
        )))
    }

    /// Returns what [`OrderService::update`] would result in. Stores nothing.
    ///
    /// # Errors
    /// As [`OrderService::update`].
    pub async fn dry_run_update(
        &self,
        store: &Store,
        draft: &UpdateDraft,
        by: &Caller,
    ) -> Result<DryRun, OrderError> {
        let valid = self.checked(store, draft).await?;
        let named = Named::of_store(store, &valid.order_id);
        let stored = self.stored(&named).await?;
        let mut report = Report {
            violations: Vec::new(),
            warnings: valid.warnings.clone(),
        };
        let request = UpdateRequest {
            store,
            stored: &stored,
            draft,
            by,
            purpose: Purpose::DryRun,
        };
        let order = match self.decide(&request, valid, &mut report).await? {
            Outcome::Unchanged => Box::new(stored.clone()),
            Outcome::Changed(change, _) => {
                check_words(change.order.parts())?;
                Box::new(change.order)
            }
        };
        let is_stored = |id| stored.parts().items.iter().any(|item| item.id == id);
        let unstored = order
            .parts()
            .items
            .iter()
            .map(|item| item.id)
            .filter(|id| !is_stored(*id))
            .collect();
        Ok(DryRun {
            order: DryRunOrder::Existing(order),
            unstored,
            shipping_options: None,
            warnings: report.warnings,
        })
    }

    async fn checked(&self, store: &Store, draft: &UpdateDraft) -> Result<ValidUpdate, OrderError> {
        let new_id = || ItemId::new(self.ids.next(self.clock.now()));
        match draft.check(&new_id) {
            Ok(valid) => Ok(valid),
            Err(report) => Err(self
                .with_missing_address(store, draft, report)
                .await?
                .into()),
        }
    }

    /// A missing shipping address is one more problem to report, but only of an order that needs
    /// one.
    async fn with_missing_address(
        &self,
        store: &Store,
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
        let Some(order_id) = order_id.filter(|_| missing) else {
            return Ok(report);
        };
        match self.stored(&Named::of_store(store, order_id)).await {
            Ok(order) if order.content.kind() == OrderKind::Manual => address_required(&mut report),
            Ok(_) | Err(OrderError::NotFound) => {}
            Err(error) => return Err(error),
        }
        Ok(report)
    }

    /// Decides what becomes of the order. Apart from the prices, for which the catalog is asked,
    /// this is pure.
    async fn decide(
        &self,
        request: &UpdateRequest<'_>,
        mut valid: ValidUpdate,
        report: &mut Report,
    ) -> Result<Outcome, OrderError> {
        let (stored, parts) = (request.stored, request.stored.parts());
        let context = Context {
            version: valid.version,
            ..request.by.at(self.clock.now())
        };
        check_allowed(stored, &valid, report)?;
        let updates = std::mem::take(&mut valid.items);
        let Edited { items, positions } = edit(parts, updates, report)?;
        let mut edited = OrderParts {
            items,
            ..parts.clone()
        };
        valid.apply(&mut edited);
        let change = ChangeRequest::Update(Box::new(request.draft.clone()));
        let refuse = |refusal| refused(refusal, stored);
        // Planned before pricing, so that a request that changes nothing does not take up new prices
        // either.
        let plan = plan_update(stored, &edited, &change, &context).map_err(refuse)?;
        let (decision, catalog) = match plan {
            UpdatePlan::AlreadySo => (Decision::AlreadySo, None),
            UpdatePlan::Ask => {
                check(&edited).map_err(|error| content::refused(error, report))?;
                let id = ChangeId::new(self.ids.next(context.now));
                let asked = ask_update(stored, &edited, change, id, &context);
                (asked.map_err(refuse)?, None)
            }
            UpdatePlan::Apply => {
                edited.priced_at = context.now;
                let catalog = self
                    .price_edited(request, &mut edited, &positions, report)
                    .await?;
                let updated = update(stored, edited, &context);
                (updated.map_err(refuse)?, Some(catalog))
            }
        };
        match decision {
            Decision::Changed(change) => Ok(Outcome::Changed(change, catalog)),
            Decision::AlreadySo => {
                let incomplete = total_incomplete(parts.kind(), &parts.bill);
                report.warnings.extend(incomplete);
                Ok(Outcome::Unchanged)
            }
        }
    }

    /// Prices the items that are not cancelled, by the prices of `edited.priced_at`. Returns the state of
    /// the catalog that has them.
    async fn price_edited(
        &self,
        request: &UpdateRequest<'_>,
        edited: &mut OrderParts,
        positions: &[Option<ItemPosition>],
        report: &mut Report,
    ) -> Result<CatalogVersion, OrderError> {
        let before = request.stored.parts();
        let is_priced = |(line, _): &(LineItem, Option<ItemPosition>)| {
            let state = request.stored.state.item(line.id);
            state.is_none_or(|item| item.status != ItemStatus::Cancelled)
        };
        let lines = edited.items.iter().cloned();
        let pairs = lines.zip(positions.iter().copied()).filter(is_priced);
        let (mut priced, positions): (Vec<_>, Vec<_>) = pairs.unzip();
        let price = PriceRequest {
            store: request.store,
            kind: before.kind(),
            currency: before.currency,
            address: edited.shipping_address.as_ref(),
            at: edited.priced_at,
            purpose: request.purpose,
            is_new: false,
            positions: &positions,
        };
        let price = self.price(&price, &mut priced, report).await?;
        for line in priced {
            let mut items = edited.items.iter_mut();
            if let Some(item) = items.find(|item| item.id == line.id) {
                *item = line;
            }
        }
        edited.bill = price.bill;
        if !report.violations.is_empty() {
            check_content(edited.content_bytes(), report);
            return Err(std::mem::take(report).into());
        }
        let repriced = repriced(before, edited);
        check(edited).map_err(|error| content::refused(error, report))?;
        report.warnings.extend(repriced);
        Ok(price.catalog)
    }
}

/// Checks what depends on the stored order: whether it may be without an address, and its version.
fn check_allowed(
    stored: &Order,
    valid: &ValidUpdate,
    report: &mut Report,
) -> Result<(), OrderError> {
    let has_address = matches!(valid.shipping_address, OptionalChange::Set(Some(_)));
    if stored.parts().kind() == OrderKind::Manual && !has_address {
        address_required(report);
        return Err(std::mem::take(report).into());
    }
    let current = stored.state.version;
    let is_stale = valid.version.is_some_and(|version| version != current);
    // The request that is pending may be repeated with the version that it had.
    if is_stale && stored.state.pending.is_none() {
        return Err(OrderError::VersionConflict { current });
    }
    Ok(())
}

fn address_required(report: &mut Report) {
    report.required(&Path::Root.key("shipping_address"), "where the order goes");
}
