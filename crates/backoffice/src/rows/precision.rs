//! Recognises columns whose numbers a spreadsheet has cut after 15 digits.

use std::collections::{HashMap, HashSet};

use super::record::Record;
use super::row::Row;
use super::spreadsheet::{Damage, digits_beyond_precision};

/// Number of zeros after the 15th digits of a column's numbers that prove a damage. A correct
/// number ends in a zero once in 10 times, so three zeros occur once in 1,000 columns.
const PROOF: usize = 3;

/// Long numbers of a column.
#[derive(Default)]
struct LongNumbers<'a> {
    /// A number that several rows repeat, such as the id of an order of several items, counts once.
    counted: HashSet<&'a str>,
    zeros: usize,
    /// Whether a number has another digit than 0 after its 15th: the column was stored as text.
    is_whole: bool,
}

impl LongNumbers<'_> {
    fn are_cut(&self) -> bool {
        !self.is_whole && self.zeros >= PROOF
    }
}

/// Doubts the numbers of more than 15 digits in a column if all of them have only zeros after the
/// 15th digit. A spreadsheet cuts all numbers of a column, so a single number with other digits
/// shows that the column is right.
pub fn doubt_cut_numbers(records: &mut [Record]) {
    let columns = cut_columns(records);
    if columns.is_empty() {
        return;
    }
    for row in records.iter_mut().flat_map(rows_mut) {
        let cells = row.inexact_identifiers();
        let long = cells.filter(|(_, text)| digits_beyond_precision(text).is_some());
        let cut: Vec<&'static str> = long.map(|(column, _)| column).collect();
        for column in cut.into_iter().filter(|column| columns.contains(column)) {
            row.doubt(column, Damage::LostDigits);
        }
    }
}

/// Returns the names of the columns with cut numbers.
fn cut_columns(records: &[Record]) -> HashSet<&'static str> {
    let mut columns: HashMap<&'static str, LongNumbers<'_>> = HashMap::new();
    for (column, text) in records
        .iter()
        .flat_map(rows)
        .flat_map(Row::inexact_identifiers)
    {
        let Some(digits) = digits_beyond_precision(text) else {
            continue;
        };
        let numbers = columns.entry(column).or_default();
        if numbers.counted.insert(text) {
            numbers.zeros += digits.len();
            numbers.is_whole |= digits.bytes().any(|digit| digit != b'0');
        }
    }
    let cut = columns.into_iter().filter(|(_, numbers)| numbers.are_cut());
    cut.map(|(column, _)| column).collect()
}

fn rows(record: &Record) -> impl Iterator<Item = &Row> {
    std::iter::once(&record.row).chain(&record.nested)
}

fn rows_mut(record: &mut Record) -> impl Iterator<Item = &mut Row> {
    std::iter::once(&mut record.row).chain(&mut record.nested)
}
