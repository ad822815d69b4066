//! A small world to call: one store, a catalog, an authenticator that knows one signature, and
//! faults on demand.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix_web::body::to_bytes;
use actix_web::http::{Method, StatusCode};
use actix_web::test::TestRequest;
use actix_web::{App, HttpResponse};
use async_trait::async_trait;
use pressline_api::{Api, Services, Settings, configure};
use pressline_domain::catalog::{
    CatalogAdmin, ImportOptions, PrintArea, ProductRef, ProductService, Variant,
};
use pressline_domain::error::RepositoryError;
use pressline_domain::id::{OrderId, ServiceOrderId, StoreId};
use pressline_domain::memory::{FixedClock, MemoryCatalog, MemoryOrders, MemoryStores};
use pressline_domain::money::{Amount, Currency};
use pressline_domain::order::search::{Found, SearchQuery};
use pressline_domain::order::status::ItemStatus;
use pressline_domain::order::{Lookup, Order, OrderRepository, OrderService, OrderWrite};
use pressline_domain::pricing::tariff::{
    FeeRule, FeeSchedule, ShippingRate, ShippingRates, Tariff, Zone,
};
use pressline_domain::runtime::IdSource;
use pressline_domain::store::{
    Authenticator, Call, Denied, Store, StoreDirectory, StoreRecord, StoreSettings,
};
use pressline_domain::time::Timestamp;
use pressline_http::{Check, Readiness};
use serde_json::Value;
use uuid::Uuid;

pub(crate) const STORE: &str = "0197f3c2-0000-7000-8000-000000000001";
/// The signatures that the authenticator knows, each in base64.
pub(crate) const GOOD: &str = "Z29vZGdvb2Rnb29kZ29vZGdvb2Rnb29kZ29vZGdvb2Q=";
pub(crate) const BAD: &str = "YmFkLmJhZC5iYWQuYmFkLmJhZC5iYWQuYmFkLmJhZC4=";
pub(crate) const LATE: &str = "bGF0ZWxhdGVsYXRlbGF0ZWxhdGVsYXRlbGF0ZWxhdGU=";
pub(crate) const UNTIMED: &str = "bm8tdGltZS5uby10aW1lLm5vLXRpbWUubm8tdGltZS4=";
pub(crate) const BLIND: &str = "YmxpbmQuLi5ibGluZC4uLmJsaW5kLi4uYmxpbmQuLi4=";
pub(crate) const CREATE: &str = "/app/v1/orders/create";
pub(crate) const LABEL: &str = "/app/v1/orders/create-label";
pub(crate) const UPDATE: &str = "/app/v1/orders/update";
pub(crate) const SEARCH: &str = "/app/v1/orders/search";
pub(crate) const ESTIMATE: &str = "/app/v1/orders/estimate";
pub(crate) const PRODUCTS: &str = "/app/v1/products/search";
/// 2024-06-08T03:49:12.905Z
pub(crate) const NOW: i64 = 1_717_818_552_905;

/// Ids that count.
#[derive(Default)]
struct CountedIds(AtomicU64);

impl IdSource for CountedIds {
    fn next(&self, _now: Timestamp) -> Uuid {
        let number = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        Uuid::from_u128(0x0197_f3c2_5b0e_7c3a_9d52_0000_0000_0000 + u128::from(number))
    }
}

/// What goes wrong in the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Fault {
    None,
    Unavailable,
    Timeout,
    Refused,
    Panic,
}

/// The in-memory repository with faults.
struct Faulty {
    orders: MemoryOrders,
    fault: Arc<AtomicU8>,
}

impl Faulty {
    fn fault(&self) -> Result<(), RepositoryError> {
        let is = |fault: Fault| self.fault.load(Ordering::Relaxed) == fault as u8;
        if is(Fault::Unavailable) {
            return Err(RepositoryError::Unavailable("secret-host refused".into()));
        }
        if is(Fault::Timeout) {
            return Err(RepositoryError::Timeout("secret-host is slow".into()));
        }
        if is(Fault::Refused) {
            return Err(RepositoryError::Refused(
                "syntax error at secret_table".into(),
            ));
        }
        assert!(!is(Fault::Panic), "a defect");
        Ok(())
    }
}

#[async_trait]
impl OrderRepository for Faulty {
    async fn write(&self, write: OrderWrite) -> Result<Order, RepositoryError> {
        self.fault()?;
        self.orders.write(write).await
    }

