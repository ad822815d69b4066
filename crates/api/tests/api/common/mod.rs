//! A small test world: a store, a catalog, an authenticator that accepts a fixed signature, and
//! faults on demand.

mod constants;
mod fakes;
mod logged;
mod memory;
mod requests;
mod response;
mod schemas;
mod shop;
mod webhooks;

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix_web::test::TestRequest;
use actix_web::{App, HttpResponse};
use pressline_api::{Api, Settings, configure};
use pressline_backoffice::memory::MemoryWebhooks;
use pressline_contract::HookedOrders;
use pressline_domain::event::Actor;
use pressline_domain::fulfilment::{
    Caller, CancelCommand, Context, Decision, NeedCode, NeedCommand, Refusal, cancel, need,
    process_now,
};
use pressline_domain::memory::{MemoryCatalog, MemoryOrders, MemoryStores};
use pressline_domain::order::{Lookup, Order, OrderRepository, OrderService, OrderWrite};
use pressline_domain::runtime::{Clock, FixedClock};
use pressline_domain::store::Store;
use pressline_domain::value::{ChangeId, CorrectionId, KeyId, NeedId, OperatorId, ServiceOrderId};
use pressline_http::RateLimit;
use uuid::Uuid;

pub(crate) use self::constants::{
    BAD, BLIND, CREATE, ESTIMATE, GOOD, KEY, LABEL, LATE, NOW, OTHER_STORE, PRODUCTS, SEARCH,
    STORE, UNTIMED, UPDATE,
};
pub(crate) use self::fakes::{CountedIds, FakeReadiness, Fault};
use self::fakes::{FakeAuthenticator, Faults};
use self::logged::log_by_thread;
pub(crate) use self::logged::take_lines;
pub(crate) use self::memory::{Memory, record};
pub(crate) use self::requests::{label, order, signed, unsigned, update, wide};
pub(crate) use self::response::Response;
pub(crate) use self::schemas::{DocumentSchemas, document};
pub(crate) use self::shop::{Shop, amount, area, store, usd, valid, world_rate, worldwide};
pub(crate) use self::webhooks::{
    OTHER_WEBHOOK, PlainKeys, WEBHOOK, add_webhooks, delivery_of, webhook_services,
};

pub(crate) struct World {
    pub(crate) api: Api,
    pub(crate) fault: Arc<AtomicU8>,
    pub(crate) unsigned_search: Arc<AtomicBool>,
    pub(crate) paths: Arc<Mutex<Vec<String>>>,
    pub(crate) catalog: MemoryCatalog,
    pub(crate) clock: Arc<FixedClock>,
    pub(crate) stores: MemoryStores,
    pub(crate) orders: MemoryOrders,
    pub(crate) webhooks: MemoryWebhooks,
    pub(crate) service: OrderService,
    store: Store,
}

