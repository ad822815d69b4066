//! Separator of a CSV file's cells.

use pressline_backoffice::import::catalog::Layout;

/// Excel writes commas, semicolons or tabs, depending on the regional settings and the file type.
const SEPARATORS: [u8; 3] = [b'\t', b';', b','];

/// Bytes of the header line to examine. The rest of the line is ignored.
const HEADER: usize = 64 * 1024;

/// Returns the offset of the first row, and the separator of the cells.
///
/// A first line `sep=;` tells Excel the separator, and is skipped. Another separator is used only
/// if it gives more known columns: a spreadsheet may have written the file again.
pub(crate) fn first_row_and_separator(
    bytes: &[u8],
    layout: &Layout,
    most_columns: usize,
) -> (usize, u8) {
    let (line, end) = first_line(bytes);
    let declared_separator = named_separator(line);
    let start = declared_separator.map_or(0, |_| end);
    let rest = bytes.get(start..).unwrap_or_default();
    let header = String::from_utf8_lossy(header(rest)).into_owned();
    let is_known = |cell: &&str| {
        let mut columns = layout.flat_names().chain(layout.ignored.iter().copied());
        columns.any(|column| column.eq_ignore_ascii_case(cell))
    };
    let columns = |separator: &u8| {
        let cells = header
            .split(char::from(*separator))
            .take(most_columns)
            .map(|cell| cell.trim_matches([' ', '"']));
        let known = cells.clone().filter(is_known).count();
        (known, declared_separator == Some(*separator), cells.count())
    };
    // Commas win a tie: `max_by_key` returns the last maximum.
    let candidates = declared_separator.into_iter().chain(SEPARATORS);
    (start, candidates.max_by_key(columns).unwrap_or(b','))
}

/// Returns the first line with any text, and the offset of its end.
fn first_line(bytes: &[u8]) -> (&[u8], usize) {
    let is_line_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
    let start = bytes.iter().position(|byte| !is_line_end(byte));
    let rest = start
        .and_then(|start| bytes.get(start..))
        .unwrap_or_default();
    let length = rest.iter().position(is_line_end).unwrap_or(rest.len());
    let line = rest.get(..length).unwrap_or_default();
    (line, start.unwrap_or(bytes.len()) + length)
}

/// Returns the first line that has more than separators, up to [`HEADER`] bytes.
fn header(mut bytes: &[u8]) -> &[u8] {
    loop {
        let (line, end) = first_line(bytes);
        let is_blank = |byte: &u8| SEPARATORS.contains(byte) || matches!(byte, b' ' | b'"');
        if line.is_empty() || !line.iter().all(is_blank) {
            return line.get(..line.len().min(HEADER)).unwrap_or_default();
        }
        bytes = bytes.get(end..).unwrap_or_default();
    }
}

/// Returns the separator in a line such as `sep=;`. A spreadsheet that does not know such lines
/// writes it with quotes, or with separators for the other columns.
fn named_separator(line: &[u8]) -> Option<u8> {
    let line = line.strip_prefix(b"\"").unwrap_or(line);
    let (word, after_word) = line.split_at_checked(4)?;
    let (separator, after_separator) = after_word.split_first()?;
    let rest = after_separator
        .strip_prefix(b"\"")
        .unwrap_or(after_separator);
    let is_named = word.eq_ignore_ascii_case(b"sep=") && separator.is_ascii() && *separator != b'"';
    let is_end = |byte: &u8| SEPARATORS.contains(byte) || *byte == b' ';
    (is_named && rest.iter().all(is_end)).then_some(*separator)
}
