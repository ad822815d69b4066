//! Complete shipment imports, from the file's text to the stored shipments.

use std::sync::Arc;

use pressline_backoffice::import::catalog::Mode;
use pressline_backoffice::import::shipment::{ShipmentImport, ShipmentImportReport};
use pressline_domain::check::Field;
use pressline_domain::event::Actor;
use pressline_domain::fulfilment::{Caller, ItemStatus};
use pressline_domain::memory::{MemoryCatalog, MemoryOrders, MemoryStores};
use pressline_domain::order::request::{
    AddressDraft, CommandDraft, CustomerDraft, LineItemDraft, OrderDraft,
};
use pressline_domain::order::{Lookup, Order, OrderRepository, OrderService};
use pressline_domain::runtime::FixedClock;
use pressline_domain::runtime::MonotonicIds;
use pressline_tabular::read_shipments;

use super::*;

/// 2024-06-08, in milliseconds since 1970.
const NOW: i64 = 1_717_804_800_000;

/// An order service over the stores of [`references`], without orders.
pub(crate) struct Shop {
    stores: MemoryStores,
    orders: MemoryOrders,
    pub(crate) catalog: MemoryCatalog,
    pub(crate) service: OrderService,
}

fn clock() -> Arc<FixedClock> {
    Arc::new(FixedClock::at(Timestamp::from_millis(NOW)))
}

impl Shop {
    pub(crate) async fn open() -> Self {
        let (stores, catalog) = (MemoryStores::new(), MemoryCatalog::new());
        add_stores(&stores).await;
        let orders = MemoryOrders::new(&stores, &catalog);
        let service = OrderService::new(
            Arc::new(orders.clone()),
            Arc::new(catalog.clone()),
            clock(),
            Arc::new(MonotonicIds::new()),
        );
        Self {
            stores,
            orders,
            catalog,
            service,
        }
    }

    /// Creates an order with ready `items`, given as pairs of SKU and quantity.
    pub(crate) async fn order(&self, prefix: &str, order_id: &str, items: &[(&str, i64)]) -> Order {
        let mut stores = references().stores.into_iter();
        let store = stores
            .find(|store| store.prefix.as_str() == prefix)
            .unwrap();
        let item = |(sku, quantity): &(&str, i64)| {
            Field::Value(LineItemDraft {
                sku: (*sku).into(),
                quantity: (*quantity).into(),
                file_urls: Field::Value(vec!["https://example.com/front.png".into()]),
                ..LineItemDraft::default()
            })
        };
        let draft = OrderDraft {
            order_id: order_id.into(),
            shipping_address: Field::Value(AddressDraft {
                name: "Ana".into(),
                address1: "1 Main St".into(),
                city: "Springfield".into(),
                zip: "62701".into(),
                province_code: "US-IL".into(),
                country_code: "US".into(),
                ..AddressDraft::default()
            }),
            customer: Field::Value(CustomerDraft {
                first_name: "Ana".into(),
                ..CustomerDraft::default()
            }),
            line_items: Field::Value(items.iter().map(item).collect()),
            ..OrderDraft::default()
        };
        let by = Caller::new(Actor::Store(DEMO.parse().unwrap()));
        self.service
            .place
            .create(&store, &draft, &by)
            .await
            .unwrap();
        let now = CommandDraft {
            order_id: order_id.into(),
            ..CommandDraft::default()
        };
        let ready = self.service.moves.process_now(&store, &now, &by).await;
        ready.unwrap().order
    }

    pub(crate) async fn import(&self, text: &str, mode: Mode) -> ShipmentImportReport {
        let rows = read_shipments(text.as_bytes());
        let import = ShipmentImport::new(
            self.service.clone(),
            Arc::new(self.stores.clone()),
            clock(),
            Arc::new(MonotonicIds::new()),
        );
        let report = import
            .import(&None, rows, mode, Actor::CommandLine, None)
            .await;
        report.unwrap()
    }

    /// Asserts that the file is rejected with the problems `expected`, as line, column and code,
    /// and that nothing is stored.
    async fn refused(&self, text: &str, expected: &[(u64, &str, &str)]) {
        let report = self.import(text, Mode::Apply).await;
        let found = report.problems.iter();
        let found: Vec<_> = found
            .map(|problem| (problem.line, problem.field.as_str(), problem.code))
            .collect();
        assert_eq!(found, expected, "{:#?}", report.problems);
        assert_eq!(report.created, 0);
    }

