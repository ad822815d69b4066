//! An order is priced, placed, repeated, changed and found again, with nothing but this crate: no
//! database, no server.

use std::error::Error;
use std::future::Future;
use std::io::Write as _;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use pressline_domain::catalog::{
    CatalogAdmin, ImportOptions, PrintArea, PrintAreaParts, Variant, VariantParts,
};
use pressline_domain::check::field::Field;
use pressline_domain::event::Actor;
use pressline_domain::fulfilment::{Caller, ItemStatus};
use pressline_domain::memory::{MemoryCatalog, MemoryOrders, MemoryStores};
use pressline_domain::order::request::{
    AddressDraft, CommandDraft, CustomerDraft, LineItemDraft, MoveDraft, OrderDraft,
    OrderToMoveDraft, ShipmentDraft, UpdateDraft,
};
use pressline_domain::order::search::SearchDraft;
use pressline_domain::order::{DryRunOrder, HistoryDraft, OrderService};
use pressline_domain::pricing::tariff::{
    FeeRule, FeeSchedule, ShippingRate, ShippingRateParts, ShippingRates, Zone, ZoneParts,
};
use pressline_domain::runtime::MonotonicIds;
use pressline_domain::runtime::{FixedClock, IdSource};
use pressline_domain::store::{Store, StoreDirectory, StoreRecord, StoreSettings};
use pressline_domain::value::id::{KeyId, OperatorId, StoreId};
use pressline_domain::value::money::{Amount, Currency};
use pressline_domain::value::time::Timestamp;

/// A service over ports in memory, a store, and what things cost there.
async fn open_shop() -> Result<(OrderService, Store), Box<dyn Error>> {
    // The ports. A real service has its own clock and repositories.
    let now = Timestamp::from_millis(1_717_818_552_905);
    let usd = |text| Amount::parse(text, Currency::USD);
    let ids = Arc::new(MonotonicIds::new());
    let clock = Arc::new(FixedClock::at(now));
    let stores = MemoryStores::new();
    let catalog = Arc::new(MemoryCatalog::new());
    let orders = Arc::new(MemoryOrders::new(&stores, &catalog));

    // A store, a product, and what shipping costs.
    let store = Store {
        id: StoreId::new(ids.next(now)),
        name: "Demo shop".to_owned(),
        prefix: "DEMO".parse()?,
        currency: Currency::USD,
        test: false,
        settings: StoreSettings::default(),
        enabled: true,
        created_at: now,
    };
    stores
        .add(&StoreRecord {
            store: store.clone(),
            keys: Vec::new(),
            version: 1,
        })
        .await?;
    let back = PrintArea::new(PrintAreaParts {
        extra_fee: usd("1.25")?,
        ..PrintAreaParts::named("back", "Back")
    })?;
    let shirt = Variant::new(VariantParts {
        price: Some(usd("7.50")?),
        areas: vec![PrintArea::main(), back],
        ..VariantParts::single("TEE-M", "T-shirt, M")
    })?;
    catalog.import(&[shirt], &ImportOptions::default()).await?;
    catalog.set_shipping(&rates()?).await?;
    let label = FeeRule::label_handling(Currency::USD, usd("2.50")?);
    let fees = FeeSchedule::new(vec![label])?;
    catalog.set_fees(&[(None, Some(&fees))]).await?;
    Ok((OrderService::new(orders, catalog, clock, ids), store))
}

/// One rate to everywhere: 4 dollars for the first unit and 1 for each further one.
fn rates() -> Result<ShippingRates, Box<dyn Error>> {
    let standard = ShippingRate::new(ShippingRateParts {
        zone: "Everywhere".to_owned(),
        ship_class: "Standard".to_owned(),
        currency: Currency::USD,
        first: Amount::parse("4", Currency::USD)?,
        further: Amount::parse("1", Currency::USD)?,
        steps: Vec::new(),
        free_from: None,
    })?;
    let everywhere = Zone::new(ZoneParts {
        name: "Everywhere".to_owned(),
        places: Vec::new(),
    })?;
    Ok(ShippingRates::new(vec![everywhere], vec![standard])?)
}

fn address(city: &str) -> AddressDraft {
    AddressDraft {
        name: "Zoë O'Brien".into(),
        address1: "1 Main St".into(),
        city: city.into(),
        zip: "62701".into(),
        province_code: "US-IL".into(),
        country_code: "US".into(),
        ..AddressDraft::default()
    }
}

/// Two shirts, printed on both sides.
fn request() -> OrderDraft {
    let files = [
        "https://example.com/front.png",
        "https://example.com/back.png",
    ];
    let shirts = LineItemDraft {
        sku: "TEE-M".into(),
        quantity: 2.into(),
        file_urls: Field::Value(files.map(Field::from).into()),
        ..LineItemDraft::default()
    };
    OrderDraft {
        order_id: "shop-1-8533".into(),
        shipping_address: address("Springfield").into(),
        customer: CustomerDraft {
            first_name: "Ana".into(),
            last_name: "Đỗ".into(),
        }
        .into(),
        line_items: Field::Value(vec![shirts.into()]),
        ..OrderDraft::default()
    }
}

