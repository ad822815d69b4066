//! Pins how PostgreSQL answers the statements that read: by which index, without reading what the
//! page does not show.

use diesel::connection::SimpleConnection;
use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::Text;
use pressline_domain::order::Lookup;
use pressline_kit::words::SearchKey;
use pressline_store_kit::Window;
use pressline_testkit::{Database, Postgres};

use crate::load::{SelectOrders, Which};
use crate::select::SelectPage;
use crate::{PostgresConfig, PostgresStore, words};

const STORE: &str = "0197f3c2-0001-7c3a-9d52-000000000001";

/// 20,000 orders of two stores. The word `rare` is in one of them, `common` in all; the oldest or
/// the newest of each store have `old500`, `new50` and their like, those behind the newest hundred
/// have `behind`, and every second one has `half`.
const ROWS: &str = "
    INSERT INTO stores SELECT '0197f3c2-0001-7c3a-9d52-00000000000' || n, 'Shop', 'SHOP' || n, 'USD',
        false, false, false, true, 0, 1 FROM generate_series(1, 2) AS n;
    INSERT INTO orders (store_id, id, order_id, prefix, number, kind, source, version, created_at, updated_at,
        currency, shipping_address, fingerprint, size, words)
    SELECT '0197f3c2-0001-7c3a-9d52-00000000000' || 1 + n % 2, gen_random_uuid()::text, 'order-' || n,
        'SHOP' || 1 + n % 2, n, 'manual', 'store', 1, n / 3, n / 3, 'USD', '{}', 'x', 2000,
        array_to_tsvector(ARRAY['SHOP' || 1 + n % 2 || ':common', 'SHOP' || 1 + n % 2 || ':order-' || n,
            CASE WHEN n = 777 THEN 'SHOP2:rare' ELSE 'SHOP' || 1 + n % 2 || ':w' || n % 97 END]
            || ARRAY(SELECT 'SHOP' || 1 + n % 2 || ':old' || many FROM generate_series(499, 502) AS many
                WHERE (n + 1) / 2 <= many)
            || ARRAY(SELECT 'SHOP' || 1 + n % 2 || ':new' || many FROM unnest(ARRAY[20, 21, 50]) AS many
                WHERE (n + 1) / 2 > 10000 - many)
            || ARRAY(SELECT 'SHOP' || 1 + n % 2 || ':behind' WHERE (n + 1) / 2 BETWEEN 8001 AND 9900)
            || ARRAY(SELECT 'SHOP' || 1 + n % 2 || ':half' WHERE n % 4 < 2))
    FROM generate_series(1, 20000) AS n";

struct Explain<Q>(Q);

impl<Q: QueryFragment<Pg>> QueryFragment<Pg> for Explain<Q> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ");
        self.0.walk_ast(out)
    }
}

impl<Q> QueryId for Explain<Q> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Q> Query for Explain<Q> {
    type SqlType = Text;
}

impl<Q> RunQueryDsl<PgConnection> for Explain<Q> {}

struct Filled {
    connection: PgConnection,
    _database: Database,
}

fn migrated() -> Filled {
    let database = Postgres::shared().unwrap().create_database().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let store = PostgresStore::connect(database.url(), &PostgresConfig::default()).unwrap();
    runtime.block_on(store.migrate()).unwrap();
    Filled {
        connection: PgConnection::establish(database.url()).unwrap(),
        _database: database,
    }
}

fn filled() -> Filled {
    let mut filled = migrated();
    filled.connection.batch_execute(ROWS).unwrap();
    filled
        .connection
        .batch_execute("VACUUM ANALYZE orders")
        .unwrap();
    filled
}

impl Filled {
    fn plan(&mut self, which: Which<'_>) -> String {
        self.explained(SelectOrders {
            store_id: STORE,
            which,
        })
    }

    /// How a page of the newest is read, or of those with the words.
    fn plan_page(&mut self, tsquery: Option<&str>, window: &Window) -> String {
        self.explained(SelectPage::new(STORE, tsquery, window))
    }

    fn explained(&mut self, query: impl QueryFragment<Pg>) -> String {
        let lines: Vec<String> = Explain(query).load(&mut self.connection).unwrap();
        lines.join("\n")
    }
}

fn window(offset: i64) -> Window {
    Window {
        from: i64::MIN,
        before: (i64::MAX, "~".to_owned()),
        offset,
        limit: 21,
        bytes: u64::MAX,
    }
}

