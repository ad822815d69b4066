//! Builds the word lists of one segment.

use diesel::connection::Connection;
use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Integer, Nullable, Text};
use pressline_store_kit::{SqlText, statement};

use super::ListSizes;
use super::block::{Block, blocks};
use crate::error::Failure;
use crate::words::{MARK, PREFIX_BYTES};

const ORDERS_AT_A_TIME: i64 = 2048;
/// Maximum number of blocks that a statement inserts: about a megabyte.
const BLOCKS_AT_A_TIME: usize = 1024;

const NODE: (&str, &str) = ("node", include_str!("../sql/node.sql"));

statement! {
    /// Begins a segment if more than `orders` orders in closed chunks belong to no segment.
    pub(crate) struct BeginSegment<'a> for Pg, returns Text,
    text SqlText::new(include_str!("../sql/begin_segment.sql"), &[NODE]),
    {
        store_id: &'a str = Text,
        /// Number of orders in the new segment.
        orders: i64 = BigInt,
    }
}

statement! {
    /// Word lists built later include the changes of orders that belong to no segment.
    pub(crate) struct ForgetChanges<'a> for Pg, returns Text,
    text SqlText::new(include_str!("../sql/forget_changes.sql"), &[]),
    {
        store_id: &'a str = Text,
    }
}

statement! {
    /// Statement that locks a segment that needs new lists. Returns its number and the bounds of
    /// its order ids; no row if no segment needs lists, or another server has locked it.
    pub(crate) struct TakeSegment<'a> for Pg, returns (Integer, Text, Text),
    text SqlText::new(include_str!("../sql/take_segment.sql"), &[]),
    {
        store_id: &'a str = Text,
        /// See [`ListSizes::changes`].
        changes: i64 = BigInt,
    }
}

statement! {
    /// The words already include the changes recorded for the orders.
    pub(crate) struct SegmentWords<'a> for Pg,
    returns (Nullable<Text>, Binary, Array<Text>, Array<Text>, Array<BigInt>),
    text SqlText::new(include_str!("../sql/segment_words.sql"), &[]),
    {
        store_id: &'a str = Text,
        from_id: &'a str = Text,
        before_id: &'a str = Text,
        limit: i64 = BigInt,
    }
}

statement! {
    pub(crate) struct DeleteLists<'a> for Pg, returns Text,
    text SqlText::new(include_str!("../sql/delete_lists.sql"), &[]),
    {
        store_id: &'a str = Text,
        segment: i32 = Integer,
    }
}

statement! {
    /// `first_words` and `lists` have an element for each block.
    pub(crate) struct InsertLists<'a> for Pg, returns Text,
    text SqlText::new(include_str!("../sql/insert_lists.sql"), &[NODE]),
    {
        store_id: &'a str = Text,
        segment: i32 = Integer,
        first_words: &'a [&'a [u8]] = Array<Binary>,
        lists: &'a [&'a [u8]] = Array<Binary>,
    }
}

statement! {
    /// Sets the order ids of `segment`, and increases its build number.
    pub(crate) struct SetListed<'a> for Pg, returns Text,
    text SqlText::new(include_str!("../sql/listed.sql"), &[]),
    {
        store_id: &'a str = Text,
        segment: i32 = Integer,
        ids: &'a [u8] = Binary,
    }
}

statement! {
    /// Removes change records: `ids` has the orders, `replaced` their versions before the changes.
    pub(crate) struct SetListedChanges<'a> for Pg, returns Text,
    text SqlText::new(include_str!("../sql/listed_changes.sql"), &[]),
    {
        store_id: &'a str = Text,
        ids: &'a [String] = Array<Text>,
        replaced: &'a [i64] = Array<BigInt>,
    }
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

/// Returns `false` if no segment needs new lists, or another server is building the lists.
pub(crate) fn build_one(
    connection: &mut PgConnection,
    store_id: &str,
    sizes: ListSizes,
) -> Result<bool, Failure> {
    let orders = sizes.orders;
    BeginSegment { store_id, orders }.execute(connection)?;
    ForgetChanges { store_id }.execute(connection)?;
    // The segment must stay locked until its lists are replaced.
    connection.transaction(|connection| {
        let changes = sizes.changes;
        let taken: Option<(i32, String, String)> = TakeSegment { store_id, changes }
            .get_result(connection)
            .optional()?;
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
        let statement = SegmentWords {
            store_id,
            from_id: &from_id,
            before_id,
            limit: ORDERS_AT_A_TIME,
        };
        type Portion = (Option<String>, Vec<u8>, Vec<String>, Vec<String>, Vec<i64>);
        let (next_id, ids, words, changed_ids, replaced): Portion =
            statement.get_result(connection)?;
        orders.ids.extend(ids);
        orders.words.extend(words);
        orders.changed_ids.extend(changed_ids);
        orders.replaced.extend(replaced);
        match next_id {
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
    DeleteLists { store_id, segment }.execute(connection)?;
    let mut blocks = blocks(words_of(&orders.words));
    loop {
        let portion: Vec<Block> = blocks.by_ref().take(BLOCKS_AT_A_TIME).collect();
        if portion.is_empty() {
            break;
        }
        let rows = portion.iter();
        let (first_words, lists): (Vec<&[u8]>, Vec<&[u8]>) = rows
            .map(|block| (block.first_word.as_slice(), block.lists.as_slice()))
            .unzip();
        let insert = InsertLists {
            store_id,
            segment,
            first_words: &first_words,
            lists: &lists,
        };
        insert.execute(connection)?;
    }
    let listed = SetListed {
        store_id,
        segment,
        ids: &orders.ids,
    };
    listed.execute(connection)?;
    let listed_changes = SetListedChanges {
        store_id,
        ids: &orders.changed_ids,
        replaced: &orders.replaced,
    };
    listed_changes.execute(connection)?;
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
