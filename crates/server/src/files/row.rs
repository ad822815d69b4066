//! A row of a file: its cells by their columns, and the problems found with them.

use std::collections::HashSet;
use std::str::FromStr;

use pressline_domain::limits;
use pressline_domain::money::{Amount, Currency, MAX_MINOR_UNITS};
use pressline_kit::nearest::nearest;
use pressline_kit::text::control_character;

use super::table::Value;
use super::{Columns, Format, Problem, Shape, did_you_mean};

/// The highest price and fee in minor units, so that the largest order still has an exact total.
///
/// 100 items of 1000 units each leave 2^53 / 10^5 for a unit; a tenth of it leaves room for further
/// fees.
const MAX_AMOUNT: i64 = MAX_MINOR_UNITS / 1_000_000;
/// What parts the entries of a cell.
pub(super) const SEPARATOR: char = '|';

/// A cell, and the line where it stands.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) value: Value,
    pub(super) line: u64,
}

/// A row.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) line: u64,
    format: Format,
    shape: &'static Shape,
    /// What stands before a key in problems: where the row is one of a list in JSON, the list's.
    prefix: Option<&'static str>,
    columns: Columns,
    cells: Vec<Cell>,
    problems: Vec<Problem>,
}

impl Row {
    /// A row of an entry's own columns, or of the nested ones; the cells stand as the columns do.
    pub(super) fn new(
        line: u64,
        format: Format,
        shape: &'static Shape,
        nested: bool,
        cells: Vec<Cell>,
    ) -> Self {
        let inner = shape.nested.as_ref().filter(|_| nested);
        let columns = inner.map_or(shape.columns, |inner| inner.columns);
        let prefix = inner
            .filter(|_| format == Format::Json)
            .map(|inner| inner.key);
        Self {
            line,
            format,
            shape,
            prefix,
            columns,
            cells,
            problems: Vec::new(),
        }
    }

    fn cell(&self, column: &str) -> Option<&Cell> {
        let at = self.columns.iter().position(|(csv, _)| *csv == column)?;
        self.cells.get(at)
    }

    /// True where none of these columns has anything.
    pub(super) fn blank(&self, columns: &[&str]) -> bool {
        let blank = |value: &Value| match value {
            Value::Absent => true,
            Value::Text(text) => text.trim().is_empty(),
            Value::List(list) => list.is_empty(),
            _ => false,
        };
        columns
            .iter()
            .all(|column| self.cell(column).is_none_or(|cell| blank(&cell.value)))
    }

    /// The texts of a cell, whatever they mean.
    pub(super) fn texts(&self, column: &str) -> Vec<String> {
        let parts = match self.cell(column).map(|cell| &cell.value) {
            Some(Value::Text(text)) => text
                .split(SEPARATOR)
                .map(|part| part.trim().to_owned())
                .collect(),
            Some(Value::List(list)) => list.iter().map(|part| part.trim().to_owned()).collect(),
            _ => Vec::new(),
        };
        parts.into_iter().filter(|part| !part.is_empty()).collect()
    }

    /// Notes a problem with a column, named as the file does.
    pub(super) fn problem(&mut self, column: &str, message: impl Into<String>) {
        let line = self.cell(column).map_or(self.line, |cell| cell.line);
        let names = self.columns.iter().find(|(csv, _)| *csv == column);
        let name = match (self.format, names) {
            (Format::Json, Some((_, json))) => json,
            _ => column,
        };
        let column = self
            .prefix
            .map_or_else(|| name.to_owned(), |prefix| format!("{prefix}.{name}"));
        self.problems.push(Problem {
            line,
            column,
            message: message.into(),
        });
    }

    /// Whether something was found wrong.
    pub(super) fn is_wrong(&self) -> bool {
        !self.problems.is_empty()
    }