    async fn stored(&self, order: &Order) -> Order {
        let lookup = Lookup::numbered(order.service_order_id.number);
        let found = self.orders.find(order.content.store_id, &lookup).await;
        found.unwrap().unwrap().into()
    }
}

fn counts(report: &ShipmentImportReport) -> (usize, usize, usize) {
    assert!(report.problems.is_empty(), "{:#?}", report.problems);
    (report.rows, report.created, report.unchanged)
}

const HEADER: &str =
    "order_id,carrier,tracking_number,tracking_url,ref,sku,item_id,quantity,shipped_at\n";

#[tokio::test]
async fn rows_of_one_parcel_are_one_shipment_and_an_import_can_be_repeated() {
    let shop = Shop::open().await;
    let first = shop.order("DEMO", "T-1", &[("MUG", 10), ("TEE", 2)]).await;
    let other = shop.order("TOKYO", "T-1", &[("MUG", 1)]).await;
    let tee = first.state.items[1].id;
    let code = first.state.items[0].code(&first.service_order_id);
    let text = format!(
        "{HEADER}\
         DEMO-1,UPS,1Z-1,,,MUG,,6,2024-06-07\n\
         TOKYO-1,DHL,7,https://example.com/7,,,,,\n\
         DEMO-1,ups,1Z-1,,,,{tee},,\n\
         DEMO-1,UPS,1Z-2,,box 2,,{code},4,2024-06-08T10:00:00Z\n"
    );
    assert_eq!(counts(&shop.import(&text, Mode::DryRun).await), (4, 3, 0));
    assert_eq!(shop.stored(&first).await, first);
    assert_eq!(counts(&shop.import(&text, Mode::Apply).await), (4, 3, 0));
    let sent = shop.stored(&first).await;
    assert_eq!(sent.state.item_statuses(), [ItemStatus::Fulfilled]);
    let quantities = sent.shipments.iter().map(|shipment| {
        let units = shipment.items.iter().map(|units| units.quantity);
        units.collect::<Vec<_>>()
    });
    assert_eq!(quantities.collect::<Vec<_>>(), [vec![6, 2], vec![4]]);
    assert_eq!(
        sent.shipments[0].shipped_at.to_string(),
        "2024-06-07T00:00:00.000Z"
    );
    assert_eq!(sent.shipments[1].reference.as_deref(), Some("box 2"));
    let elsewhere = shop.stored(&other).await;
    assert_eq!(elsewhere.shipments[0].items[0].quantity, 1);
    // Nothing changes, regardless of the order of the rows and of missing columns.
    assert_eq!(counts(&shop.import(&text, Mode::Apply).await), (4, 0, 3));
    let fewer = "order_id,ref\nDEMO-1,box 2\n";
    assert_eq!(counts(&shop.import(fewer, Mode::Apply).await), (1, 0, 1));
    assert_eq!(shop.stored(&first).await, sent);
    // A new row in a file that is imported again is added.
    let third = shop.order("DEMO", "T-2", &[("MUG", 1)]).await;
    let longer = format!("{text}DEMO-2,UPS,1Z-3,,,,,,\n");
    assert_eq!(counts(&shop.import(&longer, Mode::Apply).await), (5, 1, 3));
    assert_eq!(shop.stored(&third).await.shipments.len(), 1);
}

#[tokio::test]
async fn one_wrong_row_prevents_the_whole_import() {
    let shop = Shop::open().await;
    let right = shop.order("DEMO", "T-1", &[("MUG", 2), ("MUG", 1)]).await;
    shop.order("DEMO", "T-2", &[("MUG", 3)]).await;
    let text = format!(
        "{HEADER}\
         DEMO-1,UPS,1Z-1,,,,,,\n\
         DEMO-2,UPS,1Z-2,,,MUG,,2,\n\
         DEMO-2,UPS,1Z-3,,,MUG,,2,\n\
         DEMO-9,UPS,1Z-4,,,,,,\n\
         NONE-1,UPS,1Z-5,,,,,,\n\
         ,UPS,1Z-6,,,,,,\n\
         demo-1,UPS,1Z-7,,,,,,\n\
         DEMO-2,UPS,,,,,,,\n\
         DEMO-2,UPS,1Z-8,,,TEE,,1,\n\
         DEMO-2,UPS,1Z-9,,,,x,1,\n\
         DEMO-2,UPS,1Z-10,javascript:alert(1),,MUG,,zero,yesterday\n\
         DEMO-2,UPS,9.20559E+21,,,MUG,,0,1717804800\n\
         DEMO-2,UPS,1Z-11,,,,,1,\n"
    );
    shop.refused(
        &text,
        &[
            (4, "quantity", "out_of_range"),
            (5, "order_id", "order_not_found"),
            (6, "order_id", "order_not_found"),
            (7, "order_id", "required"),
            (8, "order_id", "invalid_format"),
            (9, "tracking_number", "required"),
            (10, "sku", "unknown_item"),
            (11, "item_id", "unknown_item"),
            (12, "quantity", "invalid_format"),
            (12, "shipped_at", "invalid_format"),
            (12, "tracking_url", "invalid_format"),
            (13, "quantity", "out_of_range"),
            (13, "shipped_at", "out_of_range"),
            (13, "tracking_number", "invalid_format"),
            (14, "item_id", "required"),
        ],
    )
    .await;
    assert_eq!(shop.stored(&right).await, right);
}

