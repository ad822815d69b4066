//! Creating an order; a repeated request gets the stored order.

use super::request::{Extent, OrderDraft};
use super::{
    InvalidOrder, NewOrder, OrderError, OrderIdentity, OrderKind, OrderParts, OrderPlacer,
    OrderWrite, Placed, Source,
};
use crate::check::{Report, Warning};
use crate::error::{RepositoryError, Result};
use crate::fulfilment::{Caller, Placement, place};
use crate::store::Store;
use crate::value::{Amount, Currency};

use super::error::{check_content, defect};
use super::priced::{ItemPosition, Price, PriceRequest, Purpose, incomplete_total};

/// Each import that changes the catalog during the pricing costs a further attempt.
const ATTEMPTS: usize = 16;

impl OrderPlacer {
    /// Creates a manual order, which the print shop ships. If the same request has already created
    /// it, returns the stored order, with [`Placed::replayed`] set to `true`.
    ///
    /// # Errors
    /// [`OrderError::Invalid`] if the request has problems, [`OrderError::Duplicate`] if another
    /// request has used the order id, and [`OrderError::Repository`] if the storage fails.
    #[pressline_kit::boxed]
    pub async fn create(
        &self,
        store: &Store,
        draft: &OrderDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        self.place(store, draft, (OrderKind::Manual, Source::Store), by)
            .await
    }

    /// Creates a label order, with the store's own label. Same errors as [`OrderPlacer::create`].
    #[pressline_kit::boxed]
    pub async fn create_label(
        &self,
        store: &Store,
        draft: &OrderDraft,
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        self.place(store, draft, (OrderKind::Label, Source::Store), by)
            .await
    }

    /// Places an order of the kind and source `origin`; prices it again if the catalog changes
    /// meanwhile. Same errors as [`OrderPlacer::create`].
    pub async fn place(
        &self,
        store: &Store,
        draft: &OrderDraft,
        origin: (OrderKind, Source),
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        for _ in 0..ATTEMPTS {
            match self.try_to_place(store, draft, origin, by).await {
                Err(OrderError::Repository(RepositoryError::CatalogChanged)) => {}
                outcome => return outcome,
            }
        }
        Err(RepositoryError::Unavailable("the catalog changes all the time".into()).into())
    }

