//! A print shop's production: ready orders, and the operators' records.

use std::sync::Arc;

use pressline_backoffice::memory::MemoryOperators;
use pressline_backoffice::memory::MemoryOverview;
use pressline_backoffice::memory::MemoryProduction;
use pressline_backoffice::operator::{Operator, OperatorAdmin, OperatorDirectory, OperatorRecord};
use pressline_backoffice::overview::Overview;
use pressline_backoffice::production::{
    BatchDraft, BatchNameDraft, BatchView, ItemUnits, MisprintDraft, ProducedItem, ProductionError,
    ProductionService, RecordDraft, RecordedItem, Steps,
};
use pressline_backoffice::statistics::PlacedOrders;
use pressline_domain::check::Field;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::Order;
use pressline_domain::order::request::{
    LineItemDraft, MoveDraft, MoveValues, ShipmentDraft, UnitsDraft,
};
use pressline_domain::store::{Store, StoreSettings};

use crate::desk::Desk;
use crate::fixture::*;

pub(super) struct Floor {
    pub(super) shop: Shop,
    pub(super) desk: Desk,
    pub(super) production: ProductionService,
    overview: Arc<dyn Overview>,
    statistics: Arc<dyn PlacedOrders>,
}

impl Floor {
    /// Opens a shop with the default steps, in which orders become ready immediately.
    pub(super) async fn open() -> Self {
        let mut shop = Shop::open().await;
        shop.store.settings = StoreSettings {
            cooling_off_seconds: Some(0),
            ..StoreSettings::default()
        };
        let desk = Desk::new(&shop);
        let directory = MemoryOperators::default();
        let record = OperatorRecord {
            operator: desk.operator.clone(),
            tokens: Vec::new(),
        };
        directory.add(&record).await.unwrap();
        let kept = MemoryProduction::default();
        let overview = Arc::new(MemoryOverview::new(&shop.orders, &kept));
        let statistics = overview.clone();
        let kept = Arc::new(kept);
        let production = ProductionService {
            progress: kept.clone(),
            batches: kept,
            orders: shop.service.read.clone(),
            moves: shop.service.moves.clone(),
            shipper: shop.service.ship.clone(),
            clock: shop.clock.clone(),
            stores: desk.admin(),
            operators: OperatorAdmin::new(
                Arc::new(directory),
                Arc::new(crate::operators::Secrets),
                shop.clock.clone(),
                Arc::new(CountedIds::default()),
            ),
            steps: Steps::default(),
        };
        Self {
            shop,
            desk,
            production,
            overview,
            statistics,
        }
    }

    pub(super) fn overview(&self) -> Arc<dyn Overview> {
        self.overview.clone()
    }

    pub(super) fn statistics(&self) -> Arc<dyn PlacedOrders> {
        self.statistics.clone()
    }

    pub(super) fn with_steps(&mut self, names: &[&str]) {
        self.production.steps = Steps::parse(names).unwrap();
    }

    /// Places an order of the shop's store, with an item of ready mugs for each of `quantities`.
    pub(super) async fn ready(&self, order_id: &str, quantities: &[i64]) -> Order {
        self.ready_in(&self.shop.store, order_id, quantities).await
    }

    pub(super) async fn ready_in(
        &self,
        store: &Store,
        order_id: &str,
        quantities: &[i64],
    ) -> Order {
        let mug = |quantity: &i64| LineItemDraft {
            file_urls: urls(&[URL]),
            ..item("MUG-11", *quantity)
        };
        let draft = order_of(order_id, quantities.iter().map(mug).collect());
        let store = Store {
            settings: self.shop.store.settings.clone(),
            ..store.clone()
        };
        let placed = self
            .shop
            .service
            .place
            .create(&store, &draft, &caller())
            .await;
        placed.unwrap().order
    }

    pub(super) async fn try_record(
        &self,
        by: &Operator,
        draft: &RecordDraft,
    ) -> Result<RecordedItem, ProductionError> {
        self.production.record(by, draft, &self.desk.caller()).await
    }

    /// Records `units` of an item; `None` records all units that wait at `step`.
    pub(super) async fn record(
        &self,
        code: &str,
        step: &str,
        units: Option<i64>,
    ) -> Result<RecordedItem, ProductionError> {
        let draft = RecordDraft {
            item_code: code.into(),
            step: step.into(),
            units: units.into(),
            once: Field::Absent,
        };
        self.try_record(&self.desk.operator, &draft).await
    }

    /// Records all units that wait at `step`. Returns the units done at each step.
    pub(super) async fn scan(&self, code: &str, step: &str) -> Vec<u32> {
        let recorded = self.record(code, step, None).await.unwrap();
        done(&recorded.item)
    }

    pub(super) async fn misprint(
        &self,
        code: &str,
        units: i64,
    ) -> Result<RecordedItem, ProductionError> {
        let draft = MisprintDraft {
            item_code: code.into(),
            units: units.into(),
            reason: "Smeared.".into(),
            once: Field::Absent,
        };
        let by = &self.desk.caller();
        let operator = &self.desk.operator;
        self.production.misprint(operator, &draft, by).await
    }

    /// Sends `command` for an order. Panics if it is refused.
    pub(super) async fn give(&self, command: &str, order: &str) {
        let draft = MoveDraft {
            values: MoveValues {
                reason: "a test".into(),
                ..MoveValues::default()
            },
            ..MoveDraft::for_order(command, order)
        };
        let by = self.desk.caller();
        let service = &self.shop.service;
        let moved = service
            .moves
            .move_orders(self.desk.scope(), &draft, &by)
            .await;
        moved.unwrap().orders.remove(0).result.unwrap();
    }

    pub(super) async fn ship(&self, order: &Order, parcel: &str, units: i64) {
        let units = UnitsDraft {
            app_item_id: Field::Value(order.state.items[0].id.to_string()),
            quantity: units.into(),
        };
        let draft = ShipmentDraft {
            order_id: Field::Value(order.service_order_id.to_string()),
            reference: parcel.into(),
            line_items: Field::Value(vec![Field::Value(units)]),
            ..ShipmentDraft::default()
        };
        let by = self.desk.caller();
        let service = &self.shop.service;
        let shipped = service.ship.create_shipment(self.desk.scope(), &draft, &by);
        shipped.await.unwrap();
    }

    pub(super) async fn item(&self, code: &str) -> ProducedItem {
        let (order, _) = code.rsplit_once('-').unwrap();
        let name = Field::from(order);
        let operator = &self.desk.operator;
        let found = self.production.of_order(operator, &name).await.unwrap();
        let mut items = found.items.into_iter();
        items.find(|item| item.code() == code).unwrap()
    }

    pub(super) async fn status(&self, code: &str) -> ItemStatus {
        self.item(code).await.state.status
    }

    pub(super) async fn make_batch(&self, codes: &[&str]) -> Result<BatchView, ProductionError> {
        let codes = codes.iter().map(|code| Field::from(*code));
        let draft = BatchDraft {
            items: Field::Value(codes.collect()),
            name: Field::Absent,
        };
        let by = self.desk.caller();
        let operator = &self.desk.operator;
        self.production.create_batch(operator, &draft, &by).await
    }
}

pub(super) fn done(item: &ProducedItem) -> Vec<u32> {
    let units: &ItemUnits = &item.production.units;
    units.done().to_vec()
}

pub(super) fn batch(name: &str) -> BatchNameDraft {
    BatchNameDraft { batch: name.into() }
}
