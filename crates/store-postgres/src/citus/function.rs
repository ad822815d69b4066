//! Texts and names of the functions that write the orders of one store.

use pressline_store_kit::{Sql, text_hash};

/// A function on every node, with the statement that calls it. Both files use the plain name; in
/// the database, the name ends with a hash of the definition. Servers of two versions therefore
/// work with the same database, each with its own functions.
pub(crate) struct Function {
    plain_name: &'static str,
    definition: &'static str,
    call: &'static str,
}

/// Adds new orders.
pub(crate) const PLACE_ORDERS: Function = Function {
    plain_name: "place_orders",
    definition: include_str!("sql/place_orders.sql"),
    call: include_str!("sql/place_orders_call.sql"),
};

/// Changes orders.
pub(crate) const CHANGE_ORDERS: Function = Function {
    plain_name: "change_orders",
    definition: include_str!("sql/change_orders.sql"),
    call: include_str!("sql/change_orders_call.sql"),
};

pub(super) const ALL: [&Function; 2] = [&PLACE_ORDERS, &CHANGE_ORDERS];

impl Function {
    /// Returns the name in the database.
    pub(super) fn name(&self) -> String {
        // With the whole hash, PostgreSQL would shorten the name.
        let hash: String = text_hash(self.definition).chars().take(16).collect();
        format!("{}_{hash}", self.plain_name)
    }

    /// Returns the statement that creates the function.
    pub(super) fn definition(&self) -> String {
        self.with_name(self.definition)
    }

    /// Returns the statement that calls the function.
    pub(crate) fn call(&self) -> Sql {
        Sql::from(self.with_name(self.call))
    }

    fn with_name(&self, text: &str) -> String {
        let plain = format!("{}(", self.plain_name);
        text.replace(&plain, &format!("{}(", self.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definition_and_call_use_the_name_in_the_database() {
        for function in ALL {
            let named = format!("{}(", function.name());
            assert_eq!(function.definition().matches(&named).count(), 1);
            assert_eq!(function.with_name(function.call).matches(&named).count(), 1);
            assert!(
                function.name().len() < 64,
                "PostgreSQL shortens longer names"
            );
        }
    }
}
