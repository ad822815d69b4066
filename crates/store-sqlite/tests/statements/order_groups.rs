//! Tests of several orders in one transaction.

use diesel::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::order::{Lookup, NewOrder, Order, OrderWrite};
use pressline_domain::store::StoreDirectory;
use pressline_kit::words::SearchKey;
use pressline_store_kit::Window;
use pressline_store_sqlite::test_support::{find, open, search, words_of_orders, write_group};
use pressline_store_sqlite::{SqliteConfig, SqliteStore};
use tempfile::TempDir;

use crate::fixtures;

/// A file with one store, which goes with the folder, and a connection to it.
fn prepared() -> (TempDir, SqliteConnection) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orders.db");
    let store = SqliteStore::open(&path, &SqliteConfig::default()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(store.add(&fixtures::store(1))).unwrap();
    let connection = open(&path).unwrap();
    (folder, connection)
}

fn create(
    connection: &mut SqliteConnection,
    batch: Vec<NewOrder>,
) -> Vec<Result<Order, RepositoryError>> {
    write_group(
        connection,
        batch.into_iter().map(OrderWrite::create).collect(),
    )
    .unwrap()
}

fn numbers(created: &[Result<Order, RepositoryError>]) -> Vec<Option<i64>> {
    created
        .iter()
        .map(|order| {
            order
                .as_ref()
                .ok()
                .map(|order| order.service_order_id().number)
        })
        .collect()
}

#[test]
fn a_duplicate_harms_no_other_order_of_its_batch() {
    let (_folder, mut connection) = prepared();
    let store_id = fixtures::store_id(1).to_string();
    let mut alike = fixtures::parts(3, 2);
    alike.order_id = fixtures::parts(1, 1).order_id;
    let alike = NewOrder::new(alike).unwrap();
    let batch = vec![
        fixtures::order(1, 3),
        alike.clone(),
        fixtures::order(2, 100),
    ];
    let created = create(&mut connection, batch);
    assert_eq!(numbers(&created), [Some(1), None, Some(3)]);
    for order in created.into_iter().flatten() {
        let lookup = Lookup {
            order_id: order.parts().order_id.clone(),
            number: None,
        };
        assert_eq!(
            find(&mut connection, &store_id, &lookup).unwrap(),
            Some(order)
        );
    }
    let nothing_new = create(&mut connection, vec![alike]);
    assert!(matches!(
        nothing_new[..],
        [Err(RepositoryError::Duplicate(_))]
    ));
    // No number was used up for it.
    let next = create(&mut connection, vec![fixtures::order(4, 1)]);
    assert_eq!(numbers(&next), [Some(4)]);
}

/// Keys that few orders have, that the newest have, and that only older ones have; at the ends of
/// what is looked at.
#[test]
#[expect(clippy::too_many_lines, reason = "its cases read best in one piece")]
fn a_search_finds_what_one_without_an_index_finds() {
    const ORDERS: u32 = 2600;
    let (_folder, mut connection) = prepared();
    // Rows are not in the order of the times.
    let order = |place: u32| {
        let mut parts = fixtures::parts(1 + (place * 7) % ORDERS, 1);
        let number = (place * 7) % ORDERS;
        let words = [
            (number < 601, "old"),
            (number >= 600, "new"),
            (number.is_multiple_of(5), "fifth"),
            (number < 500, "few"),
        ];
        let words = words.iter().filter(|(has, _)| *has).map(|(_, word)| *word);
        parts.customer.last_name = Some(words.collect::<Vec<_>>().join(" "));
        NewOrder::new(parts).unwrap()
    };
    let places: Vec<u32> = (0..ORDERS).collect();
    let mut known = Vec::new();
    for batch in places.chunks(100) {
        let created = create(
            &mut connection,
            batch.iter().map(|place| order(*place)).collect(),
        );
        known.extend(created.into_iter().map(Result::unwrap));
    }
    known.sort_by_key(|order| {
        std::cmp::Reverse((order.parts().created_at, order.parts().id.to_string()))
    });
    let store_id = fixtures::store_id(1).to_string();
    for text in [
        "old",
        "new",
        "fifth",
        "few",
        "few fifth",
        "old fifth",
        "o",
        "shop-1-77",
        "absent",
    ] {
        let key = SearchKey::parse(text).unwrap().unwrap();
        let words = words_of_orders(1, &key);
        let matching = |order: &&Order| {
            let customer = order.parts().customer.last_name.clone().unwrap_or_default();
            let id = &order.parts().order_id;
            text.split(' ').all(|key| {
                customer
                    .split(' ')
                    .chain([id.as_str()])
                    .any(|word| word.starts_with(key))
            })
        };
        for (offset, newest_first) in [
            (0, 0),
            (379, 0),
            (380, 0),
            (1900, 0),
            (1979, 0),
            (1980, 0),
            (0, 590),
            (20, 1900),
            (5000, 0),
        ] {
            let end = usize::checked_sub(newest_first, 1).map(|place| known[place].parts());
            let before = end.map_or((i64::MAX, "~".to_owned()), |end| {
                (end.created_at.as_millis(), end.id.to_string())
            });
            let window = Window {
                from: i64::MIN,
                before,
                offset,
                limit: 21,
                bytes: u64::MAX,
            };
            let expected: Vec<&Order> = known
                .iter()
                .skip(newest_first)
                .filter(matching)
                .skip(offset.try_into().unwrap())
                .take(21)
                .collect();
            let found = search(&mut connection, &store_id, Some(&words), &window).unwrap();
            assert_eq!(
                found.orders.iter().collect::<Vec<_>>(),
                expected[..expected.len().min(20)],
                "{text} {offset}"
            );
            assert_eq!(found.more, expected.len() > 20, "{text} {offset}");
        }
    }
}
