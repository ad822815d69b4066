//! Parts of the shared statements that are specific to a database.

/// Clauses appended to a `SELECT` to lock its rows until the transaction ends. Empty for a database
/// with one writer at a time.
#[derive(Debug, Clone, Copy, Default)]
pub struct RowLocks {
    /// Prevents other transactions from changing the rows.
    pub shared: &'static str,
    /// Prevents other transactions from changing or locking the rows.
    pub exclusive: &'static str,
}

/// Parts of statements that differ between the databases.
#[derive(Debug)]
pub struct Dialect {
    /// Locking clauses for selected rows.
    pub locks: RowLocks,
    /// Name of the table with the stores' event counters.
    pub counters: &'static str,
    /// Statement that inserts the rows a store needs only in this database. Its parameter is
    /// `:store_id`.
    pub begin_store: &'static str,
    /// Condition for a text column: contained in a JSON array of strings. `{}` stands for the
    /// parameter.
    pub in_texts: &'static str,
    /// Same condition as `in_texts`, for a column of integers and a JSON array of
    /// numbers.
    pub in_numbers: &'static str,
    /// Returns a table expression named `given`: the rows of the JSON array of objects in the
    /// parameter `:rows`. The argument lists the names and SQL types of the columns.
    pub rows: fn(&[(&str, &str)]) -> String,
    /// Conditions for variants on sale and for retired variants, in the form of the partial
    /// indexes of `products`.
    pub retired: [&'static str; 2],
    /// Statements that look up shipments.
    pub shipments: ShipmentTexts,
    /// Statement that returns the version of the database software, the size of the database in
    /// bytes, and the time of its own clock or NULL.
    pub facts: &'static str,
}

impl Dialect {
    /// Returns the condition with `parameter` as the array of strings.
    pub(crate) fn in_texts(&self, parameter: &str) -> String {
        self.in_texts.replace("{}", parameter)
    }

    /// Returns the condition with `parameter` as the array of numbers.
    pub(crate) fn in_numbers(&self, parameter: &str) -> String {
        self.in_numbers.replace("{}", parameter)
    }
}

/// Column that a shipment is looked up by, and the meaning of the parameter `:wanted`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShipmentKey {
    /// Id of the shipment.
    Id,
    /// Tracking number.
    TrackingNumber,
    /// Id of an order: the shipments of older orders are wanted.
    OfOrdersBefore,
}

/// Statements that look up shipments by a key. They return up to `:count` rows with store id, order
/// id, prefix and number of the order, and document of the shipment, newest order first.
#[derive(Debug)]
pub struct ShipmentTexts {
    /// Returns the statement for the stores in the JSON array `:stores`, or for all stores if it is
    /// NULL. `None` if reading store by store is faster.
    pub of_any: fn(ShipmentKey) -> Option<String>,
    /// Returns the statement for the store `:store_id`. The ids of the orders need not be below
    /// `:from_id`.
    pub of_one: fn(ShipmentKey) -> String,
}
