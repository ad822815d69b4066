//! What creating an order would result in: dry runs and estimates. Nothing is stored.

use std::sync::Arc;

use pressline_kit::boxed;

use super::create::{Attempt, price_of};
use super::error::{check_content, check_words};
use super::price::Purpose;
use super::request::{Extent, OrderDraft};
use super::{
    DryRun, DryRunOrder, InvalidOrder, OrderError, OrderKind, OrderParts, OrderService, check,
    check_size,
};
use crate::event::Actor;
use crate::fulfilment::{Caller, SnapshotParts};
use crate::id::ServiceOrderId;
use crate::report::Report;
use crate::store::Store;

impl OrderService {
    /// Prices a cart: what creating an order of it would cost, and the ship classes to choose from.
    /// A label makes it a label order. Of the draft it requires the line items and, without a
    /// label, country and province of the destination; the rest is checked if it is present.
    ///
    /// An order id is looked up as in [`OrderService::create`].
    /// Same errors as [`OrderService::create`].
    #[boxed]
    pub async fn estimate(&self, store: &Store, draft: &OrderDraft) -> Result<DryRun, OrderError> {
        self.dry_run(store, draft, draft.kind(), Extent::Cart).await
    }

    /// Returns what [`OrderService::create`] would result in. Stores nothing.
    /// Same errors as [`OrderService::create`].
    #[boxed]
    pub async fn dry_run_create(
        &self,
        store: &Store,
        draft: &OrderDraft,
    ) -> Result<DryRun, OrderError> {
        self.dry_run(store, draft, OrderKind::Manual, Extent::Order)
            .await
    }

    /// Returns what [`OrderService::create_label`] would result in. Stores nothing.
    /// Same errors as [`OrderService::create`].
    #[boxed]
    pub async fn dry_run_create_label(
        &self,
        store: &Store,
        draft: &OrderDraft,
    ) -> Result<DryRun, OrderError> {
        self.dry_run(store, draft, OrderKind::Label, Extent::Order)
            .await
    }

    async fn dry_run(
        &self,
        store: &Store,
        draft: &OrderDraft,
        kind: OrderKind,
        extent: Extent,
    ) -> Result<DryRun, OrderError> {
        let now = self.clock.now();
        let (parts, warnings) = draft.check(kind, extent, store, now, &*self.ids)?;
        let mut attempt = Attempt::new(store, draft, kind, warnings);
        let purpose = match extent {
            Extent::Order => Purpose::DryRun,
            Extent::Cart => Purpose::Estimate,
        };
        let priced = self.priced(parts, purpose, &mut attempt).await?;
        let checked = match priced {
            Some(priced) if check_dry_run(&priced.0, extent, &mut attempt.report)? => Some(priced),
            _ => None,
        };
        let now = checked.as_ref().map(|(parts, _)| price_of(parts));
        if let Some(placed) = self.repeated(&attempt, now).await? {
            return Ok(DryRun {
                order: DryRunOrder::Existing(Box::new(placed.order)),
                unstored: Vec::new(),
                shipping_options: None,
                warnings: placed.warnings,
            });
        }
        let Some((parts, price)) = checked else {
            return Err(attempt.report.into());
        };
        check_words(&parts)?;
        Ok(DryRun {
            unstored: parts.items.iter().map(|item| item.id).collect(),
            order: DryRunOrder::New(Box::new(self.unstored(store, parts)?)),
            shipping_options: price.options,
            warnings: attempt.report.warnings,
        })
    }

    fn unstored(&self, store: &Store, parts: OrderParts) -> Result<SnapshotParts, OrderError> {
        // The event of the placement, which names the caller, is dropped.
        let service = Caller {
            actor: Actor::Service,
            request_id: None,
        };
        Ok(SnapshotParts {
            service_order_id: ServiceOrderId {
                prefix: store.prefix.clone(),
                number: 0,
            },
            state: self.placement(store, &parts, &service)?.state,
            content: Arc::new(parts),
            shipments: Vec::new(),
            corrections: Vec::new(),
        })
    }
}

/// Checks the order of a dry run or an estimate. Returns false if it has too much content, which joins the report.
fn check_dry_run(
    parts: &OrderParts,
    extent: Extent,
    report: &mut Report,
) -> Result<bool, OrderError> {
    let checked = match extent {
        Extent::Order => check(parts),
        Extent::Cart => check_size(parts),
    };
    match checked {
        Ok(()) => Ok(true),
        Err(InvalidOrder::Content(bytes)) => {
            check_content(bytes, report);
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}
