//! Encodings of files: UTF-8, and UTF-16 as Excel's "Unicode Text" has it.

use std::borrow::Cow;

use pressline_backoffice::import::catalog::Finding;

use super::table::BYTE_ORDER_MARK;

/// First bytes of workbooks: ZIP files (.xlsx, .ods, .numbers), and .xls.
const WORKBOOKS: [&[u8]; 2] = [b"PK\x03\x04", b"\xd0\xcf\x11\xe0"];

/// Byte order of a UTF-16 file.
#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
}

/// Returns `bytes` in UTF-8, without a byte order mark. Bytes that are neither UTF-8 nor UTF-16 are
/// returned unchanged: the reader reports the rows that have them.
pub(crate) fn utf8(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Finding> {
    if WORKBOOKS.iter().any(|start| bytes.starts_with(start)) {
        let message = "a workbook, not a CSV file; save the sheet as CSV UTF-8";
        return Err(Finding::of_row(1, message));
    }
    let Some(order) = utf16_order(bytes) else {
        let mut rest = bytes;
        // Some programs add a mark to a file that already has one.
        while let Some(further) = rest.strip_prefix(BYTE_ORDER_MARK.as_bytes()) {
            rest = further;
        }
        return Ok(Cow::Borrowed(rest));
    };
    let (pairs, []) = bytes.as_chunks::<2>() else {
        return Err(not_utf16());
    };
    let units = pairs.iter().map(|unit| match order {
        Order::Little => u16::from_le_bytes(*unit),
        Order::Big => u16::from_be_bytes(*unit),
    });
    let decoded: Result<String, _> = char::decode_utf16(units).collect();
    let text = decoded
        .map_err(|_| not_utf16())?
        .trim_start_matches(BYTE_ORDER_MARK)
        .to_owned();
    Ok(Cow::Owned(text.into_bytes()))
}

/// A header begins with a letter, a quote or a separator: in UTF-16, one of its bytes is 0.
fn utf16_order(bytes: &[u8]) -> Option<Order> {
    match bytes {
        [0xff, 0xfe, ..] | [1..=0x7f, 0, ..] => Some(Order::Little),
        [0xfe, 0xff, ..] | [0, 1..=0x7f, ..] => Some(Order::Big),
        _ => None,
    }
}

fn not_utf16() -> Finding {
    let message = format!("begins like UTF-16, but is incomplete; {SAVE_AS_UTF8}");
    Finding::of_row(1, message)
}

/// Advice about a file in another encoding.
pub(crate) const SAVE_AS_UTF8: &str = "save the file as UTF-8 (Excel: Save As, CSV UTF-8; \
    LibreOffice: Save As, Edit filter settings, Unicode (UTF-8))";
