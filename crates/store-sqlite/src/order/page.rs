//! Pages of a store's orders, as whole orders or as references.

use std::collections::HashMap;
use std::ops::ControlFlow;

use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_domain::order::Order;
use pressline_domain::order::search::{Batch, OrderReference};
use pressline_store_kit::{
    ItemRow, OrderRow, Sql, StateRow, StoredOrder, Values, Window, group_by_order, order_reference,
    restore_all, text_list,
};

use crate::error::Failure;
use crate::sql::{each_row, load};

static BY_IDS: Sql = Sql::new(include_str!("sql/by_ids.sql"));
static ITEMS: Sql = Sql::new(include_str!("sql/items.sql"));
static STATES: Sql = Sql::new(include_str!("sql/states.sql"));
static SHIPMENTS: Sql = Sql::new(include_str!("sql/shipments.sql"));
static CORRECTIONS: Sql = Sql::new(include_str!("sql/corrections.sql"));
static PAGE: Sql = Sql::new(include_str!("sql/page.sql"));
static PAGE_FAR: Sql = Sql::new(include_str!("sql/page_far.sql"));
static PAGE_OF_ROWS: Sql = Sql::new(include_str!("sql/page_of_rows.sql"));

/// Maximum offset of an order page to read without a time limit: skipping 10,000 orders reads
/// only a few hundred database pages.
const UNLIMITED_OFFSET: i64 = 10_000;

/// Sorted as in `ids`: as many orders as fit into `bytes` bytes, but at least the first.
pub(super) fn with_ids(
    connection: &mut SqliteConnection,
    store_id: &str,
    ids: &[String],
    bytes: u64,
) -> Result<Vec<Order>, Failure> {
    let id_texts: Vec<&str> = ids.iter().map(String::as_str).collect();
    let ids = &text_list(&id_texts)?;
    let mut batch = Batch::new(bytes);
    let mut whole = Vec::new();
    let values = [("ids", ids.into()), ("store_id", store_id.into())];
    each_row(connection, &BY_IDS, &values, |row: OrderRow| {
        if !batch.takes(size(&row)) {
            return Ok(ControlFlow::Break(()));
        }
        whole.push(row);
        Ok(ControlFlow::Continue(()))
    })?;
    whole_orders(connection, store_id, whole)
}

/// Orders of a page, read row by row. Reading ends with the first order after the page.
pub(super) struct Page {
    size: usize,
    batch: Batch,
    pub(super) whole: Vec<OrderRow>,
    pub(super) rest: Vec<OrderReference>,
    /// Whether the window has an order after the page.
    pub(super) more: bool,
}

impl Page {
    pub(super) fn new(window: &Window) -> Self {
        Self {
            size: window.page_size(),
            batch: Batch::new(window.bytes),
            whole: Vec::new(),
            rest: Vec::new(),
            more: false,
        }
    }

    /// Returns the number of orders still to be read, including the order after the page.
    pub(super) fn missing(&self) -> usize {
        let row_count = self.whole.len() + self.rest.len();
        self.size.saturating_sub(row_count).saturating_add(1)
    }

