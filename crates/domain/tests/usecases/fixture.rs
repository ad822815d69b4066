//! A shop to test in: a store, a catalog, a tariff, and requests that are right.

mod drafts;

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pressline_domain::catalog::{
    CatalogAdmin, ImportOptions, PrintArea, PrintAreaParts, ProductService, Variant, VariantParts,
};
use pressline_domain::checked::{Checked, Rules};
use pressline_domain::event::Actor;
use pressline_domain::field::Field;
use pressline_domain::fulfilment::Caller;
use pressline_domain::id::{ItemId, KeyId, StoreId};
use pressline_domain::memory::{FixedClock, MemoryCatalog, MemoryOrders, MemoryStores};
use pressline_domain::money::{Amount, Currency};
use pressline_domain::order::request::{
    AddressDraft, CustomerDraft, ItemChange, LineItemDraft, OrderDraft, UpdateDraft,
};
use pressline_domain::order::{Lookup, Order, OrderError, OrderRepository, OrderService, Placed};
use pressline_domain::pricing::tariff::{
    FeeRule, FeeSchedule, RateSet, ShippingRate, ShippingRateParts, ShippingRates, Tariff, Zone,
    ZoneParts,
};
use pressline_domain::report::Violation;
use pressline_domain::report::WrongType;
use pressline_domain::runtime::IdSource;
use pressline_domain::store::{Store, StoreDirectory, StoreRecord, StoreSettings};
use pressline_domain::time::Timestamp;
use uuid::Uuid;

pub(crate) use drafts::*;

/// 2024-06-08T03:49:12.905Z.
pub(crate) const NOW: i64 = 1_717_818_552_905;
pub(crate) const URL: &str = "https://example.com/front.png";

pub(crate) struct Shop {
    pub(crate) service: OrderService,
    pub(crate) store: Store,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) orders: Arc<MemoryOrders>,
    pub(crate) catalog: Arc<MemoryCatalog>,
    pub(crate) stores: MemoryStores,
    pub(crate) ids: Arc<CountedIds>,
}

/// Ids that end with a number which grows by one: random ones would now and then begin with what a
/// test searches for.
#[derive(Default)]
pub(crate) struct CountedIds {
    count: AtomicU64,
    /// Of the ids so far.
    latest_millis: AtomicU64,
}

impl IdSource for CountedIds {
    fn next(&self, now: Timestamp) -> Uuid {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let now = u64::try_from(now.as_millis()).unwrap();
        let moment = now.max(self.latest_millis.fetch_max(now, Ordering::Relaxed));
        Uuid::from_u128(u128::from(moment) << 80 | (7 << 76) | (0b10 << 62) | u128::from(count))
    }
}

pub(crate) fn amount(text: &str, code: &str) -> Amount {
    Amount::parse(text, currency(code)).unwrap()
}

pub(crate) fn usd(text: &str) -> Amount {
    amount(text, "USD")
}

pub(crate) fn currency(code: &str) -> Currency {
    code.parse().unwrap()
}

/// The value of these parts.
#[track_caller]
pub(crate) fn valid<P: Rules>(parts: P) -> Checked<P> {
    Checked::new(parts).unwrap()
}

pub(crate) fn area(name: &str, extra_fee: Amount) -> PrintArea {
    valid(PrintAreaParts {
        extra_fee,
        ..PrintAreaParts::named(&name.to_lowercase(), name)
    })
}

pub(crate) fn product(
    sku: &str,
    code: &str,
    price: Option<&str>,
    areas: &[(&str, &str)],
) -> Variant {
    valid(VariantParts {
        price: price.map(|price| amount(price, code)),
        currency: currency(code),
        areas: areas
            .iter()
            .map(|(name, extra)| area(name, amount(extra, code)))
            .collect(),
        ..VariantParts::single(sku, &format!("The {sku}"))
    })
}

/// Without weight steps, and never free.
pub(crate) fn rate_to(
    zone: &str,
    class: &str,
    code: &str,
    first: &str,
    further: &str,
) -> ShippingRate {
    valid(ShippingRateParts {
        zone: zone.to_owned(),
        ship_class: class.to_owned(),
        currency: currency(code),
        first: amount(first, code),
        further: amount(further, code),
        steps: Vec::new(),
        free_from: None,
    })
}

/// To everywhere that has no rate of its own.
pub(crate) fn rate(class: &str, code: &str, first: &str, further: &str) -> ShippingRate {
    rate_to("Everywhere", class, code, first, further)
}

/// Places as `US` or `US-CA`.
pub(crate) fn zone(name: &str, places: &[&str]) -> Zone {
    valid(ZoneParts {
        name: name.to_owned(),
        places: places.iter().map(|place| place.parse().unwrap()).collect(),
    })
}

/// These zones and one for everywhere else, with these rates.
pub(crate) fn rates(zones: Vec<Zone>, rates: Vec<ShippingRate>) -> ShippingRates {
    let zones = [vec![zone("Everywhere", &[])], zones].concat();
    ShippingRates::new(zones, rates).unwrap()
}

/// Those of these rates that fit together.
pub(crate) fn fitting_rates(zones: Vec<Zone>, rates: Vec<ShippingRate>) -> ShippingRates {
    let mut set = RateSet::default();
    for zone in [vec![zone("Everywhere", &[])], zones].concat() {
        set.add_zone(zone).unwrap();
    }
    for rate in rates {
        // One that covers a place again is left out.
        drop(set.add_rate(rate));
    }
    set.into_rates()
}

/// Changes a rate, counted from 0 in the order of zones.
pub(crate) fn edit_rate(
    shipping: &mut ShippingRates,
    number: usize,
    change: impl FnOnce(&mut ShippingRateParts),
) {
    let mut rates = shipping.rates().to_vec();
    rates[number] = rates[number].changed(change).unwrap();
    *shipping = ShippingRates::new(shipping.zones().to_vec(), rates).unwrap();
}

