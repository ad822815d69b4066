//! Searches while word lists are built and orders are changed or arrive late. Each result must
//! equal a filter over all orders.

use std::collections::BTreeSet;

use diesel::PgConnection;
use diesel::connection::SimpleConnection;
use fastrand::Rng;
use pressline_domain::order::search::{SearchFilter, SearchQuery, Start};
use pressline_domain::order::{Order, OrderKind, OrderParts, OrderRepository, OrderWrite};
use pressline_domain::value::{OrderId, Timestamp};
use pressline_kit::words::SearchKey;
use pressline_store_postgres::PostgresStore;
use pressline_store_postgres::test_support::{build_lists, patient, with_chunks};
use pressline_testkit::Database;

use crate::databases::number;
use crate::{changes, databases, fixtures};

/// Orders per chunk of the word index. The background task makes segments of two chunks.
const CHUNK: i64 = 8;
/// Chunk size of tests that need more segments than are read at a time.
const SMALL_CHUNK: i64 = 2;
/// First names: common names, and some with the same prefix.
const NAMES: [&str; 6] = ["Ann", "Anna", "Bob", "Boris", "Zoé", "Zoe-Ann"];

/// Two servers on one database, and the orders stored there.
struct Shop {
    servers: [PostgresStore; 2],
    orders: Vec<Order>,
    random: Rng,
    database: Database,
}

impl Shop {
    async fn open(seed: u64, chunk: i64) -> Self {
        let database = databases::database();
        let server = || with_chunks(database.url(), &patient(), chunk).unwrap();
        let servers = [server(), server()];
        databases::prepare(&servers[0], 1).await;
        Self {
            servers,
            orders: Vec::new(),
            random: Rng::with_seed(seed),
            database,
        }
    }

    fn connection(&self) -> PgConnection {
        databases::connection(&self.database)
    }

    fn server(&mut self) -> &PostgresStore {
        self.random.choice(&self.servers).unwrap()
    }

    fn named(&mut self, mut parts: OrderParts) -> OrderParts {
        let mut name = || self.random.choice(NAMES).unwrap().to_owned();
        (parts.customer.first_name, parts.customer.last_name) = (Some(name()), Some(name()));
        parts
    }

    /// Creates an order. Every fifth order arrives late: its id is older than stored ids.
    async fn create(&mut self) {
        let number = u32::try_from(self.orders.len()).unwrap() + 1;
        let age = match self.random.u32(..5) {
            0 => self.random.u32(..number),
            _ => 0,
        };
        let created_at = Timestamp::from_millis(fixtures::NOW + i64::from((number - age) / 3));
        let moment = OrderId::first_of(created_at).to_string();
        let tail = format!(
            "-7c3a-9d52-{:012x}",
            self.random.u32(..) / 1000 * 1000 + number
        );
        let mut parts = self.named(fixtures::order(number, 1).parts().clone());
        parts.id = format!("{}{tail}", &moment[..13]).parse().unwrap();
        // Few orders have a label.
        parts.label_url = (number % 7 == 0).then(|| "https://example.com/label.pdf".to_owned());
        let write = OrderWrite::create(pressline_contract::placed(parts).unwrap());
        let stored = self.server().write(write).await.unwrap();
        self.orders.push(stored);
    }

    async fn update(&mut self) {
        let at = self.random.usize(..self.orders.len());
        let order = self.orders.swap_remove(at);
        let parts = self.named(order.parts().clone());
        let write = OrderWrite::change(changes::changed(&order, parts));
        let stored = self.server().write(write).await.unwrap();
        self.orders.push(stored);
    }

    /// Returns a key of some orders' words or names, cut to random prefixes.
    fn key(&mut self) -> String {
        let mut key = String::new();
        for _ in 0..self.random.usize(1..6) {
            let order = self.random.choice(&self.orders).unwrap().words();
            let words: Vec<&str> = order.iter().collect();
            let word = match self.random.u32(..3) {
                0 => *self.random.choice(&words).unwrap(),
                _ => self.random.choice(NAMES).unwrap(),
            };
            let kept = self.random.usize(1..12);
            key.extend(word.chars().take(kept));
            key.push(' ');
        }
        key
    }

    /// Returns a random set of order types; an empty set does not filter.
    fn kinds(&mut self) -> BTreeSet<OrderKind> {
        let kinds = OrderKind::ALL.into_iter();
        kinds.filter(|_| self.random.bool()).collect()
    }

