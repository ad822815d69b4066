//! Searches by words. The word index is read chunk by chunk, in the direction of the page, until
//! the page is full.

use std::ops::ControlFlow;

use diesel::QueryResult;
use diesel::sqlite::SqliteConnection;
use pressline_backoffice::queue::{CrossStoreQuery, Direction};
use pressline_kit::words::SearchKey;
use pressline_store_kit::{Sql, Values, Window};

use super::hits::Hits;
use super::page::{Page, PageOf};
use super::row_ids::{IdAndRow, json, of_rows};
use super::status::OfStatus;
use crate::error::Failure;
use crate::sql::{each_row, load};

static CHUNKS: Sql = Sql::new(include_str!("sql/chunks.sql"));
pub(crate) static ROW_IDS: Sql = Sql::new(include_str!("sql/row_ids.sql"));

/// Maximum number of matches in a chunk to look up singly and sort. For more matches, reading all
/// ids of the chunk in order costs less.
const SINGLE_LOOKUPS: usize = 500;

/// Number of a chunk, its lowest order id, and the lowest order id of the next chunk.
type ChunkRow = (i64, String, String);

/// Parameters of the statements that read chunks or orders of a store in a range of ids.
pub(crate) fn range_values<'v>(
    store_id: &'v str,
    from_id: &'v str,
    before_id: &'v str,
) -> Values<'v> {
    vec![
        ("store_id", store_id.into()),
        ("from_id", from_id.into()),
        ("before_id", before_id.into()),
    ]
}

pub(super) fn read(
    connection: &mut SqliteConnection,
    store_id: &str,
    (key, of_status): (&SearchKey, Option<&OfStatus<'_>>),
    window: &Window,
) -> Result<Page, Failure> {
    let values = range_values(store_id, &window.from, &window.before);
    let chunks: Vec<ChunkRow> = load(connection, &CHUNKS, &values)?;
    let mut words = Hits::new(store_id, key);
    let mut page = Page::new(window);
    let mut offset = usize::try_from(window.offset).unwrap_or(usize::MAX);
    for (chunk, from, before) in chunks {
        let is_whole = window.from <= from && before <= window.before;
        let range = (from.clone(), before.clone());
        let hits = sorted_hits(connection, of_status, &range, (chunk, &mut words))?;
        // All matches of the chunk come before the page, so that none has to be read.
        if is_whole && hits.len() <= offset {
            offset -= hits.len();
            continue;
        }
        let part = Window {
            from: from.max(window.from.clone()),
            before: before.min(window.before.clone()),
            offset: i64::try_from(offset).unwrap_or(i64::MAX),
            ..window.clone()
        };
        // Only reading the ids in order tells how many matches of a part of a chunk come before the
        // page.
        let rows = if hits.len() <= SINGLE_LOOKUPS && (is_whole || offset == 0) {
            hits
        } else {
            newest_of(
                connection,
                store_id,
                &hits,
                &part,
                page.missing().saturating_add(offset),
            )?
        };
        if rows.len() <= offset {
            offset -= rows.len();
            continue;
        }
        page.read(connection, store_id, PageOf::Rows(&json(&rows)), &part)?;
        if page.more {
            break;
        }
        offset = 0;
    }
    Ok(page)
}

/// Returns matching `row_id`s, lowest first. `range` applies only if `of_status` is given.
fn sorted_hits(
    connection: &mut SqliteConnection,
    of_status: Option<&OfStatus<'_>>,
    range: &(String, String),
    (chunk, words): (i64, &mut Hits<'_>),
) -> Result<Vec<i64>, Failure> {
    let Some(of_status) = of_status else {
        return words.in_chunk(connection, chunk);
    };
    let status_hits = hits_of_status(connection, of_status, range, (chunk, words))?;
    let mut rows: Vec<i64> = status_hits.into_iter().map(|(_, row_id)| row_id).collect();
    rows.sort_unstable();
    Ok(rows)
}

fn hits_of_status(
    connection: &mut SqliteConnection,
    of_status: &OfStatus<'_>,
    range: &(String, String),
    (chunk, words): (i64, &mut Hits<'_>),
) -> Result<Vec<IdAndRow>, Failure> {
    let mut orders = of_status.within(connection, range)?;
    // Saves the query of the word index for a chunk without an order of the status.
    if orders.is_empty() {
        return Ok(orders);
    }
    let hits = words.in_chunk(connection, chunk)?;
    orders.retain(|(_, row)| hits.binary_search(row).is_ok());
    Ok(orders)
}

/// Reads chunk by chunk in `query.direction`, until at least `query.count` orders are found. Orders
/// of the same chunk are unsorted.
pub(super) fn first(
    connection: &mut SqliteConnection,
    store_id: &str,
    (key, of_status): (&SearchKey, Option<&OfStatus<'_>>),
    range: &(String, String),
    query: &CrossStoreQuery,
) -> Result<Vec<IdAndRow>, Failure> {
    let values = range_values(store_id, &range.0, &range.1);
    let mut chunks: Vec<ChunkRow> = load(connection, &CHUNKS, &values)?;
    if query.direction == Direction::OldestFirst {
        // The statement returns the newest chunk first.
        chunks.reverse();
    }
    let count = usize::try_from(query.count).unwrap_or(usize::MAX);
    let mut words = Hits::new(store_id, key);
    let mut orders: Vec<IdAndRow> = Vec::new();
    for (chunk, from, before) in chunks {
        if orders.len() >= count {
            break;
        }
        let part = (from.max(range.0.clone()), before.min(range.1.clone()));
        match of_status {
            Some(of_status) => {
                orders.extend(hits_of_status(
                    connection,
                    of_status,
                    &part,
                    (chunk, &mut words),
                )?);
            }
            None => {
                let hits = words.in_chunk(connection, chunk)?;
                orders.extend(of_rows(connection, store_id, &hits, (&part.0, &part.1))?);
            }
        }
    }
    Ok(orders)
}

/// Newest first, up to `limit`. `hits` must be sorted in ascending order.
fn newest_of(
    connection: &mut SqliteConnection,
    store_id: &str,
    hits: &[i64],
    window: &Window,
    limit: usize,
) -> QueryResult<Vec<i64>> {
    let mut rows = Vec::new();
    let values = range_values(store_id, &window.from, &window.before);
    each_row(connection, &ROW_IDS, &values, |row: i64| {
        if hits.binary_search(&row).is_ok() {
            rows.push(row);
        }
        Ok(match rows.len() < limit {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        })
    })?;
    Ok(rows)
}
