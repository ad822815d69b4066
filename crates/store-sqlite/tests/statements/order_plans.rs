//! Pins the query plans of the statements that read orders: the index that SQLite uses. They must
//! not read rows that the page does not show.

use diesel::connection::SimpleConnection;
use diesel::deserialize::QueryableByName;
use diesel::prelude::*;
use diesel::sql_types::Text;
use pressline_store_kit::Window;
use pressline_store_sqlite::test_support::{PageOf, open, page, row_ids};

use crate::plan;

fn window() -> Window {
    Window {
        from: String::new(),
        before: "~".to_owned(),
        offset: 5000,
        limit: 21,
        bytes: u64::MAX,
    }
}

fn page_plan(of: PageOf<'_>) -> String {
    plan(page("s", of, &window()))
}

#[test]
fn newest_orders_are_skipped_by_an_index_only_scan() {
    let plan = page_plan(PageOf::All);
    let bounds = "(store_id=? AND id>? AND id<?)";
    let search = format!("SEARCH orders USING COVERING INDEX sqlite_autoindex_orders_1 {bounds}");
    assert!(plan.contains(&search), "{plan}");
    assert!(
        plan.contains("SEARCH orders USING INTEGER PRIMARY KEY (rowid=?)"),
        "{plan}"
    );
}

#[test]
fn a_few_rows_are_looked_up_by_their_numbers() {
    let plan = page_plan(PageOf::Rows("[1,2]"));
    let steps: Vec<&str> = plan.lines().collect();
    assert!(
        steps[1].starts_with("SCAN json_each VIRTUAL TABLE INDEX"),
        "{plan}"
    );
    assert!(
        steps[2].starts_with("SEARCH orders USING INTEGER PRIMARY KEY"),
        "{plan}"
    );
}

#[test]
fn paging_through_a_chunk_is_an_index_only_scan() {
    let plan = plan(row_ids("s", &window()));
    assert!(
        plan.contains("SEARCH orders USING COVERING INDEX sqlite_autoindex_orders_1 (store_id=? AND id>? AND id<?)"),
        "{plan}"
    );
}

/// The index must not store the words themselves, because searches need only its entries.
#[test]
fn the_word_index_stores_no_strings() {
    #[derive(QueryableByName)]
    struct Word {
        #[diesel(sql_type = diesel::sql_types::Nullable<Text>)]
        words: Option<String>,
    }
    let folder = tempfile::tempdir().unwrap();
    let mut connection = open(&folder.path().join("orders.db")).unwrap();
    connection
        .batch_execute("INSERT INTO order_words (rowid, words) VALUES (7, '0001zmug')")
        .unwrap();
    let kept: Word = diesel::sql_query("SELECT words FROM order_words")
        .get_result(&mut connection)
        .unwrap();
    assert_eq!(kept.words, None);
}