async fn embed() -> Result<(), Box<dyn Error>> {
    let usd = |text| Amount::parse(text, Currency::USD);
    let (service, store) = open_shop().await?;

    // Whose calls these are, for the history of the order.
    let key = MonotonicIds::new().next(store.created_at);
    let caller = Caller {
        actor: Actor::Store(KeyId::new(key)),
        request_id: None,
    };

    // Estimate the order: each fee line names the rule that it comes from. Nothing is stored.
    let request = request();
    let DryRunOrder::New(estimated) = service.estimate(&store, &request).await?.order else {
        return Err("the order exists already".into());
    };
    for line in estimated.content.bill.lines() {
        let amount = line.amount.decimal(Currency::USD);
        writeln!(
            std::io::stdout(),
            "{:>10} {amount:>6} {}",
            line.fee.as_str(),
            line.rule
        )?;
    }

    // Create it, under the caller's own id, at the estimated price.
    let placed = service.create(&store, &request, &caller).await?;
    assert_eq!(placed.order.service_order_id.to_string(), "DEMO-1");
    // Shirts 15, shipping 4 + 1, the backs 2 x 1.25.
    assert_eq!(placed.order.parts().bill.total(), usd("22.50")?);
    assert_eq!(
        placed.order.parts().bill.fees(),
        estimated.content.bill.fees()
    );

    // Repeat it: the same request returns the same order.
    let repeated = service.create(&store, &request, &caller).await?;
    assert!(repeated.replayed);
    assert_eq!(repeated.order, placed.order);

    // Update it, if it is still at version 1.
    let change = UpdateDraft {
        order_id: "DEMO-1".into(),
        shipping_address: address("Chicago").into(),
        customer: CustomerDraft {
            first_name: "Ana".into(),
            ..CustomerDraft::default()
        }
        .into(),
        line_items: Field::Value(Vec::new()),
        production_note: "with care".into(),
        version: 1.into(),
        ..UpdateDraft::default()
    };
    let changed = service.update(&store, &change, &caller).await?.order;
    assert_eq!(changed.state.version, 2);

    // Find it by the beginnings of its words.
    let search = SearchDraft {
        search_key: "zoe 85".into(),
        ..SearchDraft::default()
    };
    let page = service.search(&store, &search).await?;
    assert_eq!(page.page.entries, [changed]);
    produce(&service, &store, &caller).await
}

/// Takes the order through production, and prints its history.
async fn produce(
    service: &OrderService,
    store: &Store,
    caller: &Caller,
) -> Result<(), Box<dyn Error>> {
    // The store changes nothing any more, so that its items are ready at once.
    let order = CommandDraft {
        order_id: "DEMO-1".into(),
        ..CommandDraft::default()
    };
    let ready = service.process_now(store, &order, caller).await?.order;
    assert_eq!(ready.state.item_statuses(), [ItemStatus::Ready]);

    // The shop begins with them. What a command does not permit is refused.
    let operator = Caller {
        actor: Actor::Operator(OperatorId::new(MonotonicIds::new().next(store.created_at))),
        request_id: None,
    };
    let start = MoveDraft {
        command: "start".into(),
        orders: Field::Value(vec![
            OrderToMoveDraft {
                order_id: "DEMO-1".into(),
                ..OrderToMoveDraft::default()
            }
            .into(),
        ]),
        ..MoveDraft::default()
    };
    let moved = service.move_orders(store.into(), &start, &operator).await?;
    assert!(moved.orders.iter().all(|moved| moved.result.is_ok()));

    // All units are sent in one parcel, which the carrier delivers.
    let parcel = ShipmentDraft {
        order_id: "DEMO-1".into(),
        carrier: "usps".into(),
        tracking_number: "9400100000000000000001".into(),
        ..ShipmentDraft::default()
    };
    let sent = service.create_shipment(store, &parcel, &operator).await?;
    assert_eq!(sent.order.state.item_statuses(), [ItemStatus::Fulfilled]);
    let report = ShipmentDraft {
        shipment_id: sent.shipment.id.to_string().as_str().into(),
        status: "delivered".into(),
        ..ShipmentDraft::default()
    };
    let delivered = service.track_shipment(store, &report, &operator).await?;
    assert_eq!(
        delivered.order.state.item_statuses(),
        [ItemStatus::Delivered]
    );

    // What has happened, newest first.
    let history = HistoryDraft {
        order_id: "DEMO-1".into(),
        ..HistoryDraft::default()
    };
    for event in service.history(store, &history).await?.page.entries {
        let (version, kind) = (event.event.version, event.event.kind.as_str());
        writeln!(std::io::stdout(), "{version:>10} {kind}")?;
    }
    Ok(())
}

/// The in-memory ports never wait, so one poll is enough. A real service has a runtime.
fn main() -> Result<(), Box<dyn Error>> {
    match pin!(embed()).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => Err("something waits".into()),
    }
}
