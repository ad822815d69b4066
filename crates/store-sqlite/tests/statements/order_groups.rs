//! Several orders in one transaction.

use diesel::{RunQueryDsl, SqliteConnection};
use pressline_domain::order::{Lookup, NewOrder, Order, OrderWrite};
use pressline_domain::store::StoreDirectory;
use pressline_kit::words::SearchKey;
use pressline_store_kit::Window;
use pressline_store_sqlite::test_support::{find, open, search, write_group};
use pressline_store_sqlite::{SqliteConfig, SqliteStore};
use tempfile::TempDir;

use crate::fixtures;
use crate::shared_order_groups::{self, Connected, Outcome, create};

/// Creates a database file with one store, and opens a connection to it. Dropping the folder
/// deletes the file.
fn prepared() -> (TempDir, SqliteConnection) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("orders.db");
    let store = SqliteStore::open(&path, &SqliteConfig::default()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime
        .block_on(store.cold().add(&fixtures::store(1)))
        .unwrap();
    let connection = open(&path).unwrap();
    (folder, connection)
}

impl Connected for SqliteConnection {
    fn write(&mut self, writes: Vec<OrderWrite>) -> Vec<Outcome> {
        write_group(self, writes, ORDERS_OF_CHUNK).unwrap()
    }

    fn stored(&mut self, order: &Order) -> Option<Order> {
        let lookup = Lookup::by_order_id(order.parts().order_id.clone());
        find(self, &order.parts().store_id.to_string(), &lookup).unwrap()
    }
}

#[test]
fn a_duplicate_does_not_affect_other_orders_of_its_batch() {
    let (_folder, mut connection) = prepared();
    shared_order_groups::a_duplicate_harms_no_other_order(&mut connection);
}

const ORDERS: u32 = 2600;

/// More orders than the limit under which a chunk's matches count as few.
const ORDERS_OF_CHUNK: i64 = 700;

/// Returns an order whose last name consists of words that some orders have. `place` is its
/// position in the table.
fn order_with_words(place: u32) -> NewOrder {
    // Row ids do not follow order ids, and some orders come much later than their neighbours.
    let number = match place % 50 {
        0 => (place * 7) % ORDERS / 50 * 50,
        _ => place / 100 * 100 + place % 100 * 7 % 100,
    };
    let mut parts = fixtures::parts(1 + number, 1);
    let words = [
        (number < 601, "old"),
        (number >= 600, "new"),
        (number.is_multiple_of(5), "fifth"),
        (number < 500, "few"),
    ];
    let words = words.iter().filter(|(has, _)| *has).map(|(_, word)| *word);
    parts.customer.last_name = Some(words.collect::<Vec<_>>().join(" "));
    fixtures::placed(parts)
}

/// Stores [`ORDERS`] orders, 100 in a transaction. Returns them newest first.
fn stored_orders(connection: &mut SqliteConnection) -> Vec<Order> {
    let places: Vec<u32> = (0..ORDERS).collect();
    let mut stored = Vec::new();
    for batch in places.chunks(100) {
        let orders = batch.iter().map(|place| order_with_words(*place));
        let created = create(connection, orders.collect());
        stored.extend(created.into_iter().map(Result::unwrap));
    }
    stored.sort_by_key(|order| std::cmp::Reverse(order.parts().id));
    stored
}

/// Returns whether each key in `text` is the prefix of a word of the last name or of the order id.
fn matches(text: &str, order: &Order) -> bool {
    let customer = order.parts().customer.last_name.clone().unwrap_or_default();
    let words: Vec<&str> = customer
        .split(' ')
        .chain([order.parts().order_id.as_str()])
        .collect();
    text.split(' ')
        .all(|key| words.iter().any(|word| word.starts_with(key)))
}

/// Returns the window of results that begins after the newest `newest_first` orders and after
/// `offset` matches.
fn window(stored: &[Order], newest_first: usize, offset: i64) -> Window {
    let end = usize::checked_sub(newest_first, 1).and_then(|place| stored.get(place));
    let before = end.map_or("~".to_owned(), |end| end.parts().id.to_string());
    Window {
        from: String::new(),
        before,
        offset,
        limit: 21,
        bytes: u64::MAX,
    }
}

/// Searches for words of few orders, of the newest orders, and of older orders only. The offsets
/// are at the limits up to which a search reads a chunk.
#[test]
fn a_search_by_index_equals_a_search_without_index() {
    const WINDOWS: [(i64, usize); 9] = [
        (0, 0),
        (379, 0),
        (380, 0),
        (1900, 0),
        (1979, 0),
        (1980, 0),
        (0, 590),
        (20, 1900),
        (5000, 0),
    ];
    const KEYS: [&str; 9] = [
        "old",
        "new",
        "fifth",
        "few",
        "few fifth",
        "old fifth",
        "o",
        "shop-1-77",
        "absent",
    ];
    let (_folder, mut connection) = prepared();
    let stored = stored_orders(&mut connection);
    let store_id = fixtures::store_id(1).to_string();
    for text in KEYS {
        let key = SearchKey::parse(text).unwrap();
        for (offset, newest_first) in WINDOWS {
            let window = window(&stored, newest_first, offset);
            let expected: Vec<&Order> = stored
                .iter()
                .skip(newest_first)
                .filter(|order| matches(text, order))
                .skip(offset.try_into().unwrap())
                .take(21)
                .collect();
            let found = search(&mut connection, &store_id, key.as_ref(), &window).unwrap();
            let orders: Vec<&Order> = found.orders.iter().collect();
            let page = &expected[..expected.len().min(20)];
            assert_eq!(orders, page, "{text} {offset}");
            assert_eq!(found.more, expected.len() > 20, "{text} {offset}");
        }
    }
}

#[derive(diesel::QueryableByName)]
struct Segments {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    segments: i64,
}

/// Each transaction adds a segment. Without merging, 30 segments would be left.
#[test]
fn segments_of_the_index_are_merged_as_orders_are_stored() {
    let (_folder, mut connection) = prepared();
    for number in 1..=255 {
        create(&mut connection, vec![fixtures::order(number, 1)])
            .pop()
            .unwrap()
            .unwrap();
    }
    let count = "SELECT count(DISTINCT segid) AS segments FROM order_words_idx";
    let Segments { segments } = diesel::sql_query(count)
        .get_result(&mut connection)
        .unwrap();
    assert!((1..=12).contains(&segments), "{segments} segments");
}
