//! Row of an import: cells by column, with their findings.

use std::collections::HashSet;
use std::str::FromStr;

use super::cell::{Cell, Doubts};
use super::finding::Finding;
use super::layout::{LIST_SEPARATOR, Layout, Value};
use super::spreadsheet::Damage;
use pressline_domain::check::checked::Invalid;
use pressline_domain::check::{Field, limits};
use pressline_domain::value::{Amount, Currency, MoneyError};
use pressline_kit::text::{control_character, excerpt};

/// Function that returns the name of `column` in the source. `nested` is `true` if the column
/// belongs to a part of an entry.
pub type ColumnName = fn(layout: &Layout, nested: bool, column: &str) -> String;

/// Cells of an entry of an import, or of a part of an entry, such as a print area.
#[derive(Debug)]
pub struct Row {
    pub(crate) line: u64,
    layout: &'static Layout,
    nested: bool,
    name_of: ColumnName,
    cells: Vec<Cell>,
    doubts: Doubts,
    findings: Vec<Finding>,
}

impl Row {
    /// Creates a row of an entry or, if `nested` is `true`, of a part of an entry. `cells` are in
    /// the order of the columns of `layout`. `name_of` returns the column names for findings.
    pub fn new(
        line: u64,
        layout: &'static Layout,
        nested: bool,
        name_of: ColumnName,
        cells: Vec<Cell>,
    ) -> Self {
        Self {
            line,
            layout,
            nested,
            name_of,
            doubts: Doubts::new(layout.columns(nested), &cells),
            cells,
            findings: Vec::new(),
        }
    }

    /// Returns the cells of identifiers that a spreadsheet may have changed, by column name.
    pub(crate) fn inexact_identifiers(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let columns = self.layout.columns(self.nested).iter().zip(&self.cells);
        columns.filter_map(|(column, cell)| {
            let (text, _) = cell.inexact_identifier(column)?;
            Some((column.name, text))
        })
    }

    /// Notes that a spreadsheet has probably changed the cell.
    pub(crate) fn doubt(&mut self, column: &'static str, damage: Damage) {
        self.doubts.add(column, damage);
    }

    /// Returns the text of the cell if a spreadsheet has probably changed it.
    pub(crate) fn doubted_text(&self, column: &str) -> Option<&str> {
        match self.value(column) {
            Value::Text(text) if self.doubts.has(column) => Some(text.trim()),
            _ => None,
        }
    }

    /// Accepts the cell as it is. Use this if something is known to have the cell's text as its
    /// name, or if the cell is not read.
    pub(crate) fn confirm(&mut self, column: &str) {
        self.doubts.remove(column);
    }

    /// Returns a finding for each cell that a spreadsheet has probably changed.
    pub(crate) fn damages(&self) -> Vec<Finding> {
        let damages = self.doubts.iter().map(|(column, damage)| {
            let text = self.doubted_text(column).unwrap_or_default();
            self.finding(column, damage.message(text))
        });
        damages.collect()
    }

    fn cell(&self, column: &str) -> Option<&Cell> {
        let columns = self.layout.columns(self.nested);
        let at = columns.iter().position(|known| known.name == column)?;
        self.cells.get(at)
    }

    fn value(&self, column: &str) -> &Value {
        self.cell(column).map_or(&Value::Absent, |cell| &cell.value)
    }

    pub(crate) fn blank(&self, columns: &[&str]) -> bool {
        columns.iter().all(|column| self.value(column).is_blank())
    }

    pub(crate) fn given(&self, column: &str) -> Field<String> {
        match self.value(column) {
            Value::Text(text) => Field::Value(text.clone()),
            _ => Field::Absent,
        }
    }

    /// Returns the entries of the cell, trimmed and without blank entries, but not checked.
    pub(crate) fn texts(&self, column: &str) -> Vec<String> {
        let raw_parts: Vec<&str> = match self.value(column) {
            Value::Text(text) => text.split(LIST_SEPARATOR).collect(),
            Value::List(list) => list.iter().map(String::as_str).collect(),
            _ => Vec::new(),
        };
        let parts = raw_parts
            .into_iter()
            .map(str::trim)
            .filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    }

