//! CSV tables for spreadsheets: a header and rows of text.

use std::io;

use csv::Writer;

/// Characters in normal and full width. If a cell begins with one of them, a spreadsheet treats the
/// cell as a formula. Source: OWASP, "CSV Injection".
const FORMULA: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];

/// Returns `header` and `rows` as a CSV file. A cell that a spreadsheet would treat as a formula
/// gets a leading apostrophe, unless it is a number. No error is expected: the file is in memory.
pub fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> io::Result<Vec<u8>> {
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(header)?;
    for row in rows {
        writer.write_record(row.into_iter().map(harmless))?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

fn harmless(cell: String) -> String {
    // A spreadsheet shows a number such as `-2.50` as it is.
    let is_number = cell.parse::<f64>().is_ok_and(f64::is_finite);
    if cell.starts_with(FORMULA) && !is_number {
        format!("'{cell}")
    } else {
        cell
    }
}

/// Returns `cell` without the apostrophe that [`table`] adds to a formula.
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
