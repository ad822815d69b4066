//! Recognition of formats by the first bytes of a file.

use pressline_domain::media::FileFormat;

/// Number of bytes that [`recognise`] needs: some SVG files begin with long comments.
pub(crate) const START: usize = 64 * 1024;

/// Returns the format of a file that begins with `start`. Names and media types do not count: a file
/// that begins as a PNG is one, whatever follows.
pub(crate) fn recognise(start: &[u8]) -> FileFormat {
    let by_signature = SIGNATURES
        .iter()
        .find(|(offset, signature, _)| {
            let rest = start.get(*offset..).unwrap_or_default();
            rest.starts_with(signature)
        })
        .map(|(_, _, format)| *format);
    match by_signature {
        Some(format) => format,
        None if is_pdf(start) => FileFormat::Pdf,
        None if is_svg(start) => FileFormat::Svg,
        None => FileFormat::Other,
    }
}

/// Offset, bytes and format. The first match counts.
const SIGNATURES: [(usize, &[u8], FileFormat); 26] = [
    (0, b"\x89PNG\r\n\x1a\n", FileFormat::Png),
    (0, b"\xff\xd8\xff", FileFormat::Jpeg),
    (0, b"II*\0", FileFormat::Tiff),
    (0, b"MM\0*", FileFormat::Tiff),
    (0, b"II+\0\x08\0", FileFormat::Tiff),
    (0, b"MM\0+\0\x08", FileFormat::Tiff),
    (8, b"WEBP", FileFormat::Webp),
    (0, b"8BPS\0", FileFormat::Psd),
    (0, b"GIF87a", FileFormat::Gif),
    (0, b"GIF89a", FileFormat::Gif),
    (4, b"ftypavif", FileFormat::Avif),
    (4, b"ftypavis", FileFormat::Avif),
    (4, b"ftypheic", FileFormat::Heic),
    (4, b"ftypheix", FileFormat::Heic),
    (4, b"ftyphevc", FileFormat::Heic),
    (4, b"ftypheim", FileFormat::Heic),
    (4, b"ftypheis", FileFormat::Heic),
    (4, b"ftypmif1", FileFormat::Heic),
    (4, b"ftypmsf1", FileFormat::Heic),
    (8, b"CDR", FileFormat::Cdr),
    // An EPS with a preview has a binary header.
    (0, b"\xc5\xd0\xd3\xc6", FileFormat::Eps),
    (0, b"%!PS-Adobe-3.0 EPSF", FileFormat::Eps),
    (0, b"%!PS-Adobe-3.1 EPSF", FileFormat::Eps),
    (0, b"%!PS-Adobe-2.0 EPSF", FileFormat::Eps),
    // Illustrator's own format until version 8; later files are PDF inside.
    (0, b"%!PS-Adobe-3.0", FileFormat::Ai),
    (0, b"%!PS-Adobe-2.0", FileFormat::Ai),
];

/// The header of a PDF may follow up to 1,024 other bytes, by ISO 32000-1, annex H. A file that
/// begins as a web page stays one.
fn is_pdf(start: &[u8]) -> bool {
    let head = start.get(..1024 + 5).unwrap_or(start);
    let is_page = head.trim_ascii_start().starts_with(b"<");
    !is_page && head.windows(5).any(|bytes| bytes == b"%PDF-")
}

/// Looks for the element `svg` behind declarations and comments of a text. A web page with an SVG
/// inside has another first element.
fn is_svg(start: &[u8]) -> bool {
    let mut rest = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    loop {
        rest = rest.trim_ascii_start();
        let end: &[u8] = match rest {
            [b'<', b'?', ..] => b"?>",
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            // A document type can contain declarations in brackets.
            [b'<', b'!', ..] => match rest.iter().find(|byte| matches!(byte, b'[' | b'>')) {
                Some(b'[') => b"]",
                _ => b">",
            },
            // What is left of a document type with declarations.
            [b'>', ..] => b">",
            _ => break,
        };
        match rest.windows(end.len()).position(|bytes| bytes == end) {
            Some(position) => rest = rest.get(position + end.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    let name = rest.strip_prefix(b"<").unwrap_or_default();
    let end = name
        .iter()
        .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'));
    let name = name.get(..end.unwrap_or_default()).unwrap_or_default();
    name == b"svg" || name.ends_with(b":svg")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognised_by_content() {
        let table: [(&[u8], FileFormat); 16] = [
            (b"\x89PNG\r\n\x1a\n<html>", FileFormat::Png),
            (b"\xff\xd8\xff\xe1", FileFormat::Jpeg),
            (b"MM\0+\0\x08\0\0", FileFormat::Tiff),
            (b"RIFF\x10\0\0\0WEBPVP8 ", FileFormat::Webp),
            (b"RIFF\x10\0\0\0CDRAvrsn", FileFormat::Cdr),
            (b"\0\0\0\x1cftypavif", FileFormat::Avif),
            (b"\0\0\0\x18ftypheic", FileFormat::Heic),
            (b"%!PS-Adobe-3.0 EPSF-3.0", FileFormat::Eps),
            (b"%!PS-Adobe-3.0\n%%Creator: Adobe", FileFormat::Ai),
            (b"junk\n%PDF-1.7", FileFormat::Pdf),
            (b"<svg>", FileFormat::Svg),
            (
                b"\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- <html> -->\n<!DOCTYPE svg [\n<!ENTITY a \"b\">\n]>\n<s:svg xmlns:s=\"x\"/>",
                FileFormat::Svg,
            ),
            (b"<html><svg></svg></html>", FileFormat::Other),
            (b"<html>%PDF-1.7", FileFormat::Other),
            (b"<svgx>", FileFormat::Other),
            (b"", FileFormat::Other),
        ];
        for (start, format) in table {
            let text = String::from_utf8_lossy(start);
            assert_eq!(recognise(start), format, "{text}");
        }
    }

    #[test]
    fn a_long_comment_does_not_hide_an_svg() {
        let text = format!("<!--{}-->\n<svg>", " ".repeat(60_000));
        assert_eq!(recognise(text.as_bytes()), FileFormat::Svg);
    }
}