    async fn find(
        &self,
        store: StoreId,
        lookup: &Lookup,
    ) -> Result<Option<Order>, RepositoryError> {
        self.fault()?;
        self.orders.find(store, lookup).await
    }

    async fn search(&self, store: StoreId, query: &SearchQuery) -> Result<Found, RepositoryError> {
        self.fault()?;
        self.orders.search(store, query).await
    }

    async fn load(
        &self,
        store: StoreId,
        ids: &[OrderId],
        bytes: u64,
    ) -> Result<Vec<Order>, RepositoryError> {
        self.fault()?;
        self.orders.load(store, ids, bytes).await
    }

    async fn ping(&self) -> Result<(), RepositoryError> {
        self.fault()?;
        self.orders.ping().await
    }
}

/// Accepts one signature; others name what is wrong with them.
struct FakeAuthenticator {
    store: Arc<Store>,
    unsigned_search: Arc<AtomicBool>,
    paths: Arc<Mutex<Vec<String>>>,
}

#[async_trait]
impl Authenticator for FakeAuthenticator {
    async fn authenticate(&self, call: &Call<'_>) -> Result<Arc<Store>, Denied> {
        self.paths.lock().unwrap().push(call.path.to_owned());
        if call.store_id != Some(STORE) {
            return Err(Denied::Permission("unknown store"));
        }
        match call.signature {
            Some(GOOD) => Ok(self.store.clone()),
            Some(LATE) => Err(Denied::TimestampOutOfRange),
            Some(UNTIMED) => Err(Denied::TimestampRequired),
            Some(BLIND) => Err(RepositoryError::Unavailable("secret-host".into()).into()),
            None if call.may_be_unsigned && self.unsigned_search.load(Ordering::Relaxed) => {
                Ok(self.store.clone())
            }
            None => Err(Denied::Permission("no signature")),
            Some(_) => Err(Denied::Permission("bad signature")),
        }
    }
}

/// What the binary would check.
pub(crate) struct FakeReadiness(pub(crate) Vec<Check>);

#[async_trait]
impl Readiness for FakeReadiness {
    async fn checks(&self) -> Vec<Check> {
        self.0.clone()
    }
}

/// Everything behind the API, and the API.
pub(crate) struct World {
    pub(crate) api: Api,
    pub(crate) fault: Arc<AtomicU8>,
    pub(crate) unsigned_search: Arc<AtomicBool>,
    pub(crate) paths: Arc<Mutex<Vec<String>>>,
    pub(crate) catalog: MemoryCatalog,
    pub(crate) clock: Arc<FixedClock>,
    orders: MemoryOrders,
    store: Store,
}

pub(crate) fn settings() -> Settings {
    Settings {
        rate_limit: None,
        readiness_age: Duration::ZERO,
        ..Settings::default()
    }
}

pub(crate) fn amount(text: &str, currency: Currency) -> Amount {
    Amount::parse(text, currency).unwrap()
}

pub(crate) fn usd(text: &str) -> Amount {
    amount(text, Currency::USD)
}

pub(crate) fn area(id: &str, name: &str, fee: Amount) -> PrintArea {
    PrintArea {
        id: id.to_owned(),
        name: name.to_owned(),
        size: "38x48 cm".to_owned(),
        note: "PNG, 300 dpi, sRGB, at most 100 MB".to_owned(),
        width: Some(4500),
        height: Some(5400),
        extra_fee: fee,
        ..PrintArea::main()
    }
}

fn variants() -> Vec<Variant> {
    let tee = Variant {
        product: ProductRef {
            id: "TEE".to_owned(),
            name: Some("Unisex tee".to_owned()),
        },
        options: vec![
            ("size".to_owned(), "M".to_owned()),
            ("colour".to_owned(), "black".to_owned()),
        ],
        price: Some(usd("8.50")),
        weight_grams: 160,
        areas: vec![
            area("front", "Front", usd("0")),
            area("back", "Back", usd("1.50")),
        ],
        ..Variant::single("TEE-BLACK-M", "Unisex tee, black, M")
    };
    let mug = Variant {
        price: Some(usd("4.25")),
        areas: vec![area("wrap", "Wrap", usd("0"))],
        ..Variant::single("MUG-11OZ", "Mug 11oz")
    };
    vec![tee, mug]
}

