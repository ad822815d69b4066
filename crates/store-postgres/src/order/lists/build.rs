//! Builds the word lists of one segment.

use diesel::QueryResult;
use diesel::connection::Connection;
use diesel::pg::PgConnection;
use diesel::result::Error as DieselError;
use pressline_store_kit::{Row, Sql};

use super::block::{Block, blocks};
use crate::arrays::{Kind, List, array, load_first, run};
use crate::error::Failure;
use crate::words::{MARK, PREFIX_BYTES};

const ORDERS_AT_A_TIME: i64 = 2048;
/// Maximum number of blocks that a statement inserts: about a megabyte.
const BLOCKS_AT_A_TIME: usize = 1024;

/// Begins a segment if more than `:orders` orders in closed chunks belong to no segment.
pub(crate) static BEGIN_SEGMENT: Sql = Sql::new(include_str!("sql/begin_segment.sql"));
/// Word lists built later include the changes of orders that belong to no segment.
pub(crate) static FORGET_CHANGES: Sql = Sql::new(include_str!("sql/forget_changes.sql"));
/// Locks a segment that needs new lists. Returns its number and the bounds of its order ids; no row
/// if no segment needs lists, or another server has locked it.
pub(crate) static TAKE_SEGMENT: Sql = Sql::new(include_str!("sql/take_segment.sql"));
/// The words already include the changes recorded for the orders.
pub(crate) static SEGMENT_WORDS: Sql = Sql::new(include_str!("sql/segment_words.sql"));
pub(crate) static DELETE_LISTS: Sql = Sql::new(include_str!("sql/delete_lists.sql"));
/// `:first_words` and `:lists` have an element for each block.
pub(crate) static INSERT_LISTS: Sql = Sql::new(include_str!("sql/insert_lists.sql"));
/// Sets the order ids of a segment, and increases its build number.
pub(crate) static SET_LISTED: Sql = Sql::new(include_str!("sql/listed.sql"));
/// Removes change records: `:ids` has the orders, `:replaced` their versions before the changes.
pub(crate) static SET_LISTED_CHANGES: Sql = Sql::new(include_str!("sql/listed_changes.sql"));

/// A portion of the orders of a segment.
#[derive(Row)]
#[row(read)]
struct Portion {
    /// Id from which the next portion begins; `None` after the last portion.
    next_id: Option<String>,
    ids: Vec<u8>,
    words: List<String>,
    changed_ids: List<String>,
    replaced: List<i64>,
}

#[derive(Default)]
struct SegmentOrders {
    /// Order ids in ascending order, 16 bytes each.
    ids: Vec<u8>,
    /// Lexemes of each order, joined by [`MARK`].
    words: Vec<String>,
    /// Ids of orders with a recorded change that `words` already include. `replaced` has, for each
    /// id, the order's version before the change.
    changed_ids: Vec<String>,
    replaced: Vec<i64>,
}

/// Begins a segment if `orders` orders have none, and rebuilds lists from `changes` changed orders
/// on. Returns `false` if no segment needs new lists, or another server is building the lists.
pub(crate) fn build_one(
    connection: &mut PgConnection,
    store_id: &str,
    orders: i64,
    changes: i64,
) -> Result<bool, Failure> {
    let store = ("store_id", store_id.into());
    let orders = ("orders", orders.into());
    run(connection, &BEGIN_SEGMENT, &[store.clone(), orders])?;
    run(connection, &FORGET_CHANGES, std::slice::from_ref(&store))?;
    // The segment must stay locked until its lists are replaced.
    connection.transaction(|connection| {
        let values = [store, ("changes", changes.into())];
        let taken: Option<(i32, String, String)> = load_first(connection, &TAKE_SEGMENT, &values)?;
        let Some((segment, from_id, before_id)) = taken else {
            return Ok(false);
        };
        let orders = read_orders(connection, store_id, from_id, &before_id)?;
        replace_lists(connection, store_id, segment, &orders)?;
        Ok(true)
    })
}

/// Reads portions, each from its own snapshot. Orders that change later keep their records.
fn read_orders(
    connection: &mut PgConnection,
    store_id: &str,
    from_id: String,
    before_id: &str,
) -> QueryResult<SegmentOrders> {
    let mut orders = SegmentOrders::default();
    let mut from_id = from_id;
    loop {
        let values = [
            ("store_id", store_id.into()),
            ("from_id", (&from_id).into()),
            ("before_id", before_id.into()),
            ("limit", ORDERS_AT_A_TIME.into()),
        ];
        let portion: Portion =
            load_first(connection, &SEGMENT_WORDS, &values)?.ok_or(DieselError::NotFound)?;
        orders.ids.extend(portion.ids);
        orders.words.extend(portion.words);
        orders.changed_ids.extend(portion.changed_ids);
        orders.replaced.extend(portion.replaced);
        match portion.next_id {
            Some(next_id) => from_id = next_id,
            None => return Ok(orders),
        }
    }
}

fn replace_lists(
    connection: &mut PgConnection,
    store_id: &str,
    segment: i32,
    orders: &SegmentOrders,
) -> QueryResult<()> {
    let of_segment = [("store_id", store_id.into()), ("segment", segment.into())];
    run(connection, &DELETE_LISTS, &of_segment)?;
    let mut blocks = blocks(words_of(&orders.words));
    loop {
        let portion: Vec<Block> = blocks.by_ref().take(BLOCKS_AT_A_TIME).collect();
        if portion.is_empty() {
            break;
        }
        let first_words = portion.iter().map(|block| block.first_word.as_slice());
        let lists = portion.iter().map(|block| block.lists.as_slice());
        let mut values = of_segment.to_vec();
        values.push(("first_words", array(Kind::Binary, first_words)));
        values.push(("lists", array(Kind::Binary, lists)));
        run(connection, &INSERT_LISTS, &values)?;
    }
    let mut values = of_segment.to_vec();
    values.push(("ids", (&orders.ids).into()));
    run(connection, &SET_LISTED, &values)?;
    let values = [
        ("store_id", store_id.into()),
        ("ids", array(Kind::Text, &orders.changed_ids)),
        ("replaced", array(Kind::BigInt, &orders.replaced)),
    ];
    run(connection, &SET_LISTED_CHANGES, &values)?;
    Ok(())
}

/// Returns each word, without its chunk's prefix, with the index of its order in `orders`.
fn words_of(orders: &[String]) -> Vec<(&str, u32)> {
    let count = orders
        .iter()
        .map(|lexemes| lexemes.matches(MARK).count() + 1);
    // Allocated once, because it takes most of the memory: 18 MB for the words of 16,384 orders.
    let mut words = Vec::with_capacity(count.sum());
    for (position, lexemes) in (0_u32..).zip(orders) {
        let of_order = lexemes.split(MARK);
        words.extend(of_order.filter_map(|word| Some((word.get(PREFIX_BYTES..)?, position))));
    }
    words
}
