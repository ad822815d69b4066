//! Pages of a store's orders, as whole orders or as references.

use std::collections::HashMap;
use std::sync::LazyLock;

use diesel::connection::DefaultLoadingMode;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};
use diesel::sqlite::{Sqlite, SqliteConnection};
use pressline_domain::error::RepositoryError;
use pressline_domain::order::Order;
use pressline_domain::order::search::{Batch, OrderReference};
use pressline_store_kit::schema::{line_items, order_states, orders};
use pressline_store_kit::{
    ItemRow, OrderRow, SqlText, StateRow, StoredOrder, Window, group_by_order, order_reference,
    restore_all, statement, text_list,
};

use crate::error::Failure;

/// Maximum offset of an order page to read without a time limit: skipping 10,000 orders reads
/// only a few hundred database pages.
const NEAR: i64 = 10_000;

/// Sorted as in `ids`: as many orders as fit into `bytes` bytes, but at least the first.
pub(super) fn with_ids(
    connection: &mut SqliteConnection,
    store_id: &str,
    ids: &[String],
    bytes: u64,
) -> Result<Vec<Order>, Failure> {
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let ids = &text_list(&ids)?;
    let mut batch = Batch::new(bytes);
    let mut whole = Vec::new();
    let statement = SelectByIds { store_id, ids };
    for row in statement.load_iter::<OrderRow, DefaultLoadingMode>(connection)? {
        let row = row?;
        if !batch.takes(size(&row)) {
            break;
        }
        whole.push(row);
    }
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
        let found = self.whole.len() + self.rest.len();
        self.size.saturating_sub(found).saturating_add(1)
    }

    /// Reads until the page is full. `part` begins after the last order already on the page.
    pub(super) fn read(
        &mut self,
        connection: &mut SqliteConnection,
        store_id: &str,
        of: PageOf<'_>,
        part: &Window,
    ) -> Result<(), Failure> {
        let select = SelectPage::new(store_id, of, part);
        for row in select.load_iter::<OrderRow, DefaultLoadingMode>(connection)? {
            let row = row?;
            // If the page is full, this row is the order after it.
            self.more = self.missing() == 1;
            if self.more {
                break;
            }
            if self.batch.takes(size(&row)) {
                self.whole.push(row);
            } else {
                self.rest
                    .push(order_reference(store_id, &row.id, row.size)?);
            }
        }
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
    let ids = &ids_of(&rows);
    let states: Vec<StateRow> = SelectStates { store_id, ids }.load(connection)?;
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
    let ids = &ids_of(&rows);
    let items: Vec<ItemRow> = SelectItems { store_id, ids }.load(connection)?;
    let mut items = group_by_order(items);
    let (mut shipments, mut corrections) = (Documents::new(), Documents::new());
    // Most orders have none, which saves two statements.
    if states.iter().any(|state| state.shipments > 0) {
        let found: Vec<_> = SelectShipments { store_id, ids }.load(connection)?;
        shipments = by_order(found);
    }
    if states.iter().any(|state| state.corrections > 0) {
        let found: Vec<_> = SelectCorrections { store_id, ids }.load(connection)?;
        corrections = by_order(found);
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

const ALL: &str = "orders WHERE {window}";
const FAR: &str = "orders WHERE within_time() AND {window}";
const ROWS: &str = "(SELECT value FROM json_each(:rows)) AS hits \
                    CROSS JOIN orders ON row_id = hits.value WHERE {window}";

static TEXTS: LazyLock<[(&str, SqlText); 3]> = LazyLock::new(|| {
    [ALL, FAR, ROWS].map(|source| {
        let window = include_str!("sql/window.sql");
        let parts = [("source", source), ("window", window)];
        (source, SqlText::new(include_str!("sql/page.sql"), &parts))
    })
});

statement! {
    /// Reads the orders of a page, newest first, without their items.
    pub(crate) struct SelectPage<'a> for Sqlite, returns orders::SqlType,
    chosen by source: &'static str, texts TEXTS,
    {
        store_id: &'a str = Text,
        rows: &'a str = Text,
        from_id: &'a str = Text,
        before_id: &'a str = Text,
        limit: i64 = BigInt,
        offset: i64 = BigInt,
    }
}

impl<'a> SelectPage<'a> {
    pub(crate) fn new(store_id: &'a str, of: PageOf<'a>, window: &'a Window) -> Self {
        let (source, rows) = match of {
            PageOf::All if window.offset > NEAR => (FAR, ""),
            PageOf::All => (ALL, ""),
            PageOf::Rows(rows) => (ROWS, rows),
        };
        Self {
            source,
            store_id,
            rows,
            from_id: &window.from,
            before_id: &window.before,
            limit: window.limit,
            offset: window.offset,
        }
    }
}

/// Defines statements that read rows of the orders `ids`, a JSON list.
macro_rules! select_by_ids {
    ($($name:ident = $row:ty, $file:literal;)+) => {
        $(
            statement! {
                struct $name<'a> for Sqlite, returns $row,
                text SqlText::new(include_str!($file), &[]),
                {
                    store_id: &'a str = Text,
                    ids: &'a str = Text,
                }
            }
        )+
    };
}

select_by_ids! {
    // Without their items, sorted as in `ids`.
    SelectByIds = orders::SqlType, "sql/by_ids.sql";
    SelectItems = line_items::SqlType, "sql/items.sql";
    SelectStates = order_states::SqlType, "sql/states.sql";
    SelectShipments = (Text, Text), "sql/shipments.sql";
    SelectCorrections = (Text, Text), "sql/corrections.sql";
}
