//! An order is priced, placed, produced and shipped with nothing but this crate: no database, no
//! server.

use std::error::Error;
use std::sync::Arc;

use pressline_domain::catalog::{CatalogAdmin, ImportOptions, Variant, VariantParts};
use pressline_domain::check::Field;
use pressline_domain::event::Actor;
use pressline_domain::fulfilment::{Caller, ItemStatus};
use pressline_domain::memory::{MemoryCatalog, MemoryOrders, MemoryStores};
use pressline_domain::order::request::{
    AddressDraft, CustomerDraft, LineItemDraft, MoveDraft, OrderDraft, ShipmentDraft,
};
use pressline_domain::order::{HistoryDraft, OrderService};
use pressline_domain::pricing::tariff::{
    ShippingRate, ShippingRateParts, ShippingRates, Zone, ZoneParts,
};
use pressline_domain::runtime::{FixedClock, IdSource, MonotonicIds};
use pressline_domain::store::{Store, StoreDirectory, StoreRecord};
use pressline_domain::value::{
    Amount, Currency, KeyId, MoneyError, OperatorId, StoreId, Timestamp,
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    // The ports, in memory. A real service has repositories and a clock of its own.
    let now = Timestamp::from_millis(1_717_818_552_905);
    let (ids, clock) = (Arc::new(MonotonicIds::new()), Arc::new(FixedClock::at(now)));
    let (stores, catalog) = (MemoryStores::new(), Arc::new(MemoryCatalog::new()));
    let orders = Arc::new(MemoryOrders::new(&stores, &catalog));

    // A store, a product, and a shipping rate to all countries.
    let id = StoreId::new(ids.next(now));
    let store = Store::new(id, "DEMO".parse()?, Currency::USD, now);
    let record = StoreRecord::new(store.clone(), Vec::new());
    stores.add(&record).await?;
    fill(&catalog).await?;

    // The use cases, and the callers that the order's history names. Without a cooling-off window,
    // complete items are ready for production immediately.
    let service = OrderService::new(orders, catalog, clock, ids.clone()).cooling_off(0);
    let by_store = Caller::new(Actor::Store(KeyId::new(ids.next(now))));
    let by_operator = Caller::new(Actor::Operator(OperatorId::new(ids.next(now))));

    // The store orders two shirts. Each line of the bill names the rule that it comes from.
    let placed = service.place.create(&store, &request(), &by_store).await?;
    let bill = &placed.order.content.bill;
    let mut rules = bill.lines().iter().map(|line| line.rule.as_str());
    assert_eq!(rules.next(), Some("TEE-M: 2 x 7.50 USD by the catalog"));
    assert!(rules.any(|rule| rule.starts_with("Standard to Everywhere: 4.00 USD")));
    assert_eq!(bill.total(), usd("20")?);
    assert_eq!(placed.order.state.item_statuses(), [ItemStatus::Ready]);

    // The print shop starts production, and sends all units in one parcel.
    let start = MoveDraft::for_order("start", "DEMO-1");
    let moved = service
        .moves
        .move_orders((&store).into(), &start, &by_operator);
    assert!(moved.await?.orders.iter().all(|order| order.result.is_ok()));
    let parcel = ShipmentDraft {
        order_id: "DEMO-1".into(),
        tracking_number: "9400100000000000000001".into(),
        ..ShipmentDraft::default()
    };
    let sent = service.ship.create_shipment(&store, &parcel, &by_operator);
    let statuses = sent.await?.order.state.item_statuses();
    assert_eq!(statuses, [ItemStatus::Fulfilled]);

    // The history has one event per change, newest first.
    let history = HistoryDraft {
        order_id: "DEMO-1".into(),
        ..HistoryDraft::default()
    };
    let events = service.read.history(&store, &history).await?.page.entries;
    let kinds = events.iter().map(|event| event.event.kind.as_str());
    assert!(kinds.eq(["shipment.created", "order.status_changed", "order.created"]));
    Ok(())
}

/// Adds a product and a shipping rate to the catalog.
async fn fill(catalog: &MemoryCatalog) -> Result<(), Box<dyn Error>> {
    let shirt = Variant::new(VariantParts {
        price: Some(usd("7.50")?),
        ..VariantParts::single("TEE-M", "T-shirt, M")
    })?;
    catalog.import(&[shirt], &ImportOptions::default()).await?;
    let everywhere = Zone::new(ZoneParts {
        name: "Everywhere".to_owned(),
        places: Vec::new(),
    })?;
    let (first, further) = (usd("4")?, usd("1")?);
    let rate = ShippingRateParts::new("Everywhere", "Standard", Currency::USD, first, further);
    let rates = ShippingRates::new(vec![everywhere], vec![ShippingRate::new(rate)?])?;
    catalog.set_shipping(&rates).await?;
    Ok(())
}

fn usd(text: &str) -> Result<Amount, MoneyError> {
    Amount::parse(text, Currency::USD)
}

fn request() -> OrderDraft {
    let shirts = LineItemDraft {
        sku: "TEE-M".into(),
        quantity: 2.into(),
        file_urls: Field::Value(vec!["https://example.com/front.png".into()]),
        ..LineItemDraft::default()
    };
    let address = AddressDraft {
        name: "Zoë O'Brien".into(),
        address1: "1 Main St".into(),
        city: "Kowloon".into(),
        country_code: "HK".into(),
        ..AddressDraft::default()
    };
    let customer = CustomerDraft {
        first_name: "Ana".into(),
        last_name: "Đỗ".into(),
    };
    OrderDraft {
        order_id: "shop-1-8533".into(),
        shipping_address: address.into(),
        customer: customer.into(),
        line_items: Field::Value(vec![shirts.into()]),
        ..OrderDraft::default()
    }
}
