//! Creating an order, and answering a repeated request with the order that is there.

use super::request::{Extent, OrderDraft};
use super::{
    ExistingOrder, InvalidOrder, Lookup, NewOrder, Order, OrderError, OrderKind, OrderParts,
    OrderService, OrderWrite, Placed, Source,
};
use crate::error::{RepositoryError, Result};
use crate::fulfilment::{Caller, Placement, place};
use crate::money::{Amount, Currency};
use crate::report::{Report, Warning};
use crate::store::Store;

use super::error::{check_content, defect};
use super::price::{ItemPosition, Price, PriceRequest, Purpose, incomplete_total};

/// How often an order is priced anew when an import came in between.
const ATTEMPTS: usize = 16;

impl OrderService {
    /// Creates a normal order.
    ///
    /// # Errors
    /// [`OrderError::Invalid`], [`OrderError::Duplicate`] and [`OrderError::Repository`].
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

    /// Creates an order that is shipped with a prepared label.
    /// Same errors as [`OrderService::create`].
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

    /// Places an order of any kind and source. If the catalog changes meanwhile, the order is priced again.
    ///
    /// # Errors
    /// As [`create`](Self::create).
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

    /// Usually nothing is read before the write: the unique key of orders reports that an order
    /// exists. If the catalog or the store's settings refuse the request, a repeated one must still
    /// be recognised.
    async fn try_to_place(
        &self,
        store: &Store,
        draft: &OrderDraft,
        (kind, source): (OrderKind, Source),
        by: &Caller,
    ) -> Result<Placed, OrderError> {
        let now = self.clock.now();
        let (mut parts, warnings) = draft.check(kind, Extent::Order, store, now, &*self.ids)?;
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
        match self.write_with(write, Some(price.catalog)).await {
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
            // A name from a changed catalog can make a repeated request too large; it is a repeated
            // one all the same.
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
        place(parts, seconds, &by.at(parts.created_at())).map_err(defect)
    }

    async fn repeated_or_refused(&self, attempt: Attempt<'_>) -> Result<Placed, OrderError> {
        match self.repeated(&attempt, None).await? {
            Some(placed) => Ok(placed),
            None => Err(attempt.report.into()),
        }
    }

    /// Returns the order that has the request's order id; `None` if no order has it, or the request
    /// names none. Priced now, the order would have the price `now`.
    pub(super) async fn repeated(
        &self,
        attempt: &Attempt<'_>,
        now: Option<PriceOf>,
    ) -> Result<Option<Placed>, OrderError> {
        let (draft, kind) = (attempt.draft, attempt.kind);
        let Some(order_id) = draft.order_id.text() else {
            return Ok(None);
        };
        let Some(order) = self.existing(attempt.store, order_id).await? else {
            return Ok(None);
        };
        let parts = order.parts();
        if !parts.fingerprint.same_request(&draft.fingerprint(kind)) {
            return Err(OrderError::Duplicate {
                existing: ExistingOrder::from(&order),
                differing: draft.differing(kind, &parts.fingerprint),
            });
        }
        let is_unchanged = order.state.version == 1 && now == Some(price_of(parts));
        let warnings = if is_unchanged {
            attempt.report.warnings.clone()
        } else {
            // The warnings of pricing are about another order than the stored one.
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

    pub(super) async fn existing(&self, store: &Store, order_id: &str) -> Result<Option<Order>> {
        let lookup = Lookup {
            order_id: order_id.to_owned(),
            number: None,
        };
        self.orders.find(store.id, &lookup).await
    }

    /// Prices the order. Returns it with its price; `None` if the report has violations.
    pub(super) async fn priced(
        &self,
        mut parts: OrderParts,
        purpose: Purpose,
        attempt: &mut Attempt<'_>,
    ) -> Result<Option<(OrderParts, Price)>, OrderError> {
        let positions: Vec<Option<ItemPosition>> =
            (0..parts.items.len()).map(ItemPosition::of_new).collect();
        let mut items = std::mem::take(&mut parts.items);
        let request = PriceRequest {
            store: attempt.store,
            order: &parts,
            purpose,
            is_new: true,
            positions: &positions,
        };
        let report = &mut attempt.report;
        let mut price = self.price(&request, &mut items, report).await?;
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
    /// How many of the warnings are about the request alone. They are the first ones.
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
