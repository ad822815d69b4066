//! Tables for people: a header and rows of texts, as a spreadsheet opens them.

use std::io;

use csv::Writer;

/// First characters of cells that a spreadsheet takes for formulas, in both widths. Source: OWASP, "CSV Injection".
const FORMULA: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// Converts a header and rows to the text of a CSV file. A cell that a spreadsheet would take for a
/// formula gets a leading apostrophe, except a number.
///
/// # Errors
/// None are expected, as the text is written to memory; those of the library are passed on.
pub fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> io::Result<Vec<u8>> {
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(header)?;
    for row in rows {
        writer.write_record(row.into_iter().map(harmless))?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

fn harmless(cell: String) -> String {
    let is_number = cell.parse::<f64>().is_ok_and(f64::is_finite);
    if cell.starts_with(FORMULA) && !is_number {
        format!("'{cell}")
    } else {
        cell
    }
}

/// Returns a cell without the apostrophe that [`table`] puts before a formula.
pub(crate) fn unmarked(cell: &str) -> &str {
    let formula = cell
        .strip_prefix('\'')
        .filter(|rest| rest.starts_with(FORMULA));
    formula.unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_marked_as_text_and_numbers_are_not() {
        for (cell, written) in [
            ("=1+1", "'=1+1"),
            ("+49 30", "'+49 30"),
            ("-cmd", "'-cmd"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("＝1+1", "'＝1+1"),
            ("＋1", "'＋1"),
            ("－1", "'－1"),
            ("＠SUM(A1)", "'＠SUM(A1)"),
            ("-2.50", "-2.50"),
            ("-inf", "'-inf"),
            ("a=b", "a=b"),
            ("", ""),
        ] {
            assert_eq!(harmless(cell.to_owned()), written, "{cell}");
            assert_eq!(unmarked(written), cell, "{cell}");
        }
    }

    #[test]
    fn cells_are_quoted_where_needed() {
        let rows = [vec!["a,b".to_owned(), "say \"x\"".to_owned()]];
        let bytes = table(&["one", "two"], rows).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text, "one,two\n\"a,b\",\"say \"\"x\"\"\"\n");
    }
}
