//! CSV tables for spreadsheets: a header and rows of text.

use std::io;

use csv::Writer;
use pressline_backoffice::rows::{Column, marked};

/// UTF-8 byte order mark. Excel writes it at the beginning of a file, and reads a file without it in
/// the encoding of its country.
pub(crate) const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Returns `header` and `rows` as a CSV file. A cell that a spreadsheet would treat as a formula
/// gets a leading apostrophe, unless it is a number. No error is expected: the file is in memory.
///
/// Use [`for_spreadsheets`] for a file that people open.
pub fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> io::Result<Vec<u8>> {
    let mut writer = Writer::from_writer(Vec::new());
    writer.write_record(header)?;
    // Other programs read these files, too, so identifiers are written as they are.
    let column = Column::text("");
    for row in rows {
        let cells = row.iter().map(|cell| marked(cell, &column));
        writer.write_record(cells.map(|cell| cell.into_owned()))?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// Returns the CSV file `csv` with a byte order mark, so that Excel shows accents. The imports skip
/// the mark. A text for programs should have none: many take it for a part of the first column.
pub fn for_spreadsheets(csv: Vec<u8>) -> Vec<u8> {
    let mut file = BYTE_ORDER_MARK.as_bytes().to_vec();
    file.extend(csv);
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_marked_as_text_and_numbers_are_not() {
        let cells = [
            ("=1+1", "'=1+1"),
            ("+49 30", "'+49 30"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("'=1", "''=1"),
            ("-2.50", "-2.50"),
            ("00123", "00123"),
            ("a=b", "a=b"),
        ];
        for (cell, written) in cells {
            let bytes = table(&["one"], [vec![cell.to_owned()]]).unwrap();
            let text = String::from_utf8(bytes).unwrap();
            assert_eq!(text, format!("one\n{written}\n"));
        }
    }

    #[test]
    fn cells_are_quoted_where_needed() {
        let rows = [vec!["a,b".to_owned(), "say \"x\"".to_owned()]];
        let bytes = for_spreadsheets(table(&["one", "two"], rows).unwrap());
        let text = String::from_utf8(bytes).unwrap();
        assert_eq!(text, "\u{feff}one,two\n\"a,b\",\"say \"\"x\"\"\"\n");
    }
}