    pub(super) fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    /// A text, or a number as it is written, without white space around it; empty where there is
    /// none.
    fn plain(&mut self, column: &str, numbers: bool) -> String {
        let expected = if numbers { "a number or text" } else { "text" };
        let wrong = match self.cell(column).map(|cell| &cell.value) {
            None | Some(Value::Absent) => return String::new(),
            Some(Value::Text(text)) => return text.trim().to_owned(),
            Some(Value::Number(number)) if numbers => return number.clone(),
            Some(Value::Number(_)) => "a number",
            Some(Value::List(_)) => "a list",
            Some(Value::Pairs(_)) => "an object",
            Some(Value::Wrong(what)) => what,
        };
        self.problem(column, format!("{expected} belongs here, not {wrong}"));
        String::new()
    }

    fn check_text(&mut self, column: &str, text: &str) {
        if text.chars().count() > limits::TEXT {
            self.problem(column, format!("at most {} characters", limits::TEXT));
        }
        if let Some(control) = control_character(text) {
            let escape = control.escape_unicode();
            self.problem(
                column,
                format!("contains the control character {escape}; remove it"),
            );
        }
    }

    /// A text; empty where there is none.
    pub(super) fn text(&mut self, column: &str) -> String {
        let text = self.plain(column, false);
        self.check_text(column, &text);
        text
    }

    /// A text that must be there; `hint` says what.
    pub(super) fn required(&mut self, column: &str, hint: &str) -> String {
        let found = self.problems.len();
        let text = self.text(column);
        if text.is_empty() && self.problems.len() == found {
            let hint = if hint.is_empty() {
                String::new()
            } else {
                format!(": {hint}")
            };
            self.problem(column, format!("required{hint}"));
        }
        text
    }