    fn query(&mut self) -> SearchQuery {
        let time = |random: &mut Rng| {
            (random.u32(..3) == 0).then(|| {
                let after = random.i64(..50);
                Timestamp::from_millis(fixtures::NOW + after)
            })
        };
        let filter = SearchFilter {
            from: time(&mut self.random),
            to: time(&mut self.random),
            key: SearchKey::parse(&self.key()).unwrap(),
            kinds: self.kinds(),
            ..SearchFilter::default()
        };
        let start = match self.random.u32(..3) {
            0 => Start::After(self.random.choice(&self.orders).unwrap().parts().id),
            1 => Start::Offset(self.random.u64(..60)),
            _ => Start::Offset(0),
        };
        SearchQuery {
            filter,
            start,
            size: self.random.u32(1..12),
            bytes: u64::MAX,
        }
    }

    /// Returns the ids that `query` must find, and whether there are more.
    fn expected(&self, query: &SearchQuery) -> (Vec<OrderId>, bool) {
        let SearchFilter { from, to, key, .. } = &query.filter;
        let matches = |order: &&Order| {
            let created_at = order.parts().created_at();
            from.is_none_or(|from| from <= created_at)
                && to.is_none_or(|to| created_at <= to)
                && key.as_ref().is_none_or(|key| key.matches(&order.words()))
                && query.filter.has_status_and_type(order)
        };
        let found = self.orders.iter().filter(matches);
        let mut ids: Vec<OrderId> = found.map(|order| order.parts().id).collect();
        ids.sort_by(|a, b| b.cmp(a));
        let skipped = match query.start {
            Start::Offset(offset) => usize::try_from(offset).unwrap(),
            Start::After(id) => ids.iter().take_while(|other| **other >= id).count(),
        };
        let size = query.size as usize;
        let more = ids.len() > skipped + size;
        (ids.into_iter().skip(skipped).take(size).collect(), more)
    }

    async fn search(&mut self) {
        let query = self.query();
        let expected = self.expected(&query);
        let found = self.server().search(fixtures::store_id(1), &query);
        let found = found.await.unwrap();
        let ids: Vec<OrderId> = found.orders.iter().map(|order| order.parts().id).collect();
        assert_eq!((ids, found.more), expected, "{query:?}");
    }

    /// Returns the number of segments with lists, and the total number of builds.
    fn built(&self) -> (i64, i64) {
        let of_segments = |value| {
            let value = format!("SELECT {value} FROM word_segments");
            number(&mut self.connection(), &value)
        };
        let segments = of_segments("count(*) FILTER (WHERE build > 0)");
        (segments, of_segments("COALESCE(sum(build), 0)"))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_are_exact_while_lists_are_built() {
    for seed in 1..=2 {
        let mut shop = Shop::open(seed, CHUNK).await;
        for _ in 0..500 {
            match shop.random.u32(..6) {
                0..2 => shop.create().await,
                2 if !shop.orders.is_empty() => shop.update().await,
                _ if shop.orders.is_empty() => {}
                _ => shop.search().await,
            }
        }
        let (segments, builds) = shop.built();
        assert!(segments > 3 && builds > segments, "{segments} {builds}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_are_exact_with_each_number_of_segments() {
    let mut shop = Shop::open(3, SMALL_CHUNK).await;
    for _ in 0..220 {
        shop.create().await;
    }
    let store_id = fixtures::store_id(1).to_string();
    // Lists of segments with more changes than the limit are rebuilt, other lists remain.
    for (orders, changes) in [(i64::MAX, 0), (60, 0), (4, 5), (4, 0)] {
        let mut connection = shop.connection();
        build_lists(&mut connection, &store_id, (orders, changes)).unwrap();
        for _ in 0..60 {
            shop.search().await;
        }
        for _ in 0..10 {
            shop.update().await;
            shop.search().await;
        }
    }
    // More segments than are read at a time.
    let (segments, _) = shop.built();
    assert!(segments > 32, "{segments}");
}

/// A server stops while it builds lists: its transaction is rolled back, and the rows that it
/// committed before remain.
#[tokio::test(flavor = "multi_thread")]
async fn searches_are_exact_after_an_interrupted_list_build() {
    let mut shop = Shop::open(4, CHUNK).await;
    for _ in 0..100 {
        shop.create().await;
    }
    let mut connection = shop.connection();
    let store_id = fixtures::store_id(1).to_string();
    build_lists(&mut connection, &store_id, (2 * CHUNK, 0)).unwrap();
    connection
        .batch_execute("BEGIN; SELECT FROM word_segments FOR UPDATE; DELETE FROM word_lists")
        .unwrap();
    for _ in 0..60 {
        shop.search().await;
    }
    drop(connection);
    for _ in 0..60 {
        shop.search().await;
    }
}