    pub(crate) fn problem(&mut self, column: &str, message: impl Into<String>) {
        // What a changed value breaks as well would only hide the cause.
        if !self.doubts.has(column) {
            let finding = self.finding(column, message.into());
            self.findings.push(finding);
        }
    }

    fn finding(&self, column: &str, message: String) -> Finding {
        // In JSON, the cells of an entry can be in different lines.
        let line = self.cell(column).map_or(self.line, |cell| cell.line);
        Finding {
            line,
            column: (self.name_of)(self.layout, self.nested, column),
            message,
        }
    }

    /// Returns the value. On error, adds findings like [`broken`](Self::broken) and returns `None`.
    pub(crate) fn made<T, B: ToString>(
        &mut self,
        made: Result<T, Invalid<B>>,
        column_of: impl Fn(&B) -> &'static str,
    ) -> Option<T> {
        let made = made.map_err(|invalid| self.broken(invalid.0, column_of));
        made.ok()
    }

    /// Adds a finding for each broken rule, in its column by `column_of`. Skips columns with a
    /// finding: the default value of an unreadable cell may break rules as well.
    pub(crate) fn broken<B: ToString>(
        &mut self,
        rules: impl IntoIterator<Item = B>,
        column_of: impl Fn(&B) -> &'static str,
    ) {
        let before = self.findings.len();
        for rule in rules {
            let column = column_of(&rule);
            let name = (self.name_of)(self.layout, self.nested, column);
            let mut earlier = self.findings.iter().take(before);
            if earlier.all(|finding| finding.column != name) {
                self.problem(column, rule.to_string());
            }
        }
    }

    pub(crate) fn is_wrong(&self) -> bool {
        !self.findings.is_empty() || !self.doubts.is_empty()
    }

    /// Returns the findings, first about the cells that a spreadsheet has changed.
    pub(crate) fn into_findings(self) -> Vec<Finding> {
        let mut findings = self.damages();
        findings.extend(self.findings);
        findings
    }

    /// Returns the text of the cell, trimmed, or its number as written if `numbers` is `true`.
    /// Returns an empty string for a blank cell and, with a finding, for any other value.
    pub(super) fn plain(&mut self, column: &str, numbers: bool) -> String {
        let expected = if numbers { "a number or text" } else { "text" };
        let wrong = match self.value(column) {
            Value::Absent => return String::new(),
            Value::Text(text) => return text.trim().to_owned(),
            Value::Number(number) if numbers => return number.clone(),
            Value::Number(_) => "a number",
            Value::List(_) => "a list",
            Value::Pairs(_) => "an object",
            Value::Wrong(what) => what,
        };
        self.problem(column, format!("{expected} belongs here, not {wrong}"));
        String::new()
    }

    /// Adds a finding if `text` is too long or contains a control character. Returns `false` only
    /// if `text` is too long: the caller must not use it then.
    fn check_text(&mut self, column: &str, text: &str) -> bool {
        if text.chars().count() > limits::TEXT {
            self.problem(column, format!("at most {} characters", limits::TEXT));
            return false;
        }
        if let Some(control) = control_character(text) {
            let escape = control.escape_unicode();
            let message = format!("contains the control character {escape}; remove it");
            self.problem(column, message);
        }
        true
    }

    /// Returns the trimmed text, or an empty string if the cell is blank, too long or not a text.
    pub(crate) fn text(&mut self, column: &str) -> String {
        let text = self.plain(column, false);
        match self.check_text(column, &text) {
            true => text,
            false => String::new(),
        }
    }

    /// Adds a finding with `hint`, the description of the expected value, if the cell is blank.
    pub(crate) fn required(&mut self, column: &str, hint: &str) -> String {
        let findings_before = self.findings.len();
        let text = self.text(column);
        if text.is_empty() && self.findings.len() == findings_before {
            let separator = if hint.is_empty() { "" } else { ": " };
            self.problem(column, format!("required{separator}{hint}"));
        }
        text
    }

    /// Returns `None` if the cell is blank or, with a finding, if the cell is invalid.
    pub(crate) fn parsed<T: FromStr<Err: std::fmt::Display>>(&mut self, column: &str) -> Option<T> {
        let text = self.text(column);
        match text.parse() {
            _ if text.is_empty() => None,
            Ok(parsed) => Some(parsed),
            Err(error) => {
                self.problem(column, format!("`{text}`: {error}"));
                None
            }
        }
    }

