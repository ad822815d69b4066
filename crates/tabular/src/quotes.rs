//! Checks the quotes and the number of cells of a CSV file before it is parsed. The reader of the
//! `csv` crate silently repairs wrong quotes, and a parsed row of ten million cells takes 470 MB.

use pressline_backoffice::import::catalog::{Finding, Findings};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    /// The last read byte is in an unquoted cell. Quotes in it are ordinary characters.
    Plain,
    Quoted,
    /// The last read byte is a quote in a quoted cell: it ends the cell, or begins an escaped pair.
    Closed,
    /// The last read byte is white space after the closing quote.
    After,
}

/// Checks the part of a file that begins in `line`. Returns a finding for each text after a closing quote (such as `b` in `"a"b,`), for an unclosed
/// quote, and for each row with more than `most_cells` cells.
pub(crate) fn check(bytes: &[u8], separator: u8, line: u64, most_cells: usize) -> Findings {
    let mut findings = Findings::default();
    let (mut state, mut line, mut opened, mut cell) = (State::Start, line, line, 1);
    // Line in which the row begins.
    let mut row = line;
    let mut bytes = bytes.iter().peekable();
    while let Some(byte) = bytes.next() {
        // In CR LF, only the LF counts as a line end.
        let line_end = *byte == b'\n' || (*byte == b'\r' && bytes.peek() != Some(&&b'\n'));
        state = match (state, *byte) {
            (State::Start, b'"') => {
                opened = line;
                State::Quoted
            }
            (State::Quoted, b'"') => State::Closed,
            // Within quotes, two quotes stand for a single quote.
            (State::Closed, b'"') | (State::Quoted, _) => State::Quoted,
            (_, b'\n' | b'\r') => State::Start,
            (_, byte) if byte == separator => State::Start,
            // Cells are trimmed, so white space here is harmless.
            (State::Closed | State::After, b' ' | b'\t') => State::After,
            (State::Closed | State::After, _) => {
                findings.add(after_quote(line, cell, opened));
                State::Plain
            }
            (State::Start | State::Plain, _) => State::Plain,
        };
        line += u64::from(line_end);
        if state == State::Start && *byte == separator {
            cell += 1;
        } else if state == State::Start {
            findings.extend(too_many(row, cell, most_cells));
            (cell, row) = (1, line);
        }
    }
    findings.extend(too_many(row, cell, most_cells));
    if state == State::Quoted {
        let message = format!("the quote that opens cell {cell} is never closed");
        findings.add(Finding::of_row(opened, message));
    }
    findings
}

fn too_many(row: u64, cells: usize, limit: usize) -> Option<Finding> {
    let message = || format!("{cells} cells; at most {limit} columns are read");
    (cells > limit).then(|| Finding::of_row(row, message()))
}

fn after_quote(line: u64, cell: usize, opened: u64) -> Finding {
    let from = if opened == line {
        String::new()
    } else {
        format!(", which opens in line {opened}")
    };
    let message = format!(
        "cell {cell} has text after its closing quote{from}; inside a quoted text, write a quote twice (\"\")"
    );
    Finding::of_row(line, message)
}
