//! Forms with a file: `multipart/form-data`, as browsers send it.
//!
//! Source: RFC 7578. The reader is strict: what a browser does not send is refused. The body is in
//! memory already, so that parts are slices of it.

use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::Fields;

pub(crate) const MULTIPART: &str = "multipart/form-data";
pub(crate) const FILE: &str = "file";
/// Maximum number of parts.
const PARTS: usize = 50;
/// Maximum size of a part's head, in bytes.
const HEAD: usize = 4096;
/// Maximum length of a boundary (RFC 2046).
const BOUNDARY: usize = 70;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UploadedFile {
    /// Name on the sender's computer.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// `validation_failed` for a form that no browser sends.
pub(crate) fn parse(
    content_type: &str,
    body: &[u8],
) -> Result<(Fields, Option<UploadedFile>), RequestError> {
    read(content_type, body).ok_or_else(|| {
        let message = "the form is not one of a page of this console; open the page again";
        RequestError::new(Code::ValidationFailed, message)
    })
}

fn read(content_type: &str, body: &[u8]) -> Option<(Fields, Option<UploadedFile>)> {
    let delimiter = format!("--{}", boundary(content_type)?);
    let between = format!("\r\n{delimiter}");
    let mut rest = body.strip_prefix(delimiter.as_bytes())?;
    let (mut fields, mut file) = (Fields::default(), None);
    for _ in 0..PARTS {
        if rest.starts_with(b"--") {
            return Some((fields, file));
        }
        rest = rest.strip_prefix(b"\r\n")?;
        let (head, after) = split(rest.get(..HEAD).unwrap_or(rest), b"\r\n\r\n")
            .map(|(head, _)| (head, rest.get(head.len() + 4..).unwrap_or_default()))?;
        let (content, after) = split(after, between.as_bytes())?;
        rest = after;
        let part = Part::of(head)?;
        match part.file_name {
            None => fields = fields.with(&part.name, std::str::from_utf8(content).ok()?),
            // Browsers send a nameless and empty file if none was chosen.
            Some(name) if name.is_empty() && content.is_empty() => {}
            Some(name) if part.name == FILE && file.is_none() => {
                let bytes = content.to_vec();
                file = Some(UploadedFile { name, bytes });
            }
            Some(_) => return None,
        }
    }
    None
}

fn boundary(content_type: &str) -> Option<&str> {
    let mut parameters = content_type.split(';').skip(1);
    let boundary = parameters.find_map(|parameter| {
        let (name, value) = parameter.trim().split_once('=')?;
        name.eq_ignore_ascii_case("boundary").then_some(value)
    })?;
    let boundary = boundary.trim_matches('"');
    let is_right = (1..=BOUNDARY).contains(&boundary.len())
        && boundary.bytes().all(|byte| byte.is_ascii_graphic());
    is_right.then_some(boundary)
}

/// Splits at the first occurrence.
fn split<'b>(bytes: &'b [u8], separator: &[u8]) -> Option<(&'b [u8], &'b [u8])> {
    let first = *separator.first()?;
    let mut from = 0;
    loop {
        let rest = bytes.get(from..)?;
        let place = from + rest.iter().position(|byte| *byte == first)?;
        let candidate = bytes.get(place..)?;
        if let Some(after) = candidate.strip_prefix(separator) {
            return Some((bytes.get(..place)?, after));
        }
        from = place + 1;
    }
}

struct Part {
    name: String,
    /// `None` if the part is not a file.
    file_name: Option<String>,
}

impl Part {
    fn of(head: &[u8]) -> Option<Self> {
        let head = std::str::from_utf8(head).ok()?;
        let disposition = head.split("\r\n").find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-disposition")
                .then_some(value.trim())
        })?;
        let mut rest = disposition.strip_prefix("form-data")?;
        let (mut name, mut file_name) = (None, None);
        // Browsers write a quote in a value as `%22`, so that the next quote ends it.
        while let Some(parameter) = rest.strip_prefix(';') {
            let (key, value) = parameter.trim_start().split_once("=\"")?;
            let (value, after) = value.split_once('"')?;
            match key {
                "name" => name = Some(value.to_owned()),
                "filename" => file_name = Some(value.to_owned()),
                _ => {}
            }
            rest = after;
        }
        Some(Self {
            name: name?,
            file_name,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPE: &str = "multipart/form-data; boundary=----xY7";

    fn body(parts: &[(&str, &str)]) -> Vec<u8> {
        let mut text = String::new();
        for (disposition, content) in parts {
            text.push_str(&format!(
                "------xY7\r\nContent-Disposition: form-data; {disposition}\r\nContent-Type: text/csv\r\n\r\n{content}\r\n"
            ));
        }
        text.push_str("------xY7--\r\n");
        text.into_bytes()
    }

    #[test]
    fn fields_and_the_file_are_read() {
        let content = "order_id\r\nSUN-1\r\n--\r\n------x\r\n\u{e4}";
        let body = body(&[
            ("name=\"token\"", "abc"),
            ("name=\"stores\"", "ä & ="),
            ("name=\"file\"; filename=\"par%22cels ä.csv\"", content),
        ]);
        let (fields, file) = parse(TYPE, &body).unwrap();
        assert_eq!(fields.get("token"), "abc");
        assert_eq!(fields.get("stores"), "ä & =");
        let file = file.unwrap();
        assert_eq!(file.name, "par%22cels ä.csv");
        assert_eq!(file.bytes, content.as_bytes());
    }

    #[test]
    fn a_form_without_a_chosen_file_has_none() {
        let body = body(&[("name=\"file\"; filename=\"\"", ""), ("name=\"a\"", "")]);
        let (fields, file) = parse(TYPE, &body).unwrap();
        assert_eq!(file, None);
        assert!(fields.has("a"));
    }

    #[test]
    fn what_no_browser_sends_is_refused() {
        let right = body(&[("name=\"a\"", "1")]);
        assert!(parse(TYPE, &right).is_ok());
        for wrong_type in [
            "multipart/form-data",
            "multipart/form-data; boundary=",
            "multipart/form-data; boundary=other",
        ] {
            assert!(parse(wrong_type, &right).is_err(), "{wrong_type}");
        }
        let cut = right.get(..right.len() - 6).unwrap();
        let two_files = body(&[
            ("name=\"file\"; filename=\"a\"", "1"),
            ("name=\"file\"; filename=\"b\"", "2"),
        ]);
        let other_file = body(&[("name=\"other\"; filename=\"a\"", "1")]);
        let nameless = body(&[("filename=\"a\"", "1")]);
        let many = body(&vec![("name=\"a\"", "1"); PARTS + 1]);
        for wrong in [cut, b"", b"--", &two_files, &other_file, &nameless, &many] {
            assert!(parse(TYPE, wrong).is_err(), "{}", wrong.len());
        }
    }
}
