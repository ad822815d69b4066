//! Pins the query plans of the statements that read orders: the index that PostgreSQL uses. They
//! must not read rows that the page does not show.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use pressline_kit::words::SearchKey;
use pressline_store_kit::Window;
use pressline_store_postgres::test_support::{
    of_status, order_by_id, order_by_name, order_by_order_id, orders_by_names, prepared,
};

use crate::explained;
use crate::orders::{STORE, filled, filled_without_statistics, first_of, migrated, window};

#[test]
fn an_order_is_looked_up_by_its_key_in_a_database_without_statistics() {
    let (mut filled, id) = (migrated(), "0197f3c2-0003-7c3a-9d52-000000000001");
    let plan = explained(&mut filled.connection, order_by_id(STORE, id));
    assert!(
        plan.contains("Index Scan using orders_pkey on orders"),
        "{plan}"
    );
}

/// The bit of `need-action`, set for one in 1,000 orders of the filled database. The others are
/// delivered.
const RARE_STATUS: i16 = 1 << 8;

#[test]
fn a_status_is_found_by_an_index_only_scan_with_and_without_statistics() {
    for mut filled in [filled(), filled_without_statistics()] {
        let window = window(0);
        let plan = explained(
            &mut filled.connection,
            of_status(STORE, RARE_STATUS, &window),
        );
        let page = "Index Only Scan Backward using order_states_by_status on order_states";
        assert!(plan.contains(page), "{plan}");
        // One state row is read per order of the page.
        assert!(
            plan.contains("Index Scan using order_states_pkey"),
            "{plan}"
        );
        assert!(!plan.contains("Seq Scan on order_states"), "{plan}");
    }
}

#[test]
fn newest_orders_are_skipped_by_an_index_only_scan() {
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
    // From the sixth execution on, the server may use a generic plan, which does not depend on the
    // word.
    for key in [
        "order-77",
        "order-777 common",
        "common",
        "order-1 w1",
        "w5",
        "order-1998",
        "order-19",
    ] {
        let query = prepared(&SearchKey::parse(key).unwrap().unwrap());
        let plan = filled.plan_page(Some(&query), &window(0));
        assert!(
            plan.contains("Bitmap Index Scan on order_words_by_word"),
            "{key}\n{plan}"
        );
    }
}

/// Returns the number of chunks that a search read from the word index, and the total number of
/// entries read.
fn read(plan: &str) -> (u32, u32) {
    let part = |name: &str| {
        plan.split("\n  CTE ")
            .find(|part| part.starts_with(name))
            .unwrap()
    };
    let (latest, walked) = (part("latest\n"), part("walked\n"));
    assert!(
        latest.contains("Index Scan Backward using order_words_pkey on order_words"),
        "{plan}"
    );
    // Stops when the page is full, whatever the planner estimates.
    assert!(
        walked.contains("Incremental Sort") && walked.contains("Presorted Key: "),
        "{plan}"
    );
    assert!(!plan.contains("Seq Scan on order"), "{plan}");
    let scan = walked
        .lines()
        .find(|line| line.contains("Bitmap Index Scan on order_words_by_word"))
        .unwrap();
    // PostgreSQL 18 shows row counts with decimals: `rows=21.00`.
    let number = |name: &str| {
        let (_, number) = scan.split_once(name)?;
        number.split([' ', ')', '.']).next()?.parse::<u32>().ok()
    };
    match number("actual rows=").zip(number("loops=")) {
        Some((rows, loops)) => (loops, rows * loops),
        None => (0, 0),
    }
}

#[test]
fn a_search_reads_only_the_necessary_chunks() {
    for mut filled in [filled(), filled_without_statistics()] {
        // With a custom plan and with a generic plan.
        for plans in ["force_custom_plan", "force_generic_plan"] {
            let set = format!("SET plan_cache_mode = {plans}");
            filled.connection.batch_execute(&set).unwrap();
            for (key, offset, chunks) in CHUNKS_READ {
                let query = prepared(&SearchKey::parse(key).unwrap().unwrap());
                let plan = filled.plan_page(Some(&query), &window(offset));
                assert_eq!(read(&plan).0, chunks, "{key} {offset} {plans}\n{plan}");
            }
        }
    }
}

