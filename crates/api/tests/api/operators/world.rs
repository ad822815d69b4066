//! Two stores, and operators of every role with their tokens.

use std::collections::BTreeSet;
use std::sync::Arc;

use actix_web::http::Method;
use actix_web::test::{TestRequest, init_service, try_call_service};
use actix_web::{App, HttpResponse};
use async_trait::async_trait;
use pressline_api::{OperatorApi, OperatorServices, Settings, configure_operators};
use pressline_backoffice::import::catalog::ImportService;
use pressline_backoffice::import::order::OrderImport;
use pressline_backoffice::import::shipment::ShipmentImport;
use pressline_backoffice::memory::MemoryNotes;
use pressline_backoffice::memory::MemoryOperators;
use pressline_backoffice::memory::MemoryOverview;
use pressline_backoffice::memory::MemoryProduction;
use pressline_backoffice::note::NoteService;
use pressline_backoffice::operator::{
    AuthenticatedOperator, Operator, OperatorAdmin, OperatorAuthenticator, OperatorDenied,
    OperatorDirectory, OperatorImports, OperatorRecord, OperatorRole, SecretBytes, SecretSource,
    TokenText,
};
use pressline_backoffice::production::{ProductionService, ShipmentExport, Steps};
use pressline_backoffice::queue::QueueService;
use pressline_backoffice::statistics::StatisticsService;
use pressline_backoffice::store::StoreAdmin;
use pressline_domain::error::Source;
use pressline_domain::event::Actor;
use pressline_domain::fulfilment::{Caller, place};
use pressline_domain::order::{NewOrder, OrderParts, OrderRepository, OrderWrite};
use pressline_domain::pricing::tariff::Tariff;
use pressline_domain::store::{Store, StoreDirectory, StoreRecord};
use pressline_domain::value::{OperatorId, StoreId, Timestamp, TokenId};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::common::{
    CREATE, CountedIds, KEY, NOW, PlainKeys, Response, STORE, World, order, record, settings,
    store, webhook_services,
};

/// Store outside the scope of bound operators.
pub(crate) use crate::common::OTHER_STORE;

/// The operator API over two in-memory stores, each with the orders of [`PLACED`].
pub(crate) struct OperatorWorld {
    api: OperatorApi,
    pub(crate) shop: World,
}

/// Order ids of each store; the order numbers are 1, 2 and 3.
const PLACED: [&str; 3] = ["A-1", "A-2", "A-3"];

/// Accepts the tokens that [`token`] makes.
struct FixedTokens;

/// Token of an operator with `role`, bound to [`STORE`] if `is_bound`.
pub(crate) fn token(role: OperatorRole, is_bound: bool) -> String {
    let position = OperatorRole::ALL.iter().position(|other| *other == role);
    let number = 2 * position.unwrap() + usize::from(is_bound);
    let id = TokenId::new(Uuid::from_u128(number as u128));
    TokenText::new(id, &SecretBytes::default()).expose()
}

pub(crate) fn admin() -> String {
    token(OperatorRole::Admin, false)
}

#[async_trait]
impl OperatorAuthenticator for FixedTokens {
    async fn authenticate(&self, text: &str) -> Result<Arc<AuthenticatedOperator>, OperatorDenied> {
        let known = OperatorRole::ALL
            .into_iter()
            .flat_map(|role| [(role, false), (role, true)])
            .find(|(role, is_bound)| token(*role, *is_bound) == text);
        let (role, is_bound) = known.ok_or(OperatorDenied::Token("not a known token"))?;
        let bound: BTreeSet<StoreId> = [STORE.parse().unwrap()].into();
        let operator = operator(role, is_bound.then_some(bound));
        let text = TokenText::parse(text).unwrap();
        Ok(Arc::new(AuthenticatedOperator {
            operator,
            token: text.id(),
        }))
    }
}

impl OperatorWorld {
    pub(crate) async fn new() -> Self {
        Self::with(settings()).await
    }

    pub(crate) async fn with(settings: Settings) -> Self {
        // `settings` apply to the operators' listener only.
        let shop = World::new().await;
        let other = Store {
            id: OTHER_STORE.parse().unwrap(),
            prefix: "OTHER".parse().unwrap(),
            ..store()
        };
        shop.stores.add(&record(other)).await.unwrap();
        place_orders(&shop).await;
        let admin = StoreAdmin::new(
            Arc::new(shop.stores.clone()),
            Arc::new(PlainKeys),
            shop.clock.clone(),
            Arc::new(CountedIds::default()),
        );
        let orders = Arc::new(shop.orders.clone());
        let operators = operators(&shop).await;
        let notes = Arc::new(MemoryNotes::default());
        let (webhooks, stores, clock) = (&shop.webhooks, &shop.stores, &shop.clock);
        let kept = MemoryProduction::default();
        let production = Arc::new(kept.clone());
        let exports = ShipmentExport {
            queue: QueueService::new(orders.clone(), orders.clone()),
            batches: production.clone(),
            products: shop.service.pricing.clone(),
            stores: Arc::new(shop.stores.clone()),
        };
        let production = ProductionService {
            progress: production.clone(),
            batches: production,
            orders: shop.service.read.clone(),
            moves: shop.service.moves.clone(),
            shipper: shop.service.ship.clone(),
            clock: shop.clock.clone(),
            stores: admin.clone(),
            operators: operators.clone(),
            steps: Steps::default(),
        };
        let services = OperatorServices {
            production,
            statistics: statistics(&shop, &kept),
            imports: imports(&shop, &admin),
            exports,
            webhooks: webhook_services(webhooks, stores, &shop.orders, clock),
            stores: admin,
            notes: NoteService {
                orders: shop.service.read.clone(),
                notes,
                operators: operators.clone(),
                clock: shop.clock.clone(),
                ids: Arc::new(CountedIds::default()),
            },
            operators,
            queue: QueueService::new(orders.clone(), orders),
            orders: shop.service.clone(),
        };
        let health = shop.api.health();
        let api = OperatorApi::new(services, Arc::new(FixedTokens), health, &settings);
        Self { api, shop }
    }

