//! Parts of statements that differ between SQLite and PostgreSQL.

/// Clauses appended to a `SELECT` to lock its rows until the transaction ends. Empty for a database
/// with one writer at a time.
#[derive(Debug, Clone, Copy, Default)]
pub struct RowLocks {
    /// Clause that prevents other transactions from changing the rows.
    pub shared: &'static str,
    /// Clause that prevents other transactions from changing or locking the rows.
    pub exclusive: &'static str,
}

/// Parts of statements that differ between SQLite and PostgreSQL.
#[derive(Debug)]
pub struct Dialect {
    /// Clauses that lock selected rows.
    pub locks: RowLocks,
    /// Name of the table with the stores' event counters.
    pub counters: &'static str,
    /// Statement that inserts the rows that only this database needs for the store `:store_id`.
    pub begin_store: &'static str,
    /// SQL condition to append to the name of a text column: the column's value is in a JSON array
    /// of strings. `{}` stands for the parameter with the array.
    pub in_texts: &'static str,
    /// SQL condition to append to the name of an integer column: the column's value is in a JSON
    /// array of numbers. `{}` stands for the parameter with the array.
    pub in_numbers: &'static str,
    /// Function that returns a table expression with the alias `given`, with a row for each object
    /// in the JSON array `:rows`. The argument lists the names and SQL types of the columns.
    pub rows: fn(&[(&str, &str)]) -> String,
    /// SQL conditions on the table `products`: for variants on sale, then for retired variants.
    /// They repeat the conditions of the partial indexes, so that the database uses these indexes.
    pub retired: [&'static str; 2],
    /// Statements that look up shipments.
    pub shipments: ShipmentTexts,
    /// Statement that returns prefix and number of the order with the id `:id`, of the stores in
    /// the JSON array `:stores`, or of all stores if `:stores` is NULL. It looks up the primary key
    /// store by store.
    pub number_of_any: &'static str,
    /// Statement that returns one row: version of the database software, size of the database in
    /// bytes, and time in Unix milliseconds, NULL if the database uses this machine's clock.
    pub facts: &'static str,
    /// Statement that returns one row: a text that differs between this database and its copies by a
    /// restore or by the promotion of a replica; NULL if it is not known.
    pub identity: &'static str,
    /// Statement that returns the time in Unix milliseconds; `None` if the database uses this
    /// machine's clock.
    pub clock: Option<&'static str>,
}

impl Dialect {
    pub(crate) fn in_texts(&self, parameter: &str) -> String {
        self.in_texts.replace("{}", parameter)
    }

    pub(crate) fn in_numbers(&self, parameter: &str) -> String {
        self.in_numbers.replace("{}", parameter)
    }
}

/// Kind of value in the parameter `:wanted`, by which shipments are looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShipmentKey {
    /// Id of the shipment.
    Id,
    /// Tracking number of the shipment.
    TrackingNumber,
    /// Id of an order. The shipments of all orders with lower ids are looked up.
    OfOrdersBefore,
}

/// Statements that look up shipments by a key. They return up to `:count` rows with store id, order
/// id, prefix and number of the order, and document of the shipment, newest order first.
#[derive(Debug)]
pub struct ShipmentTexts {
    /// Function that returns the statement for shipments of the stores in the JSON array `:stores`,
    /// or of all stores if `:stores` is NULL. `None` if reading store by store is faster.
    pub of_any: fn(ShipmentKey) -> Option<String>,
    /// Function that returns the statement for shipments of the store `:store_id`. The statement
    /// may leave out orders with ids below `:from_id`, because the caller does not need them.
    pub of_one: fn(ShipmentKey) -> String,
}
