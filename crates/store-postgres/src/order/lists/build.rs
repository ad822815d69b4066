//! Builds the lists of one segment.

use diesel::connection::Connection;
use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Binary, Integer, Nullable, Text};
use pressline_store_kit::{SqlText, statement};

use super::ListSizes;
use super::block::{Block, blocks};
use crate::error::Failure;
use crate::words::{MARK, PREFIX_BYTES};

/// Orders that are read by one statement.
const ORDERS_AT_A_TIME: i64 = 2048;
/// Blocks that are added by one statement: about a megabyte.
const BLOCKS_AT_A_TIME: usize = 1024;

const NODE: (&str, &str) = ("node", include_str!("../sql/node.sql"));

statement! {
    /// Begins a segment where enough orders have none yet.
    pub(crate) struct BeginSegment<'a> for Pg, returns Text,
    text SqlText::new(include_str!("../sql/begin_segment.sql"), &[NODE]),
    {
        store_id: &'a str = Text,
        /// Orders of the segment.
        orders: i64 = BigInt,
    }
}

statement! {
    /// Removes the records of changed orders that belong to no segment yet.
    pub(crate) struct ForgetChanges<'a> for Pg, returns Text,
    text SqlText::new(include_str!("../sql/forget_changes.sql"), &[]),
    {
        store_id: &'a str = Text,
    }
}

statement! {
    /// Locks a segment whose lists have to be built, unless another server has locked it.
    pub(crate) struct TakeSegment<'a> for Pg, returns (Integer, Text, Text),
    text SqlText::new(include_str!("../sql/take_segment.sql"), &[]),
    {
        store_id: &'a str = Text,
        /// As [`ListSizes::changes`].
        changes: i64 = BigInt,
    }
}

statement! {
    /// Reads the words of orders, with the records of changes that these words contain.
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
    /// Removes the lists of a segment.
    pub(crate) struct DeleteLists<'a> for Pg, returns Text,
    text SqlText::new(include_str!("../sql/delete_lists.sql"), &[]),
    {
        store_id: &'a str = Text,
        segment: i32 = Integer,
    }
}

statement! {
    /// Adds the lists of a segment.
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
    /// Sets the ids of a segment whose lists have been built.
    pub(crate) struct SetListed<'a> for Pg, returns Text,
    text SqlText::new(include_str!("../sql/listed.sql"), &[]),
    {
        store_id: &'a str = Text,
        segment: i32 = Integer,
        ids: &'a [u8] = Binary,
    }
}

statement! {
    /// Removes the records of changes that the lists contain.
    pub(crate) struct SetListedChanges<'a> for Pg, returns Text,
    text SqlText::new(include_str!("../sql/listed_changes.sql"), &[]),
    {
        store_id: &'a str = Text,
        ids: &'a [String] = Array<Text>,
        replaced: &'a [i64] = Array<BigInt>,
    }
}

/// The orders of a segment.
#[derive(Default)]
struct SegmentOrders {
    /// In ascending order, 16 bytes each.
    ids: Vec<u8>,
    /// The lexemes of each, joined by [`MARK`].
    words: Vec<String>,
    /// The records of changes that the words contain.
    changed_ids: Vec<String>,
    replaced: Vec<i64>,
}

/// Builds the lists of one segment of a store, if one has to be built and no other server builds it;
/// returns whether it did. The lists are replaced in one transaction.
///
/// # Errors
/// As the database fails. Nothing has been replaced then.
pub(crate) fn build_one(
    connection: &mut PgConnection,
    store_id: &str,
    sizes: ListSizes,
) -> Result<bool, Failure> {
    let orders = sizes.orders;
    BeginSegment { store_id, orders }.execute(connection)?;
    ForgetChanges { store_id }.execute(connection)?;
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

/// Reads the orders of a segment in portions. Each portion is one state of the database, and what
/// changes after it is read stays recorded.
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
        let first_words: Vec<&[u8]> = portion.iter().map(Block::first_word).collect();
        let lists: Vec<&[u8]> = portion.iter().map(Block::lists).collect();
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

/// Each word of each order, without the prefix of its chunk, with the position of the order.
fn words_of(orders: &[String]) -> Vec<(&str, u32)> {
    let count = orders
        .iter()
        .map(|lexemes| lexemes.matches(MARK).count() + 1);
    // Not grown step by step, as it takes most of the memory: 18 MB for the words of 16,384 orders.
    let mut words = Vec::with_capacity(count.sum());
    for (position, lexemes) in (0_u32..).zip(orders) {
        let of_order = lexemes.split(MARK);
        words.extend(of_order.filter_map(|word| Some((word.get(PREFIX_BYTES..)?, position))));
    }
    words
}
