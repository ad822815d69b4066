//! Creating an order, and answering a repeated request with the order that is there.

use super::request::{Extent, KindRule, OrderDraft, ValidItem, ValidOrder};
use super::{Lookup, OrderWrite};
use crate::error::RepositoryError;
use crate::id::{ItemId, OrderId};
use crate::money::Currency;
use crate::order::{InvalidOrder, LineItem, NewOrder, Order, OrderParts, Source};
use crate::pricing::fees::Fees;
use crate::report::{Report, Warning};
use crate::store::Store;
use crate::time::Timestamp;

use super::content::check_content;
use super::error::check_words;
use super::price::{Intent, Place, Price, Purpose, Subject, total_incomplete};
use super::{Cart, ExistingOrder, OrderError, OrderService, Placed, Quote, QuotedOrder};

/// How often an order is priced anew when an import came in between.
const ATTEMPTS: usize = 16;

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
    pub async fn create_label(
        &self,
        store: &Store,
        draft: &OrderDraft,
    ) -> Result<Placed, OrderError> {
        self.place(store, draft, KindRule::Label).await
    }

    /// Prices a cart: what creating an order of it would cost, and the ship classes to choose from.
    /// A label makes it a label order. Of the draft it requires the line items and, without a
    /// label, country and province of the destination; the rest is checked if it is present.
    ///
    /// An order id is looked up as in [`OrderService::create`].
    ///
    /// # Errors
    /// As [`OrderService::create`].
    pub async fn estimate(&self, store: &Store, draft: &OrderDraft) -> Result<Quote, OrderError> {
        self.quote(store, draft, draft.kind_rule(), Extent::Cart)
            .await
    }

    /// What [`OrderService::create`] would come to, storing nothing.
    ///
    /// # Errors
    /// As [`OrderService::create`].
    pub async fn quote_create(
        &self,
        store: &Store,
        draft: &OrderDraft,
    ) -> Result<Quote, OrderError> {
        self.quote(store, draft, KindRule::Manual, Extent::Order)
            .await
    }

    /// What [`OrderService::create_label`] would come to, storing nothing.
    ///
    /// # Errors
    /// As [`OrderService::create`].
    pub async fn quote_label(
        &self,
        store: &Store,
        draft: &OrderDraft,
    ) -> Result<Quote, OrderError> {
        self.quote(store, draft, KindRule::Label, Extent::Order)
            .await
    }

    async fn quote(
        &self,
        store: &Store,
        draft: &OrderDraft,
        rule: KindRule,
        extent: Extent,
    ) -> Result<Quote, OrderError> {
        let mut valid = draft.check(rule, extent)?;
        let mut report = Report {
            violations: Vec::new(),
            warnings: std::mem::take(&mut valid.warnings),
        };
        let intent = match extent {
            Extent::Order => Intent::Quote,
            Extent::Cart => Intent::Estimate,
        };
        let priced = self.priced(store, valid, intent, &mut report).await?;
        let now = priced
            .as_ref()
            .map(|(parts, _)| ((parts.currency, parts.fees), report.warnings.clone()));
        if let Some(placed) = self.repeated(store, draft, (rule, extent), now).await? {
            return Ok(Quote {
                order: QuotedOrder::Existing(Box::new(placed.order)),
                unstored: Vec::new(),
                shipping_options: None,
                warnings: placed.warnings,
            });
        }
        let Some((parts, price)) = priced else {
            return Err(report.into());
        };
        check_words(&parts)?;
        let unstored = parts.items.iter().map(|item| item.id).collect();
        let order = match extent {
            Extent::Order => QuotedOrder::New(Box::new(NewOrder::new(parts)?)),
            Extent::Cart => {
                let total = parts.fees.total().map_err(|_| InvalidOrder::Total)?;
                QuotedOrder::Cart(Box::new(Cart { parts, total }))
            }
        };
        Ok(Quote {
            order,
            unstored,
            shipping_options: price.options,
            warnings: report.warnings,
        })
    }

    /// Where the catalog changed since the order was priced, it is priced again.
    async fn place(
        &self,
        store: &Store,
        draft: &OrderDraft,
        rule: KindRule,
    ) -> Result<Placed, OrderError> {
        for _ in 0..ATTEMPTS {
            match self.try_to_place(store, draft, rule).await {
                Err(OrderError::Repository(RepositoryError::CatalogChanged)) => {}
                outcome => return outcome,
            }
        }
        Err(RepositoryError::Unavailable("the catalog changes all the time".into()).into())
    }

    /// The common way never reads before it writes: the database's unique key tells that an order
    /// exists. Where the catalog or the store's settings refuse the request, a repeated one must
    /// still be answered as such.
    async fn try_to_place(
        &self,
        store: &Store,
        draft: &OrderDraft,
        rule: KindRule,
    ) -> Result<Placed, OrderError> {
        let read_as = (rule, Extent::Order);
        let mut valid = draft.check(rule, Extent::Order)?;
        let mut report = Report {
            violations: Vec::new(),
            warnings: std::mem::take(&mut valid.warnings),
        };
        let Some((parts, Price { catalog, .. })) = self
            .priced(store, valid, Intent::Write, &mut report)
            .await?
        else {
            return match self.repeated(store, draft, read_as, None).await? {
                Some(placed) => Ok(placed),
                None => Err(report.into()),
            };
        };
        let price = (parts.currency, parts.fees);
        let order = NewOrder::new(parts)?;
        match self
            .orders
            .write(OrderWrite::create(order).priced_with(catalog))
            .await
        {
            Ok(order) => Ok(Placed {
                order,
                warnings: report.warnings,
                replayed: false,
            }),
            Err(RepositoryError::Duplicate(_)) => {
                let now = Some((price, report.warnings));
                self.repeated(store, draft, read_as, now)
                    .await?
                    .ok_or_else(|| {
                        let gone = "the order that stood in the way is gone";
                        RepositoryError::Unavailable(gone.into()).into()
                    })
            }
            // A name from a changed catalog can make a repeated request too large; it is a repeated
            // one all the same.
            Err(error @ RepositoryError::TooLarge(_)) => self
                .repeated(store, draft, read_as, None)
                .await?
                .ok_or_else(|| error.into()),
            Err(error) => {
                if matches!(error, RepositoryError::CatalogChanged) {
                    self.offers.forget(catalog);
                }
                Err(error.into())
            }
        }
    }

    /// What a request is answered whose order id exists; `None` if no order has it, or the request
    /// names none. Priced now it would have this price and these warnings.
    async fn repeated(
        &self,
        store: &Store,
        draft: &OrderDraft,
        (rule, extent): (KindRule, Extent),
        now: Option<((Currency, Fees), Vec<Warning>)>,
    ) -> Result<Option<Placed>, OrderError> {
        let valid = draft.check(rule, extent)?;
        if valid.order_id.is_empty() {
            return Ok(None);
        }
        let Some(order) = self.existing(store, &valid.order_id).await? else {
            return Ok(None);
        };
        let parts = order.parts();
        if !parts.fingerprint.same_request(&valid.fingerprint) {
            return Err(OrderError::Duplicate {
                existing: ExistingOrder::from(&order),
                differing: draft.differing(rule, &parts.fingerprint),
            });
        }
        let warnings = match now {
            Some((price, warnings))
                if parts.version == 1 && price == (parts.currency, parts.fees) =>
            {
                warnings
            }
            // What pricing said just now is about another order than the stored one.
            _ => valid
                .warnings
                .into_iter()
                .chain(total_incomplete(&parts.kind, &parts.fees))
                .collect(),
        };
        Ok(Some(Placed {
            order,
            warnings,
            replayed: true,
        }))
    }

    async fn existing(
        &self,
        store: &Store,
        order_id: &str,
    ) -> Result<Option<Order>, RepositoryError> {
        self.orders
            .find(
                store.id,
                &Lookup {
                    order_id: order_id.to_owned(),
                    number: None,
                },
            )
            .await
    }

    /// The parts of the order, and what it costs; `None` if the report has violations.
    async fn priced(
        &self,
        store: &Store,
        valid: ValidOrder,
        intent: Intent,
        report: &mut Report,
    ) -> Result<Option<(OrderParts, Price)>, OrderError> {
        let now = self.clock.now();
        let id = OrderId::new(self.ids.next(now));
        let mut items: Vec<LineItem> = valid
            .items
            .into_iter()
            .map(|item| self.new_item(item, now))
            .collect();
        let places: Vec<Option<Place>> = (0..items.len())
            .map(|index| {
                Some(Place {
                    index,
                    binding: true,
                })
            })
            .collect();
        let purpose = Purpose {
            creating: true,
            strict: store.settings.strict_catalog,
            places: &places,
        };
        let destination = valid.shipping_address.as_ref();
        let subject = Subject {
            store: store.id,
            kind: &valid.kind,
            currency: store.currency,
            destination,
            at: now,
            intent,
        };
        let mut price = self.price(&subject, &mut items, &purpose, report).await?;
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
            fees: price.fees,
            fee_lines: std::mem::take(&mut price.lines),
            priced_at: now,
            fingerprint: valid.fingerprint,
        };
        check_content(&parts, report);
        if !report.violations.is_empty() {
            return Ok(None);
        }
        Ok(Some((parts, price)))
    }

    pub(super) fn new_item(&self, item: ValidItem, now: Timestamp) -> LineItem {
        LineItem {
            id: ItemId::new(self.ids.next(now)),
            ref_id: item.ref_id,
            name_given: item.name.is_some(),
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