#[test]
fn searches_are_planned_once_for_each_connection() {
    #[derive(QueryableByName)]
    struct Plans {
        #[diesel(sql_type = diesel::sql_types::BigInt)]
        once: i64,
        #[diesel(sql_type = diesel::sql_types::BigInt)]
        anew: i64,
    }
    let mut filled = filled();
    for key in ["common", "nothing", "w5", "order-77 common"] {
        let query = prepared(&SearchKey::parse(key).unwrap().unwrap());
        for _ in 0..5 {
            filled.page(&query, &window(0));
        }
    }
    let plans: Plans = diesel::sql_query(
        "SELECT generic_plans AS once, custom_plans AS anew FROM pg_prepared_statements \
         WHERE statement LIKE '%order_words%'",
    )
    .get_result(&mut filled.connection)
    .unwrap();
    // The server plans the first five executions anew, to compare them with a generic plan.
    assert_eq!((plans.once, plans.anew), (15, 5));
}

/// Keys, offsets, and the number of chunks read, of ten: the chunks of the page's orders, and the
/// following chunks up to the next match.
const CHUNKS_READ: [(&str, i64, u32); 9] = [
    // The latest fifty orders fill the page.
    ("common", 0, 0),
    ("common order", 29, 0),
    ("common", 30, 2),
    ("w5", 0, 2),
    ("behind", 0, 2),
    ("common", 1979, 4),
    ("old500", 0, 10),
    ("order-776", 0, 10),
    ("nothing", 0, 10),
];

#[test]
fn the_index_is_queried_for_the_rarer_words_only() {
    let mut filled = filled();
    for (key, limit) in [
        ("old500", 500),
        ("half old500", 500),
        ("order-776 common", 20),
        ("common order-19999 half", 20),
    ] {
        let query = prepared(&SearchKey::parse(key).unwrap().unwrap());
        let plan = filled.plan_page(Some(&query), &window(0));
        assert!(read(&plan).1 <= limit, "{key}\n{plan}");
    }
}

#[test]
fn only_the_chunks_of_a_window_are_read() {
    let mut filled = filled();
    let query = prepared(&SearchKey::parse("nothing").unwrap().unwrap());
    // 1,000 orders of the store are created in 667 ms.
    for (from, before, chunks) in [
        (0, 600, 1),
        (700, 1300, 1),
        (500, 900, 2),
        (2100, i64::MAX, 7),
    ] {
        let window = Window {
            from: first_of(from),
            before: first_of(before),
            ..window(0)
        };
        let plan = filled.plan_page(Some(&query), &window);
        assert_eq!(read(&plan).0, chunks, "{from} {before}\n{plan}");
    }
}

#[test]
fn a_window_of_few_orders_is_answered_by_its_index() {
    let mut filled = filled();
    let query = prepared(&SearchKey::parse("rare").unwrap().unwrap());
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
fn an_order_is_found_by_each_of_its_names_in_an_index() {
    let id = Some("018ff5f6-f249-7c3a-9d52-0f6f3b1c2d4e");
    for mut filled in [filled(), filled_without_statistics()] {
        for (number, id) in [(Some(12), None), (None, id), (Some(12), id)] {
            let statement = order_by_name(STORE, "order-10", number, id);
            let plan = explained(&mut filled.connection, statement);
            let has = |index: &str| plan.contains(&format!("Index Scan using {index} on orders"));
            assert!(has("orders_pkey") && has("orders_order_id"), "{plan}");
            // Without a number, nothing is looked up by number.
            assert_eq!(has("orders_number"), number.is_some(), "{plan}");
            assert!(!plan.contains("Seq Scan"), "{plan}");
        }
    }
    let mut filled = filled();
    let plan = explained(&mut filled.connection, order_by_order_id(STORE, "order-10"));
    assert!(
        plan.contains("Index Scan using orders_order_id on orders (actual rows=1"),
        "{plan}"
    );
}

#[test]
fn orders_of_several_calls_are_found_by_their_indexes_with_and_without_statistics() {
    let stores = [STORE.to_owned(), STORE.to_owned(), STORE.to_owned()];
    let order_ids = [
        "order-10".to_owned(),
        "unknown".to_owned(),
        "unknown".to_owned(),
    ];
    let numbers = [None, Some(12), None];
    let ids = [
        None,
        None,
        Some("018ff5f6-f249-7c3a-9d52-0f6f3b1c2d4e".to_owned()),
    ];
    for mut filled in [filled(), filled_without_statistics()] {
        let statement = orders_by_names(&stores, &order_ids, &numbers, &ids);
        let plan = explained(&mut filled.connection, statement);
        for index in ["orders_pkey", "orders_order_id", "orders_number"] {
            assert!(
                plan.contains(&format!("Index Scan using {index} on orders")),
                "{plan}"
            );
        }
        assert!(!plan.contains("Seq Scan"), "{plan}");
    }
}
