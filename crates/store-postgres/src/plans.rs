//! Pins how PostgreSQL answers the statements that read: by which index, without reading what the page does not show.

use diesel::connection::SimpleConnection;
use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::Text;
use pressline_domain::ports::Lookup;
use pressline_domain::words::SearchKey;
use pressline_store_rows::{OrderRow, Window};
use pressline_testkit::{Database, Postgres};

use crate::select::{Item, SelectOrders, Which};
use crate::{PostgresConfig, PostgresStore, words};

const STORE: &str = "0197f3c2-0001-7c3a-9d52-000000000001";

/// 20,000 orders of two stores. The word `rare` is in one of them, `common` in all.
const ROWS: &str = "
    INSERT INTO stores SELECT '0197f3c2-0001-7c3a-9d52-00000000000' || n, 'Shop', 'SHOP' || n, 'USD',
        false, false, false, true, 0, 1 FROM generate_series(1, 2) AS n;
    INSERT INTO orders (store_id, id, order_id, prefix, number, kind, source, version, created_at, updated_at,
        currency, shipping_address, fingerprint, words)
    SELECT '0197f3c2-0001-7c3a-9d52-00000000000' || 1 + n % 2, gen_random_uuid()::text, 'order-' || n,
        'SHOP' || 1 + n % 2, n, 'manual', 'store', 1, n / 3, n / 3, 'USD', '{}', 'x',
        array_to_tsvector(ARRAY['SHOP' || 1 + n % 2 || ':common', 'SHOP' || 1 + n % 2 || ':order-' || n,
            CASE WHEN n = 777 THEN 'SHOP2:rare' ELSE 'SHOP' || 1 + n % 2 || ':w' || n % 97 END])
    FROM generate_series(1, 20000) AS n";

struct Explain<'a>(SelectOrders<'a>);

impl QueryFragment<Pg> for Explain<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ");
        self.0.walk_ast(out)
    }
}

impl QueryId for Explain<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for Explain<'_> {
    type SqlType = Text;
}

impl RunQueryDsl<PgConnection> for Explain<'_> {}

struct Filled {
    connection: PgConnection,
    _database: Database,
}

fn migrated() -> Filled {
    let database = Postgres::shared().unwrap().create_database().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let store = PostgresStore::connect(database.url(), &PostgresConfig::default()).unwrap();
    runtime.block_on(store.migrate()).unwrap();
    Filled { connection: PgConnection::establish(database.url()).unwrap(), _database: database }
}

fn filled() -> Filled {
    let mut filled = migrated();
    filled.connection.batch_execute(ROWS).unwrap();
    filled.connection.batch_execute("VACUUM ANALYZE orders").unwrap();
    filled
}

impl Filled {
    fn plan(&mut self, which: Which<'_>) -> String {
        let lines: Vec<String> =
            Explain(SelectOrders { store_id: STORE, which }).load(&mut self.connection).unwrap();
        lines.join("\n")
    }
}

fn window(offset: i64) -> Window {
    Window { from: i64::MIN, before: (i64::MAX, "~".to_owned()), offset, limit: 21 }
}

/// The foreign key of the items looks orders up in the same way.
#[test]
fn an_order_is_looked_up_by_its_key_in_a_database_without_statistics() {
    let (mut filled, id) = (migrated(), "0197f3c2-0003-7c3a-9d52-000000000001");
    let plan = filled.plan(Which::Id(id));
    assert!(plan.contains("Index Scan using orders_pkey on orders"), "{plan}");
}

#[test]
fn the_newest_are_passed_over_in_the_index_alone() {
    let plan = filled().plan(Which::Newest(&window(5000)));
    assert!(plan.contains("Index Only Scan Backward using orders_newest on orders"), "{plan}");
    assert!(!plan.contains("Seq Scan on orders"), "{plan}");
}