/// The foreign key of the items looks orders up in the same way.
#[test]
fn an_order_is_looked_up_by_its_key_in_a_database_without_statistics() {
    let (mut filled, id) = (migrated(), "0197f3c2-0003-7c3a-9d52-000000000001");
    let plan = filled.plan(Which::Id(id));
    assert!(
        plan.contains("Index Scan using orders_pkey on orders"),
        "{plan}"
    );
}

#[test]
fn the_newest_are_passed_over_in_the_index_alone() {
    let plan = filled().plan_page(None, &window(5000));
    assert!(
        plan.contains("Index Only Scan Backward using orders_newest on orders"),
        "{plan}"
    );
    assert!(!plan.contains("Seq Scan on orders"), "{plan}");
}

#[test]
fn a_position_is_a_bound_of_the_index() {
    let mut window = window(0);
    window.before = (1000, "5".to_owned());
    let plan = filled().plan_page(None, &window);
    assert!(
        plan.contains("Index Cond: ") && plan.contains("ROW(created_at, id) < ROW("),
        "{plan}"
    );
}

#[test]
fn a_rare_word_is_looked_up_in_the_inverted_index() {
    let mut filled = filled();
    // From the sixth time on the server may use a plan that does not know the word.
    for key in [
        "order-77",
        "order-777 common",
        "common",
        "order-1 w1",
        "w5",
        "order-1998",
        "order-19",
    ] {
        let tsquery = words::tsquery(&SearchKey::parse(key).unwrap().unwrap());
        let plan = filled.plan_page(Some(&tsquery), &window(0));
        assert!(
            plan.contains("Bitmap Index Scan on orders_words"),
            "{key}\n{plan}"
        );
    }
}

/// What a plan ran: the newest orders behind the latest, and the index of words.
fn ran(plan: &str) -> (bool, bool) {
    let part = |name: &str| {
        plan.split("\n  CTE ")
            .find(|part| part.starts_with(name))
            .unwrap()
            .to_owned()
    };
    let (latest, newest, matching) = (part("latest\n"), part("newest\n"), part("matching\n"));
    let walk = "Index Scan Backward using orders_newest on orders";
    assert!(latest.contains(walk) && newest.contains(walk), "{plan}");
    assert!(
        matching.contains("Bitmap Index Scan on orders_words ("),
        "{plan}"
    );
    assert!(!plan.contains("Seq Scan on orders"), "{plan}");
    let ran = |part: &str, node: &str| {
        part.lines()
            .any(|line| line.contains(node) && !line.contains("never executed"))
    };
    (
        ran(&newest, walk),
        ran(&matching, "Bitmap Index Scan on orders_words"),
    )
}

#[test]
fn a_search_reads_no_more_than_it_must() {
    let mut filled = filled();
    for (key, offset, newest, index) in [
        // The latest hundred fill the page, or tell that the 2,000 newest of the store's 10,000
        // orders do.
        ("common", 0, false, false),
        ("common order", 79, false, false),
        ("common", 80, true, false),
        ("w5", 0, true, false),
        ("common", 1979, true, false),
        // From there on it is the index of words alone.
        ("common", 1980, false, true),
        ("common", 9000, false, true),
        // Rare words, of which the latest have none or one.
        ("order-776", 0, false, true),
        ("order-19998", 0, false, true),
        ("old500", 0, false, true),
        ("rare", 0, false, true),
        ("nothing", 0, false, true),
        // Not rare, though the latest have none.
        ("old501", 0, true, true),
        ("common old501", 0, true, true),
        // The latest promise more than the newest hold.
        ("new50", 400, true, true),
    ] {
        let tsquery = words::tsquery(&SearchKey::parse(key).unwrap().unwrap());
        // More often than a plan is made anew.
        for _ in 0..7 {
            let plan = filled.plan_page(Some(&tsquery), &window(offset));
            assert_eq!(ran(&plan), (newest, index), "{key} {offset}\n{plan}");
        }
    }
}

#[test]
fn of_a_word_that_many_have_no_more_is_read_than_tells_so() {
    let plan = {
        let mut filled = filled();
        // It fills the page from behind the latest.
        let tsquery = words::tsquery(&SearchKey::parse("behind").unwrap().unwrap());
        filled.plan_page(Some(&tsquery), &window(0))
    };
    assert_eq!(ran(&plan), (true, true), "{plan}");
    let matching = plan
        .split("\n  CTE ")
        .find(|part| part.starts_with("matching\n"))
        .unwrap();
    assert!(
        matching.contains("Bitmap Heap Scan on orders") && matching.contains("rows=501 "),
        "{plan}"
    );
}