fn tariff() -> Tariff {
    let rate = ShippingRate {
        zone: "World".to_owned(),
        ship_class: "Standard".to_owned(),
        currency: Currency::USD,
        first: usd("4.00"),
        further: usd("1.25"),
        steps: Vec::new(),
        free_from: None,
    };
    Tariff {
        shipping: ShippingRates {
            zones: vec![Zone {
                name: "World".to_owned(),
                places: Vec::new(),
            }],
            rates: vec![rate],
        },
        fees: FeeSchedule {
            rules: vec![FeeRule::label_handling(Currency::USD, usd("2.50"))],
        },
    }
}

/// What a world sells, and whom to.
pub(crate) struct Shop {
    pub(crate) store: Store,
    pub(crate) variants: Vec<Variant>,
    pub(crate) tariff: Tariff,
}

impl Default for Shop {
    fn default() -> Self {
        Self {
            store: store(),
            variants: variants(),
            tariff: tariff(),
        }
    }
}

pub(crate) fn store() -> Store {
    Store {
        id: STORE.parse().unwrap(),
        name: "Demo".to_owned(),
        prefix: "DEMO".parse().unwrap(),
        currency: Currency::USD,
        settings: StoreSettings::default(),
        enabled: true,
        created_at: Timestamp::from_millis(NOW),
    }
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(settings(), FakeReadiness(Vec::new())).await
    }

    pub(crate) async fn with(settings: Settings, readiness: FakeReadiness) -> Self {
        Self::build(Shop::default(), settings, readiness).await
    }

    pub(crate) async fn of(shop: Shop) -> Self {
        Self::build(shop, settings(), FakeReadiness(Vec::new())).await
    }

    async fn build(shop: Shop, settings: Settings, readiness: FakeReadiness) -> Self {
        let stores = MemoryStores::new();
        let Shop {
            store,
            variants,
            tariff,
        } = shop;
        let record = StoreRecord {
            store: store.clone(),
            keys: Vec::new(),
            version: 1,
        };
        stores.add(&record).await.unwrap();
        let catalog = MemoryCatalog::new();
        catalog
            .import(&variants, &ImportOptions::default())
            .await
            .unwrap();
        let orders = MemoryOrders::new(&stores, &catalog);
        let fault = Arc::new(AtomicU8::new(Fault::None as u8));
        let clock = Arc::new(FixedClock::at(Timestamp::from_millis(NOW)));
        let repository = Arc::new(Faulty {
            orders: orders.clone(),
            fault: fault.clone(),
        });
        let products = ProductService::new(Arc::new(catalog.clone()), clock.clone());
        let service = OrderService::new(
            repository.clone(),
            Arc::new(catalog.clone()),
            clock.clone(),
            Arc::new(CountedIds::default()),
            tariff,
        );
        let unsigned_search = Arc::new(AtomicBool::new(false));
        let paths = Arc::new(Mutex::new(Vec::new()));
        let authenticator = FakeAuthenticator {
            store: Arc::new(store.clone()),
            unsigned_search: unsigned_search.clone(),
            paths: paths.clone(),
        };
        let api = Api::new(
            Services {
                orders: service,
                products,
                repository,
            },
            Arc::new(authenticator),
            Arc::new(readiness),
            settings,
        );
        Self {
            api,
            fault,
            unsigned_search,
            paths,
            catalog,
            clock,
            orders,
            store,
        }
    }

    pub(crate) fn fail(&self, fault: Fault) {
        self.fault.store(fault as u8, Ordering::Relaxed);
    }

    /// Sends a request; the body of the response is not read yet.
    pub(crate) async fn begin(&self, request: TestRequest) -> HttpResponse {
        let api = self.api.clone();
        let app =
            actix_web::test::init_service(App::new().configure(|config| configure(config, api)))
                .await;
        let answered = actix_web::test::try_call_service(&app, request.to_request()).await;
        // What the HTTP layer does with an error that no response came with.
        match answered {
            Ok(response) => response.map_into_boxed_body().into_parts().1,
            Err(error) => HttpResponse::from_error(error),
        }
    }

    /// Sends a request and reads the whole answer.
    pub(crate) async fn send(&self, request: TestRequest) -> Answer {
        let response = self.begin(request).await;
        let status = response.status();
        let headers = response.headers().clone();
        let body = to_bytes(response.into_body()).await.unwrap();
        Answer {
            status,
            headers,
            body: String::from_utf8_lossy(&body).into_owned(),
        }
    }

    /// Sends a signed body.
    pub(crate) async fn post(&self, path: &str, body: impl ToString) -> Answer {
        self.send(signed(path, body)).await
    }

    /// Moves the first item of an order on in production.
    pub(crate) async fn set_status(&self, order_id: &str, status: ItemStatus) {
        let lookup = Lookup {
            order_id: order_id.to_owned(),
            number: None,
        };
        let order = self
            .orders
            .find(self.store.id, &lookup)
            .await
            .unwrap()
            .unwrap();
        let mut parts = order.parts().clone();
        parts.items[0].status = Some(status);
        let expected = parts.version;
        let order = order.changed(parts, Timestamp::from_millis(NOW)).unwrap();
        self.orders
            .write(OrderWrite::update(order, expected))
            .await
            .unwrap();
    }

    /// The order number that the store's next order does not have any more.
    pub(crate) fn number(&self, number: i64) -> String {
        ServiceOrderId {
            prefix: self.store.prefix.clone(),
            number,
        }
        .to_string()
    }
}

