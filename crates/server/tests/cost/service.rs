//! The service without a socket or a database: HTTP handlers, authenticator and use cases over
//! in-memory stores.

use std::sync::Arc;

use actix_web::App;
use actix_web::dev::Service as _;
use actix_web::http::StatusCode;
use actix_web::rt::System;
use actix_web::test::{TestRequest, init_service};
use allocation_counter::measure;
use async_trait::async_trait;
use pressline_api::{Api, EventWatch, JsonEvents, Services, Settings, configure};
use pressline_auth::{HmacSigner, MasterKey, Sealer, StoreAuthenticator};
use pressline_backoffice::memory::MemoryWebhooks;
use pressline_backoffice::sandbox::SandboxService;
use pressline_domain::catalog::{
    CatalogAdmin, ImportOptions, PrintArea, PrintAreaParts, ProductService, Variant, VariantParts,
};
use pressline_domain::event::{Actor, EventService};
use pressline_domain::fulfilment::{Caller, place};
use pressline_domain::memory::{MemoryCatalog, MemoryOrders, MemoryStores};
use pressline_domain::order::{Lookup, NewOrder, OrderRepository, OrderService};
use pressline_domain::pricing::tariff::{
    FeeSchedule, ShippingRate, ShippingRateParts, ShippingRates, Tariff, Zone, ZoneParts,
};
use pressline_domain::runtime::FixedClock;
use pressline_domain::runtime::IdSource;
use pressline_domain::runtime::MonotonicIds;
use pressline_domain::store::{
    KeyIssuer, KeyOwner, SecretKey, SignedText, Signer, Store, StoreDirectory, StoreKey,
    StoreRecord,
};
use pressline_domain::value::{Amount, Currency, KeyId, StoreId, Timestamp};
use pressline_http::{Check, Readiness};
use pressline_kit::words::WordSet;
use pressline_store_kit::NewRows;
use serde_json::{Value, json};

use crate::webhooks;

/// 2024-06-08T03:49:12.905Z
const NOW: Timestamp = Timestamp::from_millis(1_717_818_552_905);

pub(crate) struct CallCost {
    pub(crate) status: StatusCode,
    /// Number of allocations while it was served.
    pub(crate) allocations: u64,
}

/// The service, and the only store that calls it.
pub(crate) struct Service {
    serve: Box<dyn Fn(TestRequest) -> CallCost>,
    orders: Arc<MemoryOrders>,
    store: StoreId,
    secret: SecretKey,
}

impl Service {
    pub(crate) fn start() -> Self {
        let system = System::new();
        let (api, orders, store, secret) = system.block_on(api());
        let app = system.block_on(init_service(
            App::new().configure(|config| configure(config, api)),
        ));
        let serve = move |request: TestRequest| {
            let request = request.to_request();
            let mut measured = None;
            let counted = measure(|| measured = Some(system.block_on(app.call(request)).unwrap()));
            let response = measured.unwrap();
            CallCost {
                status: response.status(),
                allocations: counted.count_total,
            }
        };
        Self {
            serve: Box::new(serve),
            orders,
            store,
            secret,
        }
    }

    /// Returns a request to create an order. If `well_signed` is `false`, another key signs it and
    /// it is refused.
    pub(crate) fn request(&self, well_signed: bool, number: u32) -> TestRequest {
        let body = order(number);
        let another = SecretKey::new("another key".to_owned());
        let key = if well_signed { &self.secret } else { &another };
        let signature = HmacSigner.sign(key, &SignedText::Body(body.as_bytes()));
        TestRequest::post()
            .uri("/app/v1/orders/create")
            .insert_header(("Host", "localhost"))
            .insert_header(("Content-Type", "application/json"))
            .insert_header(("Content-Length", body.len()))
            .insert_header(("X-Service-Store-Id", self.store.to_string()))
            .insert_header(("X-Service-Hmac-Sha256", signature))
            .set_payload(body)
    }

    pub(crate) fn call(&self, request: TestRequest) -> CallCost {
        (self.serve)(request)
    }

    /// Makes the rows of a stored order, as a database adapter does for a new order. Returns the
    /// number of allocations.
    pub(crate) fn make_rows(&self, number: u32) -> u64 {
        let lookup = Lookup::by_order_id(order_id(number));
        let found = System::new().block_on(self.orders.find(self.store, &lookup));
        let parts = found.unwrap().unwrap().order.parts().clone();
        let service = Caller::new(Actor::Service);
        let placement = place(&parts, 60, &service.at(NOW)).unwrap();
        let new = NewOrder::new(parts, placement).unwrap();
        let join = |words: &WordSet| words.iter().collect();
        measure(|| drop(NewRows::new(new, None, join).unwrap())).count_total
    }
}

struct Ready;

#[async_trait]
impl Readiness for Ready {
    async fn checks(&self) -> Vec<Check> {
        Vec::new()
    }
}

/// Returns a store with an encrypted key, and the key.
fn store(ids: &MonotonicIds, sealer: &Sealer) -> (StoreRecord, SecretKey) {
    let id = StoreId::new(ids.next(NOW));
    let store = Store::new(id, "DEMO".parse().unwrap(), Currency::USD, NOW);
    let key = sealer.issue(KeyOwner::Store(store.id), None).unwrap();
    let sealed = StoreKey {
        id: KeyId::new(ids.next(NOW)),
        sealed: key.sealed,
        sealed_with: key.sealed_with,
        created_at: NOW,
        last_used_at: None,
    };
    let record = StoreRecord::new(store, vec![sealed]);
    (record, key.secret)
}