/// The halves of what the index of words finds: by the whole key, and by its rarer words.
fn asked(plan: &str) -> (&str, &str) {
    let matching = plan
        .split("\n  CTE ")
        .find(|part| part.starts_with("matching\n"))
        .unwrap();
    let (whole, rarer) = matching.rsplit_once("Bitmap Heap Scan on orders").unwrap();
    (whole, rarer)
}

#[test]
fn the_index_is_asked_for_the_rarer_words_alone() {
    let mut filled = filled();
    let found = |part: &str| {
        let (_, scan) = part
            .split_once("Bitmap Index Scan on orders_words (actual rows=")
            .unwrap();
        scan.split(' ').next().unwrap().parse::<u32>().unwrap()
    };
    for (key, whole, rarer) in [
        ("old500", 500, 0),
        ("half old500", 0, 500),
        ("order-776 common", 0, 6),
        ("changed half nothing common", 0, 0),
        ("rare old500", 0, 0),
        ("old500 w50", 5, 0),
        // What the latest have may be rare in all; then more are compared than need be.
        ("new20 behind", 0, 1900),
    ] {
        let tsquery = words::tsquery(&SearchKey::parse(key).unwrap().unwrap());
        let plan = filled.plan_page(Some(&tsquery), &window(0));
        let (by_all, by_some) = asked(&plan);
        assert_eq!(
            (found(by_all), found(by_some)),
            (whole, rarer),
            "{key}\n{plan}"
        );
    }
}

/// Orders of which some three share a page; three words that none of the latest have are each in
/// most pages.
const WIDE_ROWS: &str = "
    INSERT INTO stores VALUES ('0197f3c2-0001-7c3a-9d52-000000000001', 'Shop', 'SHOP1', 'USD',
        false, false, false, true, 0, 1);
    INSERT INTO orders (store_id, id, order_id, prefix, number, kind, source, version, created_at, updated_at,
        currency, shipping_address, production_note, fingerprint, size, words)
    SELECT '0197f3c2-0001-7c3a-9d52-000000000001', gen_random_uuid()::text, 'order-' || n, 'SHOP1', n, 'manual', 'store',
        1, n, n, 'USD', '{}', repeat('x', 2400), 'x', 5000,
        array_to_tsvector(ARRAY['SHOP1:order-' || n]
            || ARRAY(SELECT 'SHOP1:by' || divisor || '-' || n % 7 FROM unnest(ARRAY[2, 3, 5]) AS divisor
                WHERE n % divisor = 0 AND n <= 8900))
    FROM generate_series(1, 9000) AS n";

#[test]
fn of_three_words_the_index_notes_pages_and_their_orders_are_compared() {
    let mut filled = migrated();
    filled.connection.batch_execute(WIDE_ROWS).unwrap();
    filled
        .connection
        .batch_execute("VACUUM ANALYZE orders")
        .unwrap();
    for (key, matching, pages) in [
        ("by2 by3 by5", 296, true),
        ("by3 by5", 593, false),
        ("by2", 4450, false),
    ] {
        let tsquery = words::tsquery(&SearchKey::parse(key).unwrap().unwrap());
        let all = filled.having(key);
        assert_eq!(all.len(), matching, "{key}");
        for _ in 0..7 {
            let plan = filled.plan_page(Some(&tsquery), &window(0));
            assert_eq!(
                plan.contains("Rows Removed by Index Recheck"),
                pages,
                "{key}\n{plan}"
            );
            assert_eq!(
                filled.page(
                    &tsquery,
                    &Window {
                        limit: 1000,
                        ..window(0)
                    }
                ),
                all[..matching.min(1000)]
            );
        }
        // The memory was less for that statement alone.
        let set =
            "SELECT source <> 'session' AS is_server FROM pg_settings WHERE name = 'work_mem'";
        let untouched: bool = diesel::select(diesel::dsl::sql::<diesel::sql_types::Bool>(
            &format!("({set})"),
        ))
        .get_result(&mut filled.connection)
        .unwrap();
        assert!(untouched, "{key}");
    }
}

#[test]
fn a_window_of_few_orders_is_answered_by_its_index() {
    let mut filled = filled();
    let tsquery = words::tsquery(&SearchKey::parse("rare").unwrap().unwrap());
    let window = Window {
        from: 6640,
        ..window(0)
    };
    let plan = filled.plan_page(Some(&tsquery), &window);
    assert!(
        plan.contains("Bitmap Index Scan on orders_words (never executed)"),
        "{plan}"
    );
}

impl Filled {
    fn page(&mut self, tsquery: &str, window: &Window) -> Vec<(i64, String)> {
        let rows = SelectPage::new(STORE, Some(tsquery), window)
            .load_rows(&mut self.connection)
            .unwrap();
        rows.into_iter()
            .map(|(id, created_at, ..)| (created_at, id))
            .collect()
    }