/// A signed request.
pub(crate) fn signed(path: &str, body: impl ToString) -> TestRequest {
    unsigned(path, body).insert_header(("X-Service-Hmac-Sha256", GOOD))
}

/// A request that lacks nothing but the signature.
pub(crate) fn unsigned(path: &str, body: impl ToString) -> TestRequest {
    TestRequest::default()
        .method(Method::POST)
        .uri(path)
        .insert_header(("Content-Type", "application/json"))
        .insert_header(("X-Service-Store-Id", STORE))
        .insert_header(("X-Request-Id", "call-1"))
        .set_payload(body.to_string())
}

/// An answer, read.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: actix_web::http::header::HeaderMap,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// The code of an error; empty where there is none.
    pub(crate) fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }

    /// The pairs of path and code of a list.
    pub(crate) fn listed(&self, list: &str) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let json = self.json();
        let list = json[list].as_array().cloned().unwrap_or_default();
        list.iter()
            .map(|issue| (text(&issue["field"]), text(&issue["code"])))
            .collect()
    }

    /// Status, headers and body, as snapshots hold them.
    pub(crate) fn shown(&self) -> String {
        let mut headers: Vec<String> = self
            .headers
            .iter()
            .map(|(name, value)| format!("{name}: {}\n", value.to_str().unwrap()))
            .collect();
        headers.sort();
        let body = serde_json::to_string_pretty(&self.json()).unwrap();
        format!("{}\n{}\n{body}", self.status.as_u16(), headers.concat())
    }
}

/// A create request with everything in it.
pub(crate) fn order(order_id: &str) -> Value {
    serde_json::json!({
        "order_id": order_id,
        "email": "orders@shop.example",
        "shipping_address": {
            "first_name": "Ana", "last_name": "Reyes", "company": "Shop Inc.", "address1": "350 5th Ave",
            "address2": "Floor 21", "city": "New York", "zip": "10118", "province": "New York",
            "province_code": "US-NY", "country": "United States", "country_code": "US", "phone": "+1 212 555 0100",
            "email": "ana@example.com", "latitude": 40.748, "longitude": -73.985, "tax_number": "T1",
            "eur_tax_value": "E1"
        },
        "billing_address": { "name": "Shop Inc.", "country_code": "US" },
        "customer": { "first_name": "Ana", "last_name": "Reyes" },
        "line_items": [{
            "name": "Tee", "sku": "TEE-BLACK-M", "quantity": 2, "shipClass": "Standard", "refId": "line-1",
            "fileUrls": ["https://cdn.example/front.png", "https://cdn.example/back.png"],
            "mockupImages": ["https://cdn.example/mockup.jpg"]
        }, { "sku": "MUG-11OZ", "quantity": 1 }]
    })
}

/// A create request of nearly 1 MiB; what answers show of it is twice as large.
pub(crate) fn wide(order_id: &str) -> Value {
    let image = format!("https://cdn.example/{}", "x".repeat(2000));
    let mut order = order(order_id);
    let item =
        serde_json::json!({ "sku": "MUG-11OZ", "quantity": 1, "mockupImages": vec![image; 5] });
    order["line_items"] = vec![item; 95].into();
    order
}

/// A create label request.
pub(crate) fn label(order_id: &str) -> Value {
    let mut order = order(order_id);
    order["shipping_address_label"] = "https://labels.example/1.pdf".into();
    order
}

/// An update request that changes nothing but the quantity of an order's first item.
pub(crate) fn update(order_id: &str, created: &Answer, quantity: u32) -> Value {
    let order = order(order_id);
    serde_json::json!({
        "order_id": order_id,
        "shipping_address": order["shipping_address"],
        "customer": order["customer"],
        "line_items": [{ "appItemId": created.json()["data"]["childDetails"][0]["id"], "quantity": quantity }]
    })
}