    /// Returns `default` if the cell is blank or, with a finding, if the cell is invalid.
    pub(crate) fn currency(&mut self, column: &str, default: Currency) -> Currency {
        let text = self.text(column);
        if text.is_empty() {
            return default;
        }
        text.parse().unwrap_or_else(|error: MoneyError| {
            self.problem(column, error.to_string());
            default
        })
    }

    /// Parses an amount in major units. `None` if the cell is blank or, with a finding, invalid.
    pub(crate) fn amount(&mut self, column: &str, currency: Currency) -> Option<Amount> {
        let text = self.plain(column, true);
        if text.is_empty() {
            return None;
        }
        let read = Amount::parse_price(&text, currency)
            .map_err(|error| self.problem(column, error.to_string()));
        read.ok()
    }

    /// Returns zero, with a finding, if the cell is blank or invalid.
    pub(crate) fn required_amount(&mut self, column: &str, currency: Currency) -> Amount {
        let findings_before = self.findings.len();
        let amount = self.amount(column, currency);
        if amount.is_none() && self.findings.len() == findings_before {
            let has_decimals = currency.exponent() > 0;
            let example = if has_decimals { "12.50" } else { "1250" };
            self.problem(column, format!("required: an amount such as {example}"));
        }
        amount.unwrap_or_default()
    }

    /// Returns the entries of a list, or of a string separated by `|`, without blank entries.
    fn entries(&mut self, column: &str) -> Vec<String> {
        if !matches!(self.value(column), Value::List(_)) {
            // Adds a finding if the cell is neither a list nor a string.
            self.plain(column, false);
        }
        self.texts(column)
    }

    /// Adds a finding for a repeated entry, and leaves it out.
    pub(crate) fn list(&mut self, column: &str) -> Vec<String> {
        let mut seen = HashSet::new();
        let mut list: Vec<String> = Vec::new();
        for entry in self.entries(column) {
            if !self.check_entry(column, &entry) {
                continue;
            }
            if seen.insert(entry.clone()) {
                list.push(entry);
            } else {
                self.problem(column, format!("`{entry}` is listed twice"));
            }
        }
        list
    }

    /// Returns the pairs of an object, or of a string such as `size=M|colour=black`. Adds a finding
    /// for a repeated key, and for an entry that does not have the form `example`.
    pub(crate) fn pairs(&mut self, column: &str, example: &str) -> Vec<(String, String)> {
        let by = self.layout.pair_separator;
        let from_object = match self.cell(column).map(|cell| &cell.value) {
            Some(Value::Pairs(pairs)) => Some(pairs.clone()),
            _ => None,
        };
        let entries = from_object.unwrap_or_else(|| {
            let mut pairs = Vec::new();
            for entry in self.entries(column) {
                match entry.split_once(by) {
                    Some((key, value)) => pairs.push((key.to_owned(), value.to_owned())),
                    None => {
                        let entry = excerpt(&entry);
                        self.problem(column, format!("`{entry}` is not of the form {example}"));
                    }
                }
            }
            pairs
        });
        let mut seen = HashSet::new();
        let mut pairs: Vec<(String, String)> = Vec::new();
        for (key, value) in entries {
            let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
            let is_read = [&key, &value].map(|entry| self.check_entry(column, entry));
            if is_read != [true, true] {
                continue;
            }
            // A key with the separator could not be read back from a flat row.
            if key.is_empty() || value.is_empty() || key.contains(by) {
                let message = format!("`{key}{by}{value}` is not of the form {example}");
                self.problem(column, message);
            } else if seen.insert(key.clone()) {
                pairs.push((key, value));
            } else {
                self.problem(column, format!("`{key}` is listed twice"));
            }
        }
        pairs
    }

    /// Also adds a finding for the list separator, which would split `entry` in a CSV row.
    fn check_entry(&mut self, column: &str, entry: &str) -> bool {
        if !self.check_text(column, entry) {
            return false;
        }
        if entry.contains(LIST_SEPARATOR) {
            let message = format!("`{entry}` contains `{LIST_SEPARATOR}`, which separates entries");
            self.problem(column, message);
        }
        true
    }
}