async fn api() -> (Api, Arc<MemoryOrders>, StoreId, SecretKey) {
    let ids = MonotonicIds::new();
    let clock = Arc::new(FixedClock::at(NOW));
    let sealer = Arc::new(Sealer::new(&MasterKey::from_hex(&"5a".repeat(32)).unwrap()));
    let (record, secret) = store(&ids, &sealer);
    let stores = MemoryStores::new();
    stores.add(&record).await.unwrap();
    let catalog = MemoryCatalog::new();
    catalog
        .import(&variants(), &ImportOptions::default())
        .await
        .unwrap();
    let tariff = tariff();
    catalog.set_shipping(&tariff.shipping).await.unwrap();
    catalog
        .set_fees(&[(None, Some(&tariff.fees))])
        .await
        .unwrap();
    let orders = Arc::new(MemoryOrders::new(&stores, &catalog));
    let catalog = Arc::new(catalog);
    let service = OrderService::new(
        orders.clone(),
        catalog.clone(),
        clock.clone(),
        Arc::new(ids),
    );
    let webhooks = Arc::new(MemoryWebhooks::new(&stores, &orders));
    let services = Services {
        webhooks: webhooks::services(&webhooks, &stores, &orders, &sealer, &clock),
        sandbox: SandboxService::new(service.clone(), webhooks),
        orders: service,
        products: ProductService::new(catalog, clock.clone()),
        events: EventService::new(
            orders.clone(),
            orders.clone(),
            Arc::new(stores.clone()),
            Arc::new(JsonEvents),
        ),
        watch: EventWatch::new(orders.clone(), 20),
        repository: orders.clone(),
    };
    let (authenticator, _) =
        StoreAuthenticator::new(Arc::new(stores), sealer, Arc::new(HmacSigner), clock);
    // Without a rate limit, because its counters are swept at times that the test does not control.
    let settings = Settings {
        rate_limit: None,
        ..Settings::default()
    };
    let api = Api::new(services, Arc::new(authenticator), Arc::new(Ready), settings);
    (api, orders, record.store.id, secret)
}

fn usd(text: &str) -> Amount {
    Amount::parse(text, Currency::USD).unwrap()
}

fn variants() -> Vec<Variant> {
    let area = |id: &str, fee| {
        PrintArea::new(PrintAreaParts {
            extra_fee: usd(fee),
            ..PrintAreaParts::named(id, "Main")
        })
        .unwrap()
    };
    let variant = |sku: &str, areas| {
        Variant::new(VariantParts {
            price: Some(usd("8.50")),
            areas,
            ..VariantParts::single(sku, &format!("The {sku}"))
        })
        .unwrap()
    };
    vec![
        variant(
            "TEE-BLACK-M",
            vec![area("front", "0"), area("back", "1.50")],
        ),
        variant(
            "HOODIE-GREY-L",
            vec![area("front", "0"), area("back", "2.50")],
        ),
        variant("MUG-11OZ", vec![area("wrap", "0")]),
    ]
}

fn tariff() -> Tariff {
    let everywhere = Zone::new(ZoneParts {
        name: "everywhere".to_owned(),
        places: Vec::new(),
    })
    .unwrap();
    let standard = ShippingRate::new(ShippingRateParts {
        zone: everywhere.name.clone(),
        ship_class: "Standard".to_owned(),
        currency: Currency::USD,
        first: usd("4.00"),
        further: usd("1.25"),
        steps: Vec::new(),
        free_from: None,
    })
    .unwrap();
    let shipping = ShippingRates::new(vec![everywhere], vec![standard]).unwrap();
    Tariff {
        shipping,
        fees: FeeSchedule::default(),
    }
}

fn order_id(number: u32) -> String {
    format!("shop-1-{number:08}")
}

/// An order as stores send them: two addresses, three items and the URLs of their files, about 2.5
/// KB.
fn order(number: u32) -> String {
    let url = |file: &str| {
        format!("https://cdn.shop.example/print-files/2024/06/order-{number:08}/{file}")
    };
    let item = |sku: &str, quantity: u32, files: &[&str]| -> Value {
        json!({
            "name": format!("{sku}, as designed"), "sku": sku, "quantity": quantity, "shipClass": "Standard",
            "fileUrls": files.iter().map(|file| url(&format!("{sku}-{file}.png"))).collect::<Vec<_>>(),
            "mockupImages": [url(&format!("{sku}-mockup-front.jpg")), url(&format!("{sku}-mockup-back.jpg"))],
            "refId": format!("line-{number:08}-{sku}")
        })
    };
    let order = json!({
        "order_id": order_id(number),
        "email": "orders@shop.example",
        "shipping_address": {
            "first_name": "Zoë", "last_name": "Müller-Lüdenscheidt", "company": "Reyes & Daughters Inc.",
            "address1": "350 Fifth Avenue", "address2": "Floor 21, Suite 2104", "city": "New York",
            "zip": "10118", "province": "New York", "province_code": "US-NY", "country": "United States",
            "country_code": "US", "phone": "+1 212 555 0100", "email": "zoe@example.com",
            "latitude": 40.748_44, "longitude": -73.985_66
        },
        "billing_address": {
            "first_name": "Ana", "last_name": "Reyes", "company": "Reyes & Daughters Inc.",
            "address1": "1100 Congress Avenue", "address2": "Room 12", "city": "Austin", "zip": "78701",
            "province": "Texas", "province_code": "US-TX", "country": "United States", "country_code": "US",
            "phone": "+1 512 555 0199", "email": "accounting@shop.example"
        },
        "customer": { "first_name": "Zoë", "last_name": "Müller-Lüdenscheidt" },
        "line_items": [
            item("TEE-BLACK-M", 2, &["front", "back"]),
            item("HOODIE-GREY-L", 1, &["front", "back"]),
            item("MUG-11OZ", 4, &["wrap"])
        ]
    });
    order.to_string()
}