    /// Tries once to place the order in `draft`. Usually reads no order before the write, because
    /// the unique key of orders reports an existing order. If the catalog or the store's settings
    /// refuse the request, it can still be a repetition, so the existing order is looked up.
    /// Returns [`RepositoryError::CatalogChanged`] if the catalog changes before the write.
    async fn try_to_place(
        &self,
        store: &Store,
        draft: &OrderDraft,
        (kind, source): (OrderKind, Source),
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let now = self.writer.now();
        let (mut parts, warnings) =
            draft.check(kind, Extent::Order, store, now, &*self.writer.ids)?;
        parts.source = source;
        let mut attempt = Attempt::new(store, draft, kind, warnings);
        let Some((parts, price)) = self.priced(parts, Purpose::Write, &mut attempt).await? else {
            return self.repeated_or_refused(attempt).await;
        };
        let now = price_of(&parts);
        let placement = self.placement(store, &parts, by)?;
        let order = match NewOrder::new(parts, placement) {
            Ok(order) => order,
            Err(InvalidOrder::Content(bytes)) => {
                check_content(bytes, &mut attempt.report);
                return self.repeated_or_refused(attempt).await;
            }
            Err(error) => return Err(error.into()),
        };
        let write = OrderWrite::create(order);
        match self.writer.write_with(write, Some(price.catalog)).await {
            Ok(order) => Ok(Placed {
                order,
                warnings: attempt.report.warnings,
                replayed: false,
            }),
            Err(RepositoryError::Duplicate(_)) => {
                let repeated = self.repeated(&attempt, Some(now)).await?;
                repeated.ok_or_else(|| {
                    let gone = "the order with this order id no longer exists";
                    RepositoryError::Unavailable(gone.into()).into()
                })
            }
            // A product name from a changed catalog can make a repeated request too large.
            Err(error @ RepositoryError::TooLarge(_)) => {
                let repeated = self.repeated(&attempt, None).await?;
                repeated.ok_or_else(|| error.into())
            }
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn placement(
        &self,
        store: &Store,
        parts: &OrderParts,
        by: &Caller,
    ) -> Result<Placement, OrderError> {
        let window = store.settings.cooling_off_seconds;
        let seconds = window.unwrap_or(self.cooling_off_seconds);
        // The first event has the creation time that the order's id contains.
        place(parts, seconds, &by.at(parts.created_at())).map_err(defect)
    }

    async fn repeated_or_refused(&self, attempt: Attempt<'_>) -> Result<Placed, OrderError> {
        match self.repeated(&attempt, None).await? {
            Some(placed) => Ok(placed),
            None => Err(attempt.report.into()),
        }
    }

    /// Returns the stored order if the request in `attempt` has already created it. Refuses with
    /// [`OrderError::Duplicate`] if another request has used the order id. `now` is the price by
    /// the current catalog; `None` if not priced. Warnings of pricing are returned only if the
    /// stored order is unchanged and its price equals `now`.
    pub(super) async fn repeated(
        &self,
        attempt: &Attempt<'_>,
        now: Option<PriceOf>,
    ) -> Result<Option<Placed>, OrderError> {
        let (draft, kind) = (attempt.draft, attempt.kind);
        let Some(order_id) = draft.order_id.text() else {
            return Ok(None);
        };
        let Some(order) = self.writer.reader.existing(attempt.store, order_id).await? else {
            return Ok(None);
        };
        let parts = order.parts();
        // Compares the digest, not the stored order, which an update may have changed since.
        if !parts.fingerprint.same_request(&draft.fingerprint(kind)) {
            return Err(OrderError::Duplicate {
                existing: OrderIdentity::new(&order),
                differing: draft.differing(kind, &parts.fingerprint),
            });
        }
        let is_unchanged = order.state.version == 1 && now == Some(price_of(parts));
        let warnings = if is_unchanged {
            attempt.report.warnings.clone()
        } else {
            // The warnings of pricing are about the order as priced now, not as stored.
            let of_request = attempt.report.warnings.iter().take(attempt.of_request);
            let incomplete = incomplete_total(&order);
            of_request.cloned().chain(incomplete).collect()
        };
        Ok(Some(Placed {
            order,
            warnings,
            replayed: true,
        }))
    }

    /// Adds problems to `attempt.report`. Returns `None` if they include violations.
    pub(super) async fn priced(
        &self,
        mut parts: OrderParts,
        purpose: Purpose,
        attempt: &mut Attempt<'_>,
    ) -> Result<Option<(OrderParts, Price)>, OrderError> {
        let positions: Vec<Option<ItemPosition>> =
            (0..parts.items.len()).map(ItemPosition::of_new).collect();
        // Taken out, because pricing changes the items while it reads the rest of the order.
        let mut items = std::mem::take(&mut parts.items);
        let request = PriceRequest {
            store: attempt.store,
            order: &parts,
            purpose,
            is_new: true,
            positions: &positions,
        };
        let report = &mut attempt.report;
        let mut price = self
            .writer
            .pricing
            .price(&request, &mut items, report)
            .await?;
        parts.items = items;
        if !report.violations.is_empty() {
            return Ok(None);
        }
        parts.bill = std::mem::take(&mut price.bill);
        Ok(Some((parts, price)))
    }
}

pub(super) struct Attempt<'a> {
    store: &'a Store,
    draft: &'a OrderDraft,
    kind: OrderKind,
    pub(super) report: Report,
    /// Number of warnings at the beginning of `report` that do not come from pricing.
    of_request: usize,
}

impl<'a> Attempt<'a> {
    pub(super) fn new(
        store: &'a Store,
        draft: &'a OrderDraft,
        kind: OrderKind,
        warnings: Vec<Warning>,
    ) -> Self {
        Self {
            store,
            draft,
            kind,
            of_request: warnings.len(),
            report: Report {
                violations: Vec::new(),
                warnings,
            },
        }
    }
}

pub(super) fn price_of(parts: &OrderParts) -> PriceOf {
    (parts.currency, parts.bill.fees())
}

pub(super) type PriceOf = (Currency, [Option<Amount>; 6]);
