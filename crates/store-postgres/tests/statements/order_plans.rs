//! Pins how PostgreSQL answers the statements that read orders: by which index, without reading
//! what the page does not show.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use pressline_kit::words::SearchKey;
use pressline_store_kit::Window;
use pressline_store_postgres::test_support::{
    order_by_id, order_by_order_id, order_by_order_id_or_number, tsquery,
};

use crate::explained;
use crate::orders::{STORE, filled, first_of, migrated, window};

#[test]
fn an_order_is_looked_up_by_its_key_in_a_database_without_statistics() {
    let (mut filled, id) = (migrated(), "0197f3c2-0003-7c3a-9d52-000000000001");
    let plan = explained(&mut filled.connection, order_by_id(STORE, id));
    assert!(
        plan.contains("Index Scan using orders_pkey on orders"),
        "{plan}"
    );
}

#[test]
fn the_newest_are_passed_over_in_the_index_alone() {
    let plan = filled().plan_page(None, &window(5000));
    assert!(
        plan.contains("Index Only Scan Backward using orders_pkey on orders"),
        "{plan}"
    );
    assert!(!plan.contains("Seq Scan on order"), "{plan}");
}

#[test]
fn the_ends_of_a_window_are_bounds_of_the_index() {
    let window = Window {
        from: first_of(100),
        before: first_of(1000),
        ..window(0)
    };
    let plan = filled().plan_page(None, &window);
    let bounds = format!(
        "(id >= '{}'::text) AND (id < '{}'::text)",
        window.from, window.before
    );
    let condition = format!("Index Cond: ((store_id = '{STORE}'::text) AND {bounds})");
    assert!(plan.contains(&condition), "{plan}");
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
        let query = tsquery(&SearchKey::parse(key).unwrap().unwrap());
        let plan = filled.plan_page(Some(&query), &window(0));
        assert!(
            plan.contains("Bitmap Index Scan on order_words_by_word"),
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
    let walk = "Index Scan Backward using order_words_pkey on order_words";
    assert!(latest.contains(walk) && newest.contains(walk), "{plan}");
    assert!(
        matching.contains("Bitmap Index Scan on order_words_by_word ("),
        "{plan}"
    );
    assert!(!plan.contains("Seq Scan on order"), "{plan}");
    let ran = |part: &str, node: &str| {
        part.lines()
            .any(|line| line.contains(node) && !line.contains("never executed"))
    };
    (
        ran(&newest, walk),
        ran(&matching, "Bitmap Index Scan on order_words_by_word"),
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
        let query = tsquery(&SearchKey::parse(key).unwrap().unwrap());
        // More often than a plan is made anew.
        for _ in 0..7 {
            let plan = filled.plan_page(Some(&query), &window(offset));
            assert_eq!(ran(&plan), (newest, index), "{key} {offset}\n{plan}");
        }
    }
}

#[test]
fn of_a_word_that_many_have_no_more_is_read_than_tells_so() {
    let plan = {
        let mut filled = filled();
        // It fills the page from behind the latest.
        let query = tsquery(&SearchKey::parse("behind").unwrap().unwrap());
        filled.plan_page(Some(&query), &window(0))
    };
    assert_eq!(ran(&plan), (true, true), "{plan}");
    let matching = plan
        .split("\n  CTE ")
        .find(|part| part.starts_with("matching\n"))
        .unwrap();
    assert!(
        matching.contains("Bitmap Heap Scan on order_words") && matching.contains("rows=501 "),
        "{plan}"
    );
}

/// The halves of what the index of words finds: by the whole key, and by its rarer words.
fn asked(plan: &str) -> (&str, &str) {
    let matching = plan
        .split("\n  CTE ")
        .find(|part| part.starts_with("matching\n"))
        .unwrap();
    let (whole, rarer) = matching
        .rsplit_once("Bitmap Heap Scan on order_words")
        .unwrap();
    (whole, rarer)
}

#[test]
fn the_index_is_asked_for_the_rarer_words_alone() {
    let mut filled = filled();
    let found = |part: &str| {
        let (_, scan) = part
            .split_once("Bitmap Index Scan on order_words_by_word (actual rows=")
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
        let query = tsquery(&SearchKey::parse(key).unwrap().unwrap());
        let plan = filled.plan_page(Some(&query), &window(0));
        let (by_all, by_some) = asked(&plan);
        assert_eq!(
            (found(by_all), found(by_some)),
            (whole, rarer),
            "{key}\n{plan}"
        );
    }
}

/// Orders of whose words some three rows share a page; three words that none of the latest have are each in
/// most pages.
const WIDE_ROWS: &str = "
    INSERT INTO stores VALUES ('0197f3c2-0001-7c3a-9d52-000000000001', 'Shop', 'SHOP1', 'USD',
        false, false, false, true, 0, 1);
    INSERT INTO orders (store_id, id, order_id, prefix, number, source, version, updated_at, currency,
        shipping_address, art, bill, priced_at, fingerprint, size)
    SELECT '0197f3c2-0001-7c3a-9d52-000000000001',
        overlay(gen_random_uuid()::text PLACING '00000000-' || lpad(to_hex(n), 4, '0') FROM 1 FOR 13),
        'order-' || n, 'SHOP1', n, 'store', 1, n, 'USD', '{}', '[]', '{\"lines\":[]}', 0, 'x', 5000
    FROM generate_series(1, 9000) AS n;
    INSERT INTO order_words (store_id, id, words)
    SELECT store_id, id,
        array_to_tsvector(ARRAY['SHOP1:order-' || n, 'SHOP1:' || repeat('x', 2000)]
            || ARRAY(SELECT 'SHOP1:by' || divisor || '-' || n % 7 FROM unnest(ARRAY[2, 3, 5]) AS divisor
                WHERE n % divisor = 0 AND n <= 8900))
    FROM orders, LATERAL (SELECT number AS n) AS numbered";

#[test]
fn of_three_words_the_index_notes_pages_and_their_orders_are_compared() {
    let mut filled = migrated();
    filled.connection.batch_execute(WIDE_ROWS).unwrap();
    filled
        .connection
        .batch_execute("VACUUM ANALYZE orders, order_words")
        .unwrap();
    for (key, matching, pages) in [
        ("by2 by3 by5", 296, true),
        ("by3 by5", 593, false),
        ("by2", 4450, false),
    ] {
        let query = tsquery(&SearchKey::parse(key).unwrap().unwrap());
        let all = filled.having(key);
        assert_eq!(all.len(), matching, "{key}");
        for _ in 0..7 {
            let plan = filled.plan_page(Some(&query), &window(0));
            assert_eq!(
                plan.contains("Rows Removed by Index Recheck"),
                pages,
                "{key}\n{plan}"
            );
            assert_eq!(
                filled.page(
                    &query,
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
    let query = tsquery(&SearchKey::parse("rare").unwrap().unwrap());
    let window = Window {
        from: first_of(6640),
        ..window(0)
    };
    let plan = filled.plan_page(Some(&query), &window);
    assert!(
        plan.contains("Bitmap Index Scan on order_words_by_word (never executed)"),
        "{plan}"
    );
}

#[test]
fn an_order_is_found_by_either_of_its_names_in_an_index() {
    let mut filled = filled();
    // The caller's id comes first, and where it is found the number is not looked for.
    let plan = explained(
        &mut filled.connection,
        order_by_order_id_or_number(STORE, "order-10", 12),
    );
    assert!(
        plan.contains("Index Scan using orders_order_id on orders"),
        "{plan}"
    );
    assert!(
        plan.contains("Index Scan using orders_number on orders orders_2 (never executed)"),
        "{plan}"
    );
    let plan = explained(&mut filled.connection, order_by_order_id(STORE, "order-10"));
    assert!(
        plan.contains("Index Scan using orders_order_id on orders (actual rows=1"),
        "{plan}"
    );
}