pub(crate) fn settings() -> Settings {
    Settings {
        rate_limit: None,
        readiness_age: Duration::ZERO,
        ..Settings::default()
    }
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(settings(), FakeReadiness(Vec::new())).await
    }

    pub(crate) async fn of_test_store() -> Self {
        let mut shop = Shop::default();
        shop.store.test = true;
        Self::from_shop(shop).await
    }

    pub(crate) async fn with(settings: Settings, readiness: FakeReadiness) -> Self {
        Self::build(Shop::default(), settings, readiness).await
    }

    /// Limits the rate to one call per minute, with bursts of `burst` calls.
    pub(crate) async fn limited(burst: u32) -> Self {
        let limit = RateLimit {
            per_minute: 1.try_into().unwrap(),
            burst: burst.try_into().unwrap(),
        };
        let settings = Settings {
            rate_limit: Some(limit),
            ..settings()
        };
        Self::with(settings, FakeReadiness(Vec::new())).await
    }

    pub(crate) async fn from_shop(shop: Shop) -> Self {
        Self::build(shop, settings(), FakeReadiness(Vec::new())).await
    }

    async fn build(shop: Shop, settings: Settings, readiness: FakeReadiness) -> Self {
        log_by_thread();
        let memory = Memory::filled(&shop).await;
        let store = shop.store;
        let fault = Arc::new(AtomicU8::new(Fault::None as u8));
        let services = memory.services(Arc::new(HookedOrders {
            orders: Arc::new(memory.orders.clone()),
            hooks: Faults(fault.clone()),
        }));
        let service = services.orders.clone();
        let authenticator = Arc::new(FakeAuthenticator {
            store: Arc::new(store.clone()),
            unsigned_search: Arc::default(),
            paths: Arc::default(),
        });
        let api = Api::new(
            services,
            authenticator.clone(),
            Arc::new(readiness),
            settings,
        );
        Self {
            api,
            fault,
            unsigned_search: authenticator.unsigned_search.clone(),
            paths: authenticator.paths.clone(),
            catalog: memory.catalog,
            clock: memory.clock,
            stores: memory.stores,
            orders: memory.orders,
            webhooks: memory.webhooks,
            service,
            store,
        }
    }

    /// Adds an endpoint of [`STORE`], of [`OTHER_STORE`], and of the print shop.
    pub(crate) async fn add_webhooks(&self) {
        add_webhooks(&self.webhooks, [STORE, OTHER_STORE]).await;
    }

    pub(crate) fn fail(&self, fault: Fault) {
        self.fault.store(fault as u8, Ordering::Relaxed);
    }

    pub(crate) async fn begin(&self, request: TestRequest) -> HttpResponse {
        let api = self.api.clone();
        let app =
            actix_web::test::init_service(App::new().configure(|config| configure(config, api)))
                .await;
        let result = actix_web::test::try_call_service(&app, request.to_request()).await;
        // The HTTP server also turns errors into responses.
        match result {
            Ok(response) => response.map_into_boxed_body().into_parts().1,
            Err(error) => HttpResponse::from_error(error),
        }
    }

    pub(crate) async fn send(&self, request: TestRequest) -> Response {
        Response::read(self.begin(request).await).await
    }

    pub(crate) async fn post(&self, path: &str, body: impl ToString) -> Response {
        self.send(signed(path, body)).await
    }

    pub(crate) async fn order(&self, order_id: &str) -> Order {
        let lookup = Lookup::by_order_id(order_id);
        let found = self.orders.find(self.store.id, &lookup).await;
        found.unwrap().unwrap().into()
    }

    /// Stores the change that `decide` returns. Panics if it returns no change.
    pub(crate) async fn decide(
        &self,
        order_id: &str,
        decide: impl FnOnce(&Order, &Context) -> Result<Decision, Refusal>,
    ) {
        let order = self.order(order_id).await;
        let operator = Caller {
            actor: Actor::Operator(OperatorId::new(Uuid::from_u128(2))),
            request_id: None,
        };
        let context = Context {
            reason: Some("because".to_owned()),
            ..operator.at(self.clock.now())
        };
        let Ok(Decision::Changed(change)) = decide(&order, &context) else {
            panic!("nothing changes")
        };
        let write = OrderWrite::change(*change);
        self.orders.write(write).await.unwrap();
    }

    pub(crate) async fn cancel(&self, order_id: &str) {
        let command = CancelCommand {
            items: None,
            keep_fees: false,
            change: ChangeId::new(Uuid::nil()),
        };
        let no_line = || CorrectionId::new(Uuid::nil());
        self.decide(order_id, |order, context| {
            cancel(order, &command, &no_line, context)
        })
        .await;
    }

    /// Puts an order into `need-action` with a question to the store.
    pub(crate) async fn need(&self, order_id: &str) {
        let command = NeedCommand {
            items: None,
            id: NeedId::new(Uuid::nil()),
            code: NeedCode::Other,
            text: Some("Which one?".to_owned()),
            amount: None,
        };
        self.decide(order_id, |order, context| need(order, &command, context))
            .await;
    }

    pub(crate) async fn make_ready(&self, order_id: &str) {
        self.decide(order_id, |order, context| {
            let store = Context {
                actor: Actor::Store(KeyId::new(Uuid::from_u128(1))),
                ..context.clone()
            };
            process_now(order, &store)
        })
        .await;
    }

    /// Order number with the store's prefix, such as `DEMO-1`.
    pub(crate) fn number(&self, number: i64) -> String {
        ServiceOrderId {
            prefix: self.store.prefix.clone(),
            number,
        }
        .to_string()
    }
}