    pub(crate) async fn send(&self, request: TestRequest) -> Response {
        let api = self.api.clone();
        let app =
            init_service(App::new().configure(|config| configure_operators(config, api))).await;
        let response = match try_call_service(&app, request.to_request()).await {
            Ok(response) => response.map_into_boxed_body().into_parts().1,
            Err(error) => HttpResponse::from_error(error),
        };
        Response::read(response).await
    }

    /// Sends `body` to `/admin/v1/{call}`.
    pub(crate) async fn call(&self, token: &str, call: &str, body: Value) -> Response {
        self.send(with_token(token, &format!("/admin/v1/{call}"), body))
            .await
    }

    pub(crate) async fn stored(&self, id: &str) -> StoreRecord {
        let stores = &self.shop.stores;
        stores.find(id.parse().unwrap()).await.unwrap().unwrap()
    }
}

fn imports(shop: &World, admin: &StoreAdmin) -> OperatorImports {
    let (orders, stores) = (shop.service.clone(), Arc::new(shop.stores.clone()));
    let catalog = Arc::new(shop.catalog.clone());
    let tariff = Tariff::default();
    OperatorImports {
        stores: admin.clone(),
        shipments: ShipmentImport::new(
            orders.clone(),
            stores.clone(),
            shop.clock.clone(),
            Arc::new(CountedIds::default()),
        ),
        orders: OrderImport::new(orders),
        catalog: ImportService::new(catalog.clone(), catalog, stores, tariff),
    }
}

fn statistics(shop: &World, production: &MemoryProduction) -> StatisticsService {
    StatisticsService {
        orders: Arc::new(MemoryOverview::new(&shop.orders, production)),
        stores: Arc::new(shop.stores.clone()),
        clock: shop.clock.clone(),
        permits: Arc::default(),
    }
}

async fn operators(shop: &World) -> OperatorAdmin {
    let directory = MemoryOperators::default();
    let operator = operator(OperatorRole::Operator, None);
    let tokens = Vec::new();
    let record = OperatorRecord { operator, tokens };
    directory.add(&record).await.unwrap();
    OperatorAdmin::new(
        Arc::new(directory),
        Arc::new(NoSecrets),
        shop.clock.clone(),
        Arc::new(CountedIds::default()),
    )
}

struct NoSecrets;

impl SecretSource for NoSecrets {
    fn secret(&self) -> Result<SecretBytes, Source> {
        Err("no token is made here".into())
    }
}

fn operator(role: OperatorRole, stores: Option<BTreeSet<StoreId>>) -> Operator {
    Operator {
        id: OperatorId::new(Uuid::from_u128(1)),
        name: format!("the {}", role.as_str()),
        role,
        stores,
        created_at: Timestamp::from_millis(NOW),
    }
}

async fn copy_to_other_store(shop: &World, order_id: &str) {
    let order = shop.order(order_id).await;
    let parts = OrderParts {
        id: order.parts().id.next().unwrap(),
        store_id: OTHER_STORE.parse().unwrap(),
        ..order.parts().clone()
    };
    let caller = Caller {
        actor: Actor::Store(KEY.parse().unwrap()),
        request_id: None,
    };
    let placement = place(&parts, 3600, &caller.at(parts.created_at())).unwrap();
    let copy = OrderWrite::create(NewOrder::new(parts, placement).unwrap());
    shop.orders.write(copy).await.unwrap();
}

pub(crate) fn with_token(token: &str, path: &str, body: impl ToString) -> TestRequest {
    without_token(path, body).insert_header(("Authorization", format!("Bearer {token}")))
}

/// A complete request except for the header `Authorization`.
pub(crate) fn without_token(path: &str, body: impl ToString) -> TestRequest {
    TestRequest::default()
        .method(Method::POST)
        .uri(path)
        .insert_header(("Content-Type", "application/json"))
        .insert_header(("X-Request-Id", "call-1"))
        .set_payload(body.to_string())
}

async fn place_orders(shop: &World) {
    for order_id in PLACED {
        let mut body = order(order_id);
        if order_id == "A-3" {
            body["line_items"].as_array_mut().unwrap().truncate(1);
        }
        shop.post(CREATE, body).await;
        copy_to_other_store(shop, order_id).await;
    }
    // Order 3 is in production, and the store has requested to cancel it.
    shop.make_ready("A-3").await;
    let cancel = json!({ "order_id": "A-3" });
    shop.post("/app/v1/orders/cancel", cancel).await;
}
