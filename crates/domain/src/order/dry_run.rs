//! Dry runs and estimates: the result of creating an order, without storing it.

use std::sync::Arc;

use pressline_kit::boxed;

use super::create::{Attempt, price_of};
use super::error::{check_content, check_words};
use super::priced::Purpose;
use super::request::{Extent, OrderDraft};
use super::{
    DryRun, DryRunOrder, InvalidOrder, OrderError, OrderKind, OrderParts, OrderPlacer, check,
    check_size,
};
use crate::check::Report;
use crate::event::Actor;
use crate::fulfilment::{Caller, SnapshotParts};
use crate::store::Store;
use crate::value::ServiceOrderId;

impl OrderPlacer {
    /// Prices the cart `draft`: returns the order that would be created, and the ship classes to
    /// choose from. With a label, it would be a label order. `draft` must have line items and,
    /// without a label, country and province of the destination. Other fields are checked if
    /// present.
    ///
    /// If an order already has the order id, returns this order or refuses the request, like
    /// [`OrderPlacer::create`]. Same errors as [`OrderPlacer::create`].
    #[boxed]
    pub async fn estimate(&self, store: &Store, draft: &OrderDraft) -> Result<DryRun, OrderError> {
        self.dry_run(store, draft, draft.kind(), Extent::Cart).await
    }

    /// Makes a dry run of a creation. Same errors as [`OrderPlacer::create`].
    #[boxed]
    pub async fn dry_run_create(
        &self,
        store: &Store,
        draft: &OrderDraft,
        kind: OrderKind,
    ) -> Result<DryRun, OrderError> {
        self.dry_run(store, draft, kind, Extent::Order).await
    }

    async fn dry_run(
        &self,
        store: &Store,
        draft: &OrderDraft,
        kind: OrderKind,
        extent: Extent,
    ) -> Result<DryRun, OrderError> {
        let now = self.writer.now();
        let (parts, warnings) = draft.check(kind, extent, store, now, &*self.writer.ids)?;
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
        // A stored order comes first, even if the request would be refused now.
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
        // The repository checks the search words on a write, but a dry run writes nothing.
        check_words(&parts)?;
        Ok(DryRun {
            unstored: parts.items.iter().map(|item| item.id).collect(),
            order: DryRunOrder::New(Box::new(self.unstored(store, parts)?)),
            shipping_options: price.options,
            warnings: attempt.report.warnings,
        })
    }

    fn unstored(&self, store: &Store, parts: OrderParts) -> Result<SnapshotParts, OrderError> {
        // Only the event of the placement names the caller, and it is dropped here.
        let service = Caller::new(Actor::Service);
        Ok(SnapshotParts {
            service_order_id: ServiceOrderId {
                prefix: store.prefix.clone(),
                // The store's counter assigns the number when an order is stored.
                number: 0,
            },
            state: self.placement(store, &parts, &service)?.state,
            content: Arc::new(parts),
            shipments: Vec::new(),
            corrections: Vec::new(),
        })
    }
}

/// Checks only the size of a cart. If the content is too large, adds a violation and returns
/// `false`. Another broken rule is an error, because the checks of requests have a defect.
fn check_dry_run(
    parts: &OrderParts,
    extent: Extent,
    report: &mut Report,
) -> Result<bool, OrderError> {
    let checked = match extent {
        Extent::Order => check(parts),
        // The other rules are about complete orders; a cart may lack its order id.
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
