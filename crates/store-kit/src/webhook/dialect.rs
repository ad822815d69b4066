//! Where the statements of webhooks differ between the databases.

/// The parts of statements in which the databases differ.
#[derive(Debug)]
pub struct WebhookDialect {
    /// The table that counts the events of stores.
    pub counters: &'static str,
    /// A condition that a column is in a parameter's JSON list of texts; `{}` stands for the parameter.
    pub in_texts: &'static str,
    /// The same for numbers.
    pub in_numbers: &'static str,
    /// Rows named `given`, of the JSON list of objects in the parameter `:rows`, with columns of these
    /// names and types.
    pub rows: fn(&[(&str, &str)]) -> String,
}

impl WebhookDialect {
    /// Returns the condition that a column is in the JSON list of texts of a parameter.
    pub(super) fn in_texts(&self, parameter: &str) -> String {
        self.in_texts.replace("{}", parameter)
    }

    /// Returns the condition that a column is in the JSON list of numbers of a parameter.
    pub(super) fn in_numbers(&self, parameter: &str) -> String {
        self.in_numbers.replace("{}", parameter)
    }
}