    /// What a text stands for; nothing where it is absent or wrong.
    pub(super) fn parsed<T: FromStr<Err: std::fmt::Display>>(&mut self, column: &str) -> Option<T> {
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

    /// A currency, the given one where the cell is empty.
    pub(super) fn currency(&mut self, column: &str, default: Currency) -> Currency {
        let text = self.text(column);
        if text.is_empty() {
            return default;
        }
        text.parse()
            .unwrap_or_else(|error: pressline_domain::money::MoneyError| {
                self.problem(column, error.to_string());
                default
            })
    }

    /// An amount in major units; `None` where there is none, or a wrong one.
    pub(super) fn amount(&mut self, column: &str, currency: Currency) -> Option<Amount> {
        let text = self.plain(column, true);
        if text.is_empty() {
            return None;
        }
        let read = amount(&text, currency);
        read.map_err(|problem| self.problem(column, problem)).ok()
    }

    /// An amount that must be there; zero where it isn't.
    pub(super) fn required_amount(&mut self, column: &str, currency: Currency) -> Amount {
        let found = self.problems.len();
        let amount = self.amount(column, currency);
        if amount.is_none() && self.problems.len() == found {
            let example = if currency.exponent() == 0 {
                "1250"
            } else {
                "12.50"
            };
            self.problem(column, format!("required: an amount such as {example}"));
        }
        amount.unwrap_or_default()
    }

    /// A whole number up to `most`; 0 where there is none.
    pub(super) fn whole(&mut self, column: &str, what: &str, most: u32) -> u32 {
        let text = self.plain(column, true);
        match text.parse() {
            _ if text.is_empty() => 0,
            Ok(number) if number <= most => number,
            Ok(_) => {
                self.problem(column, format!("more than {most} {what}"));
                0
            }
            Err(_) => {
                self.problem(column, format!("`{text}` is not a whole number of {what}"));
                0
            }
        }
    }

    /// One of some names; nothing where the cell is empty or holds another.
    pub(super) fn one_of<T: Copy>(
        &mut self,
        column: &str,
        names: &[(&'static str, T)],
    ) -> Option<T> {
        let text = self.text(column);
        let found = names
            .iter()
            .find(|(name, _)| *name == text)
            .map(|(_, meant)| *meant);
        if found.is_none() && !text.is_empty() {
            let all: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            let near = did_you_mean(&nearest(&text, all.iter().copied(), 1));
            self.problem(
                column,
                format!("`{text}` is none of {}{near}", all.join(", ")),
            );
        }
        found
    }

    /// The entries of a cell: of a JSON list, or separated by `|`. Blank ones are left out.
    fn entries(&mut self, column: &str) -> Vec<String> {
        let from_list = match self.cell(column).map(|cell| &cell.value) {
            Some(Value::List(list)) => Some(list.clone()),
            _ => None,
        };
        let entries = from_list.unwrap_or_else(|| {
            let text = self.plain(column, false);
            text.split(SEPARATOR).map(str::to_owned).collect()
        });
        let trimmed = entries.iter().map(|entry| entry.trim().to_owned());
        trimmed.filter(|entry| !entry.is_empty()).collect()
    }

    /// The entries of a list, each once.
    pub(super) fn list(&mut self, column: &str) -> Vec<String> {
        let mut seen = HashSet::new();
        let mut list: Vec<String> = Vec::new();
        for entry in self.entries(column) {
            self.check_entry(column, &entry);
            if seen.insert(entry.clone()) {
                list.push(entry);
            } else {
                self.problem(column, format!("`{entry}` stands twice"));
            }
        }
        list
    }

    /// The pairs of a cell, each key once: a JSON object, or separated as in `size=M|colour=black`.
    pub(super) fn pairs(&mut self, column: &str, example: &str) -> Vec<(String, String)> {
        let by = self.shape.pairs_by;
        let from_object = match self.cell(column).map(|cell| &cell.value) {
            Some(Value::Pairs(pairs)) => Some(pairs.clone()),
            _ => None,
        };
        let found = from_object.unwrap_or_else(|| {
            let mut pairs = Vec::new();
            for entry in self.entries(column) {
                match entry.split_once(by) {
                    Some((key, value)) => pairs.push((key.to_owned(), value.to_owned())),
                    None => self.problem(column, format!("`{entry}` is not of the form {example}")),
                }
            }
            pairs
        });
        let mut seen = HashSet::new();
        let mut pairs: Vec<(String, String)> = Vec::new();
        for (key, value) in found {
            let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
            self.check_entry(column, &key);
            self.check_entry(column, &value);
            if key.is_empty() || value.is_empty() || key.contains(by) {
                self.problem(
                    column,
                    format!("`{key}{by}{value}` is not of the form {example}"),
                );
            } else if seen.insert(key.clone()) {
                pairs.push((key, value));
            } else {
                self.problem(column, format!("`{key}` stands twice"));
            }
        }
        pairs
    }

    /// An entry could not be told from two in CSV, did it hold what parts them.
    fn check_entry(&mut self, column: &str, entry: &str) {
        self.check_text(column, entry);
        if entry.contains(SEPARATOR) {
            self.problem(
                column,
                format!("`{entry}` holds `{SEPARATOR}`, which parts entries in CSV"),
            );
        }
    }
}

/// Reads an amount in major units, or says what is wrong with it.
pub(super) fn amount(text: &str, currency: Currency) -> Result<Amount, String> {
    match Amount::parse(text, currency) {
        Ok(amount) if amount.minor_units() <= MAX_AMOUNT => Ok(amount),
        Ok(_) => {
            let most = Amount::from_minor(MAX_AMOUNT).map(|most| most.to_decimal(currency));
            Err(format!("more than {} {currency}", most.unwrap_or_default()))
        }
        Err(error) => Err(error.to_string()),
    }
}

/// An amount with all the decimals of its currency: `2.50`.
pub(super) fn decimal(amount: Amount, currency: Currency) -> String {
    let text = amount.to_decimal(currency);
    let places = usize::try_from(currency.exponent()).unwrap_or(0);
    if places == 0 {
        return text;
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    format!("{whole}.{fraction:0<places$}")
}