#[tokio::test]
async fn rows_that_contradict_each_other_are_refused() {
    let shop = Shop::open().await;
    let order = shop
        .order("DEMO", "T-1", &[("MUG", 2), ("MUG", 1), ("TEE", 1)])
        .await;
    let mug = order.state.items[0].id;
    let text = format!(
        "{HEADER}\
         DEMO-1,UPS,1Z-1,,A,TEE,,1,\n\
         DEMO-1,DHL,1Z-2,,A,,{mug},1,2024-06-07\n\
         DEMO-1,UPS,1Z-3,,,TEE,{mug},1,\n\
         DEMO-1,UPS,1Z-4,,,MUG,,1,\n\
         DEMO-1,UPS,1Z-6,,,,{mug},1,\n\
         DEMO-1,UPS,1Z-6,,,,{mug},1,\n\
         DEMO-1,UPS,1Z-5,,,,,,\n\
         DEMO-1,UPS,1Z-5,,,,,,\n"
    );
    shop.refused(
        &text,
        &[
            (3, "carrier", "conflict"),
            (3, "tracking_number", "conflict"),
            (4, "sku", "conflict"),
            (5, "sku", "ambiguous"),
            (6, "item_id", "repeated"),
            (9, "item_id", "required"),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_parcel_that_does_not_fit_its_order_is_refused() {
    let shop = Shop::open().await;
    let order = shop.order("DEMO", "T-1", &[("MUG", 2)]).await;
    let sent = format!("{HEADER}DEMO-1,UPS,1Z-1,,A,MUG,,2,\n");
    assert_eq!(counts(&shop.import(&sent, Mode::Apply).await), (1, 1, 0));
    let text = format!(
        "{HEADER}\
         DEMO-1,UPS,1Z-9,,A,MUG,,2,\n\
         DEMO-1,UPS,1Z-2,,B,MUG,,1,\n\
         DEMO-1,UPS,1Z-3,,C,,,,\n"
    );
    shop.refused(
        &text,
        &[
            (2, "ref", "duplicate_shipment"),
            (3, "sku", "illegal_transition"),
            (4, "order_id", "illegal_transition"),
        ],
    )
    .await;
    assert_eq!(shop.stored(&order).await.shipments.len(), 1);
}

#[tokio::test]
async fn a_file_in_another_format_is_refused_with_line_numbers() {
    let shop = Shop::open().await;
    let form = "invalid_format";
    shop.refused("", &[(1, "", form)]).await;
    shop.refused("order_id,tracking\nDEMO-1,1\n", &[(1, "tracking", form)])
        .await;
    shop.refused("carrier\nUPS\n", &[(1, "order_id", form)])
        .await;
    shop.refused("order_id,ref\nDEMO-1,\"a\n", &[(2, "", form)])
        .await;
    shop.refused("order_id,ref\nDEMO-1,a,b\n", &[(2, "", form)])
        .await;
    let hostile = "order_id,ref\n\u{202e}DEMO-1,\u{1b}[2J\n";
    shop.refused(hostile, &[(2, "order_id", form), (2, "ref", form)])
        .await;
    let report = shop.import(HEADER, Mode::Apply).await;
    assert_eq!(counts(&report), (0, 0, 0));
}

#[tokio::test]
async fn unlisted_problems_are_counted() {
    let shop = Shop::open().await;
    let rows = "DEMO-1,x\n".repeat(10_002);
    let report = shop
        .import(&format!("order_id,carrier\n{rows}"), Mode::Apply)
        .await;
    assert_eq!((report.rows, report.problems.len()), (10_002, 10_001));
    let last = report.problems.last().unwrap();
    assert_eq!((last.code, last.message.as_str()), ("more", "and 2 more"));
}