    /// All orders that have the words of a key, newest first, found without an index.
    fn having(&mut self, key: &str) -> Vec<(i64, String)> {
        use pressline_store_kit::schema::orders;
        let words = key.split(' ').map(|word| {
            format!("EXISTS (SELECT FROM unnest(words) WHERE starts_with(lexeme, 'SHOP1:{word}'))")
        });
        let has = words.collect::<Vec<_>>().join(" AND ");
        let mut all: Vec<(i64, String)> = orders::table
            .filter(orders::store_id.eq(STORE))
            .filter(diesel::dsl::sql::<diesel::sql_types::Bool>(&has))
            .select((orders::created_at, orders::id))
            .load(&mut self.connection)
            .unwrap();
        all.sort_by(|a, b| b.cmp(a));
        all
    }
}

/// Wherever they are found, those that match come once and in their order, whatever part of them is
/// asked for.
#[test]
fn the_sources_of_a_search_agree() {
    let mut filled = filled();
    // Orders move within the table, and change their words.
    filled
        .connection
        .batch_execute(
            "UPDATE orders SET version = 2, words = words || array_to_tsvector(ARRAY[prefix || ':changed'])
             WHERE number % 7 = 0 AND number < 19700",
        )
        .unwrap();
    for (key, matching) in [
        ("common", 10_000),
        ("changed", 1407),
        ("w5", 1133),
        ("order-1998", 6),
        ("rare", 0),
        ("old499", 499),
        ("old500", 500),
        ("old501", 501),
        ("old502", 502),
        ("new20", 20),
        ("new21", 21),
        ("new50", 50),
        ("behind", 1900),
        // Of these the index is asked for a part.
        ("half old500", 250),
        ("half behind", 950),
        ("behind half common changed", 132),
        ("common half nothing", 0),
        // Of these for all.
        ("common half", 5000),
        ("changed w5", 159),
        ("changed w5 behind", 30),
    ] {
        let tsquery = words::tsquery(&SearchKey::parse(key).unwrap().unwrap());
        let all = filled.having(key);
        assert_eq!(all.len(), matching, "{key}");
        let middle = all
            .get(all.len() / 2)
            .cloned()
            .unwrap_or((3000, "5".to_owned()));
        for before in [
            (i64::MAX, "~".to_owned()),
            middle,
            (6600, "8".to_owned()),
            (20, "8".to_owned()),
        ] {
            for from in [i64::MIN, 100, 6500, 6635] {
                let part: Vec<_> = all
                    .iter()
                    .filter(|place| place.0 >= from && **place < before)
                    .cloned()
                    .collect();
                for (offset, limit) in [
                    (0, 1),
                    (0, 21),
                    (3, 40),
                    (79, 21),
                    (80, 21),
                    (480, 20),
                    (490, 21),
                    (499, 1),
                    (500, 1),
                    (1979, 21),
                    (1980, 21),
                    (2000, 5),
                    (9990, 21),
                    (i64::MAX, 21),
                    (0, i64::MAX),
                ] {
                    let skipped = usize::try_from(offset).unwrap();
                    let wanted: Vec<_> = part
                        .iter()
                        .skip(skipped)
                        .take(usize::try_from(limit).unwrap())
                        .cloned()
                        .collect();
                    let window = Window {
                        from,
                        before: before.clone(),
                        offset,
                        limit,
                        bytes: u64::MAX,
                    };
                    let found = filled.page(&tsquery, &window);
                    assert_eq!(
                        found, wanted,
                        "{key} from {from} before {before:?}: {offset} {limit}"
                    );
                }
            }
        }
    }
}

#[test]
fn an_order_is_found_by_either_of_its_names_in_an_index() {
    let mut filled = filled();
    let (order_id, number) = ("order-10".to_owned(), Some(12));
    // The caller's id comes first, and where it is found the number is not looked for.
    let plan = filled.plan(Which::Named(&Lookup {
        order_id: order_id.clone(),
        number,
    }));
    assert!(
        plan.contains("Index Scan using orders_order_id on orders"),
        "{plan}"
    );
    assert!(
        plan.contains("Index Scan using orders_number on orders orders_2 (never executed)"),
        "{plan}"
    );
    let plan = filled.plan(Which::Named(&Lookup {
        order_id,
        number: None,
    }));
    assert!(
        plan.contains("Index Scan using orders_order_id on orders (actual rows=1"),
        "{plan}"
    );
}