#[test]
fn a_position_is_a_bound_of_the_index() {
    let mut window = window(0);
    window.before = (1000, "5".to_owned());
    let plan = filled().plan(Which::Newest(&window));
    assert!(plan.contains("Index Cond: ") && plan.contains("ROW(created_at, id) < ROW("), "{plan}");
}

#[test]
fn a_rare_word_is_looked_up_in_the_inverted_index() {
    let mut filled = filled();
    // From the sixth time on the server may use a plan that does not know the word.
    for key in ["order-77", "order-777 common", "common", "order-1 w1", "w5", "order-1998", "order-19"] {
        let tsquery = words::tsquery(&SearchKey::parse(key).unwrap().unwrap());
        let plan = filled.plan(Which::matching(&tsquery, &window(0)));
        assert!(plan.contains("Bitmap Index Scan on orders_words"), "{key}\n{plan}");
    }
}

#[test]
fn a_common_word_is_found_in_the_newest_orders_alone() {
    let mut filled = filled();
    let lookup = "Bitmap Index Scan on orders_words (";
    let unused = "Bitmap Index Scan on orders_words (never executed)";
    // Up to the end of the 2,000 newest of the store's 10,000 orders, and from there on.
    for (key, offset, in_newest) in [
        ("common", 0, true),
        ("common order", 0, true),
        ("w5", 0, true),
        ("common", 1979, true),
        ("common", 1980, false),
        ("common", 9000, false),
        ("w5", 300, false),
        ("rare", 0, false),
        ("nothing", 0, false),
    ] {
        let tsquery = words::tsquery(&SearchKey::parse(key).unwrap().unwrap());
        // More often than a plan is made anew.
        for _ in 0..7 {
            let plan = filled.plan(Which::matching(&tsquery, &window(offset)));
            let walked = plan.contains("Index Scan Backward using orders_newest on orders");
            assert_eq!(walked, offset < 1980, "{key} {offset}\n{plan}");
            assert!(plan.contains(lookup), "{key}\n{plan}");
            assert_eq!(plan.contains(unused), in_newest, "{key} {offset}\n{plan}");
        }
    }
}

/// Whatever step finds them, all that match come once and in their order.
#[test]
fn the_steps_of_a_search_agree() {
    let mut filled = filled();
    for (key, matching) in [("common", 10_000), ("w5", 1133), ("order-1998", 6), ("rare", 0)] {
        let tsquery = words::tsquery(&SearchKey::parse(key).unwrap().unwrap());
        let mut page = |offset, limit| {
            let window = Window { limit, ..window(offset) };
            let which = Which::matching(&tsquery, &window);
            let rows: Vec<(OrderRow, Vec<Item>)> =
                SelectOrders { store_id: STORE, which }.load_rows(&mut filled.connection).unwrap();
            rows.into_iter().map(|(row, _)| (row.created_at, row.id)).collect::<Vec<_>>()
        };
        let all = page(0, i64::MAX);
        assert_eq!(all.len(), matching, "{key}");
        assert!(all.is_sorted_by(|newer, older| newer > older), "{key}");
        for (offset, limit) in
            [(0, 1), (0, 21), (3, 40), (1990, 10), (1990, 11), (1999, 1), (2000, 5), (95, 20)]
        {
            let wanted: Vec<_> = all.iter().skip(offset).take(limit).cloned().collect();
            let found = page(i64::try_from(offset).unwrap(), i64::try_from(limit).unwrap());
            assert_eq!(found, wanted, "{key} {offset} {limit}");
        }
        assert_eq!(page(i64::MAX, 21), []);
    }
}

#[test]
fn an_order_is_found_by_both_of_its_names_at_once() {
    let lookup = Lookup { order_id: "order-10".to_owned(), number: Some(12) };
    let plan = filled().plan(Which::Named(&lookup));
    for index in ["BitmapOr", "orders_order_id", "orders_number"] {
        assert!(plan.contains(index), "{plan}");
    }
}