/// A schedule of these rules.
pub(crate) fn schedule(rules: Vec<FeeRule>) -> FeeSchedule {
    FeeSchedule::new(rules).unwrap()
}

pub(crate) fn handling(code: &str, fee: &str) -> FeeRule {
    FeeRule::label_handling(currency(code), amount(fee, code))
}

/// Standard and Express in US dollars, Slow in euros only, labels for 2.50 USD.
pub(crate) fn tariff() -> Tariff {
    let of_classes = vec![
        rate("Standard", "USD", "4", "1"),
        rate("Express", "USD", "9", "2.50"),
        rate("Slow", "EUR", "1", "1"),
    ];
    Tariff {
        shipping: rates(Vec::new(), of_classes),
        fees: schedule(vec![handling("USD", "2.50")]),
    }
}

async fn set_tariff(catalog: &MemoryCatalog, tariff: &Tariff) {
    catalog.set_shipping(&tariff.shipping).await.unwrap();
    let fees = [(None, Some(&tariff.fees))];
    catalog.set_fees(&fees).await.unwrap();
}

impl Shop {
    pub(crate) async fn open() -> Self {
        Self::with(tariff(), Currency::USD).await
    }

    pub(crate) async fn with(tariff: Tariff, of_store: Currency) -> Self {
        let stores = MemoryStores::new();
        let clock = Arc::new(FixedClock::at(Timestamp::from_millis(NOW)));
        let catalog = Arc::new(MemoryCatalog::new());
        let orders = Arc::new(MemoryOrders::new(&stores, &catalog));
        let ids = Arc::new(CountedIds::default());
        let products = [
            product("MUG-11", "USD", Some("5"), &[("Front", "0")]),
            product(
                "TEE-M",
                "USD",
                Some("7.50"),
                &[("Front", "0"), ("Back", "1.25")],
            ),
            product("POSTER", "USD", None, &[("Main", "0")]),
            product(
                "BOOK",
                "JPY",
                Some("900"),
                &[("Cover", "150"), ("Spine", "0")],
            ),
            product("RUG", "KWD", Some("1.234"), &[("Main", "0.005")]),
        ];
        catalog
            .import(&products, &ImportOptions::default())
            .await
            .unwrap();
        set_tariff(&catalog, &tariff).await;
        let service =
            OrderService::new(orders.clone(), catalog.clone(), clock.clone(), ids.clone());
        let mut shop = Self {
            service,
            store: store(ids.as_ref(), "DEMO", of_store),
            clock,
            orders,
            catalog,
            stores,
            ids,
        };
        shop.store = shop.add_store("DEMO", of_store).await;
        shop
    }

    pub(crate) async fn add_store(&self, prefix: &str, of_store: Currency) -> Store {
        self.add(store(self.ids.as_ref(), prefix, of_store)).await
    }

    pub(crate) async fn add_test_store(&self, prefix: &str) -> Store {
        let store = store(self.ids.as_ref(), prefix, self.store.currency);
        self.add(Store {
            test: true,
            ..store
        })
        .await
    }

    async fn add(&self, store: Store) -> Store {
        let record = StoreRecord {
            store: store.clone(),
            keys: Vec::new(),
            version: 1,
        };
        self.stores.add(&record).await.unwrap();
        store
    }

    pub(crate) fn products(&self) -> ProductService {
        ProductService::new(self.catalog.clone(), self.clock.clone())
    }

    /// The service over the same data, with another tariff.
    pub(crate) async fn repriced(&self, tariff: Tariff) -> OrderService {
        set_tariff(&self.catalog, &tariff).await;
        let (orders, catalog) = (self.orders.clone(), self.catalog.clone());
        OrderService::new(orders, catalog, self.clock.clone(), self.ids.clone())
    }

    /// The store, but strict about its catalog.
    pub(crate) fn strict(&self) -> Store {
        let settings = StoreSettings {
            strict_catalog: true,
            ..self.store.settings.clone()
        };
        Store {
            settings,
            ..self.store.clone()
        }
    }

    pub(crate) async fn create(&self, draft: &OrderDraft) -> Result<Placed, OrderError> {
        self.service.create(&self.store, draft, &caller()).await
    }

    pub(crate) async fn create_label(&self, draft: &OrderDraft) -> Result<Placed, OrderError> {
        self.service
            .create_label(&self.store, draft, &caller())
            .await
    }

    pub(crate) async fn update(&self, draft: &UpdateDraft) -> Result<Placed, OrderError> {
        self.service.update(&self.store, draft, &caller()).await
    }

    /// A manual order of these items.
    pub(crate) async fn place(&self, order_id: &str, items: Vec<LineItemDraft>) -> Placed {
        self.create(&order_of(order_id, items)).await.unwrap()
    }

    pub(crate) async fn stored(&self, order_id: &str) -> Option<Order> {
        let lookup = Lookup {
            order_id: order_id.to_owned(),
            number: None,
        };
        self.orders.find(self.store.id, &lookup).await.unwrap()
    }
}

/// The store, by one of its keys.
pub(crate) fn caller() -> Caller {
    Caller {
        actor: Actor::Store(KeyId::new(Uuid::from_u128(1))),
        request_id: Some("req-1".to_owned()),
    }
}

fn store(ids: &CountedIds, prefix: &str, currency: Currency) -> Store {
    let created_at = Timestamp::from_millis(NOW);
    Store {
        id: StoreId::new(ids.next(created_at)),
        name: format!("{prefix} shop"),
        prefix: prefix.parse().unwrap(),
        currency,
        test: false,
        settings: StoreSettings::default(),
        enabled: true,
        created_at,
    }
}
