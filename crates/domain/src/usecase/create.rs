//! Creating an order, and answering a repeated request with the order that is there.

use crate::id::{ItemId, OrderId};
use crate::order::{LineItem, NewOrder, Order, OrderParts, Source};
use crate::ports::{Lookup, OrderWrite, RepositoryError};
use crate::report::Report;
use crate::request::{KindRule, OrderDraft, ValidItem, ValidOrder};
use crate::store::Store;
use crate::time::Timestamp;

use super::price::{Place, Purpose, Subject, total_incomplete};
use super::{ExistingOrder, OrderError, OrderService, Placed};

impl OrderService {
    /// Creates a normal order.
    ///
    /// # Errors
    /// [`OrderError::Invalid`], [`OrderError::Duplicate`] and [`OrderError::Repository`].
    pub async fn create(&self, store: &Store, draft: &OrderDraft) -> Result<Placed, OrderError> {
        self.place(store, draft, KindRule::Manual).await
    }

    /// Creates an order that is shipped with a prepared label.
    ///
    /// # Errors
    /// As [`OrderService::create`].
    pub async fn create_label(&self, store: &Store, draft: &OrderDraft) -> Result<Placed, OrderError> {
        self.place(store, draft, KindRule::Label).await
    }

    /// The common way never reads before it writes: the database's unique key tells that an order exists. Where the
    /// catalog or the store's settings refuse the request, a repeated one must still be answered as such.
    async fn place(&self, store: &Store, draft: &OrderDraft, rule: KindRule) -> Result<Placed, OrderError> {
        let mut valid = draft.check(rule)?;
        let request_warnings = std::mem::take(&mut valid.warnings);
        let order_id = valid.order_id.clone();
        let fingerprint = valid.fingerprint.clone();
        let mut report = Report { violations: Vec::new(), warnings: request_warnings.clone() };
        let order = self.priced(store, valid, &mut report).await?;
        let price_now = order.as_ref().map(|order| (order.parts().currency, order.parts().fees));
        let existing = match order {
            None => self.existing(store, &order_id).await?,
            Some(order) => match self.orders.write(OrderWrite::Create(Box::new(order))).await {
                Ok(order) => return Ok(Placed { order, warnings: report.warnings, replayed: false }),
                Err(RepositoryError::Duplicate(_)) => self.existing(store, &order_id).await?,
                Err(error) => return Err(error.into()),
            },
        };
        match existing {
            Some(order) if order.parts().fingerprint.same_request(&fingerprint) => {
                let parts = order.parts();
                let mut warnings = request_warnings;
                if parts.version == 1 && price_now == Some((parts.currency, parts.fees)) {
                    warnings = report.warnings;
                } else {
                    // What pricing said just now is about another order than the stored one.
                    warnings.extend(total_incomplete(&parts.kind, &parts.fees));
                }
                Ok(Placed { order, warnings, replayed: true })
            }
            Some(order) => Err(OrderError::Duplicate {
                existing: ExistingOrder::from(&order),
                differing: draft.differing(rule, &order.parts().fingerprint),
            }),
            None if report.violations.is_empty() => {
                let gone = "the order that stood in the way is gone";
                Err(RepositoryError::Unavailable(gone.into()).into())
            }
            None => Err(report.into()),
        }
    }

    async fn existing(&self, store: &Store, order_id: &str) -> Result<Option<Order>, RepositoryError> {
        self.orders.find(store.id, &Lookup { order_id: order_id.to_owned(), number: None }).await
    }

    /// The order with its fees; `None` where the report has violations.
    async fn priced(
        &self,
        store: &Store,
        valid: ValidOrder,
        report: &mut Report,
    ) -> Result<Option<NewOrder>, OrderError> {
        let now = self.clock.now();
        let id = OrderId::new(self.ids.next(now));
        let mut items: Vec<LineItem> = valid.items.into_iter().map(|item| self.new_item(item, now)).collect();
        let places: Vec<Option<Place>> =
            (0..items.len()).map(|index| Some(Place { index, binding: true })).collect();
        let purpose = Purpose { creating: true, strict: store.settings.strict_catalog, places: &places };
        let destination = valid.shipping_address.as_ref();
        let subject = Subject { kind: &valid.kind, currency: store.currency, destination };
        let fees = self.price(&subject, &mut items, &purpose, report).await?;
        if !report.violations.is_empty() {
            return Ok(None);
        }
        let parts = OrderParts {
            id,
            store_id: store.id,
            order_id: valid.order_id,
            kind: valid.kind,
            source: Source::Store,
            version: 1,
            created_at: now,
            updated_at: now,
            currency: store.currency,
            email: valid.email,
            shipping_address: valid.shipping_address,
            billing_address: valid.billing_address,
            customer: valid.customer,
            production_note: None,
            items,
            fees,
            fingerprint: valid.fingerprint,
        };
        NewOrder::new(parts).map(Some).map_err(OrderError::from)
    }

    pub(super) fn new_item(&self, item: ValidItem, now: Timestamp) -> LineItem {
        LineItem {
            id: ItemId::new(self.ids.next(now)),
            ref_id: item.ref_id,
            name: item.name,
            sku: item.sku,
            quantity: item.quantity,
            ship_class: item.ship_class,
            file_urls: item.file_urls,
            mockup_images: item.mockup_images,
            areas: Vec::new(),
            status: None,
            unit_cost: None,
        }
    }
}
