//! Round trips of a store's calls, including prices and search words.

use std::sync::Arc;

use pressline_domain::catalog::{Variant, VariantParts};
use pressline_domain::check::Field;
use pressline_domain::event::Actor;
use pressline_domain::fulfilment::Caller;
use pressline_domain::order::request::{
    AddressDraft, CustomerDraft, LineItemDraft, OrderDraft, UpdateDraft,
};
use pressline_domain::order::{OrderService, Placed};
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::runtime::FixedClock;
use pressline_domain::runtime::MonotonicIds;
use pressline_domain::value::{Amount, Timestamp};
use pressline_store_postgres::PostgresStore;
use pressline_store_postgres::test_support::patient;

use crate::databases::counted;
use crate::{fixtures, products};

#[tokio::test(flavor = "multi_thread")]
async fn a_call_reads_only_new_catalog_data() {
    let (_database, store, counter) = counted(&patient(), 1).await;
    let service = order_service(&store);
    let shop = fixtures::store(1).store;
    import(&store, 500).await;
    let mut taken = counter.taken();
    // The first order reads the catalog, the next orders use the cached data.
    for (number, statements) in [(1, 2), (2, 1), (3, 1)] {
        let placed = service
            .place
            .create(&shop, &draft(number), &caller())
            .await
            .unwrap();
        assert_eq!(
            (cost(&placed), taken()),
            (Some(500), statements),
            "order {number}"
        );
    }
    for (statements, what) in [
        (2, "the order is read and written"),
        (1, "nothing changes: it is only read"),
    ] {
        service
            .change
            .update(&shop, &note("with care"), &caller())
            .await
            .unwrap();
        assert_eq!(taken(), statements, "{what}");
    }
    import(&store, 700).await;
    // Discards the statements of the import.
    taken();
    let placed = service
        .place
        .create(&shop, &draft(4), &caller())
        .await
        .unwrap();
    assert_eq!(
        (cost(&placed), taken()),
        (Some(700), 3),
        "refused, the catalog, and written"
    );
    import(&store, 900).await;
    taken();
    let placed = service
        .change
        .update(&shop, &note("in a hurry"), &caller())
        .await
        .unwrap();
    assert_eq!(
        (cost(&placed), taken()),
        (Some(900), 5),
        "read, refused, read, the catalog, and written"
    );
}

/// Returns the cost of the order's products, in cents.
fn cost(placed: &Placed) -> Option<i64> {
    let fee = placed.order.parts().bill.fee(FeeType::Product);
    fee.map(Amount::minor_units)
}

fn caller() -> Caller {
    Caller::new(Actor::Store(fixtures::store(1).keys.first().unwrap().id))
}

fn order_service(store: &PostgresStore) -> OrderService {
    let store = Arc::new(store.clone());
    let clock = FixedClock::at(Timestamp::from_millis(fixtures::NOW));
    OrderService::new(
        store.clone(),
        store,
        Arc::new(clock),
        Arc::new(MonotonicIds::new()),
    )
}

fn note(text: &str) -> UpdateDraft {
    UpdateDraft {
        production_note: Field::Value(text.to_owned()),
        order_id: Field::Value("T-1".to_owned()),
        shipping_address: draft(1).shipping_address,
        customer: draft(1).customer,
        line_items: Field::Value(Vec::new()),
        ..UpdateDraft::default()
    }
}

/// Imports the mug with a price of `cents`.
async fn import(store: &PostgresStore, cents: i64) {
    let mug = VariantParts {
        price: Some(Amount::from_minor(cents).unwrap()),
        currency: fixtures::store(1).store.currency,
        ..VariantParts::single("MUG", "Mug")
    };
    products::import(&store.cold(), &[Variant::new(mug).unwrap()]).await;
}

fn draft(number: u32) -> OrderDraft {
    let text = |text: &str| Field::Value(text.to_owned());
    let address = AddressDraft {
        name: text("Ada Lovelace"),
        address1: text("1 High St"),
        city: text("Berlin"),
        zip: text("10115"),
        country_code: text("DE"),
        ..AddressDraft::default()
    };
    let item = LineItemDraft {
        sku: text("MUG"),
        quantity: Field::Value(1),
        ..LineItemDraft::default()
    };
    OrderDraft {
        order_id: text(&format!("T-{number}")),
        shipping_address: Field::Value(address),
        customer: Field::Value(CustomerDraft {
            first_name: text("Ada"),
            ..CustomerDraft::default()
        }),
        line_items: Field::Value(vec![Field::Value(item)]),
        ..OrderDraft::default()
    }
}