    /// Reads until the page is full. `part` begins after the last order already on the page.
    pub(super) fn read(
        &mut self,
        connection: &mut SqliteConnection,
        store_id: &str,
        of: PageOf<'_>,
        part: &Window,
    ) -> Result<(), Failure> {
        let (text, values) = page(store_id, of, part);
        let mut rest: Vec<(String, i32)> = Vec::new();
        let missing = self.missing();
        let mut read = 0;
        each_row(connection, text, &values, |row: OrderRow| {
            read += 1;
            // If the page is full, this row is the order after it.
            self.more = read == missing;
            if self.more {
                return Ok(ControlFlow::Break(()));
            }
            if self.batch.takes(size(&row)) {
                self.whole.push(row);
            } else {
                rest.push((row.id, row.size));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        let references = rest
            .iter()
            .map(|(id, size)| order_reference(store_id, id, *size));
        self.rest.extend(references.collect::<Result<Vec<_>, _>>()?);
        Ok(())
    }
}

/// Size in bytes. An invalid size becomes the maximum and fills any batch; reading then fails.
fn size(row: &OrderRow) -> u64 {
    u64::try_from(row.size).unwrap_or(u64::MAX)
}

pub(super) fn whole_orders(
    connection: &mut SqliteConnection,
    store_id: &str,
    rows: Vec<OrderRow>,
) -> Result<Vec<Order>, Failure> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let ids = ids_of(&rows);
    let values = [("ids", ids.into()), ("store_id", store_id.into())];
    let states: Vec<StateRow> = load(connection, &STATES, &values)?;
    with_states(connection, store_id, (rows, states))
}

/// Returns a JSON list. Ids contain no characters to escape.
fn ids_of(rows: &[OrderRow]) -> String {
    let ids = rows.iter().map(|row| row.id.as_str());
    format!("[\"{}\"]", ids.collect::<Vec<_>>().join("\",\""))
}

/// Expects a state in `states` for each of `rows`.
pub(super) fn with_states(
    connection: &mut SqliteConnection,
    store_id: &str,
    (rows, states): (Vec<OrderRow>, Vec<StateRow>),
) -> Result<Vec<Order>, Failure> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let ids = ids_of(&rows);
    let values = [("ids", ids.into()), ("store_id", store_id.into())];
    let item_rows: Vec<ItemRow> = load(connection, &ITEMS, &values)?;
    let mut items = group_by_order(item_rows);
    let (mut shipments, mut corrections) = (Documents::new(), Documents::new());
    // Most orders have none, which saves two statements.
    if states.iter().any(|state| state.shipments > 0) {
        shipments = by_order(load(connection, &SHIPMENTS, &values)?);
    }
    if states.iter().any(|state| state.corrections > 0) {
        corrections = by_order(load(connection, &CORRECTIONS, &values)?);
    }
    let mut states: HashMap<String, StateRow> = states
        .into_iter()
        .map(|state| (state.id.clone(), state))
        .collect();
    let restore = |row: OrderRow| -> Result<Order, RepositoryError> {
        let stored = StoredOrder {
            state: states
                .remove(&row.id)
                .ok_or_else(|| RepositoryError::Refused("an order without a state".into()))?,
            items: items.remove(&row.id).unwrap_or_default(),
            shipments: shipments.remove(&row.id).unwrap_or_default(),
            corrections: corrections.remove(&row.id).unwrap_or_default(),
            order: row,
        };
        stored.restore()
    };
    restore_all(rows, restore)
}

type Documents = HashMap<String, Vec<String>>;

fn by_order(rows: Vec<(String, String)>) -> Documents {
    let mut documents = Documents::new();
    for (order, document) in rows {
        documents.entry(order).or_default().push(document);
    }
    documents
}

/// Orders to page through.
#[derive(Debug, Clone, Copy)]
pub enum PageOf<'a> {
    /// All orders of the store.
    All,
    /// The orders with the `row_id`s in a JSON list.
    Rows(&'a str),
}

/// Returns the statement that reads the orders of a page, newest first, without their items.
pub(crate) fn page<'v>(
    store_id: &'v str,
    of: PageOf<'v>,
    window: &'v Window,
) -> (&'static Sql, Values<'v>) {
    let (text, rows) = match of {
        PageOf::All if window.offset > UNLIMITED_OFFSET => (&PAGE_FAR, None),
        PageOf::All => (&PAGE, None),
        PageOf::Rows(rows) => (&PAGE_OF_ROWS, Some(("rows", rows.into()))),
    };
    let mut values: Values<'v> = rows.into_iter().collect();
    values.extend([
        ("store_id", store_id.into()),
        ("from_id", (&window.from).into()),
        ("before_id", (&window.before).into()),
        ("limit", window.limit.into()),
        ("offset", window.offset.into()),
    ]);
    (text, values)
}
