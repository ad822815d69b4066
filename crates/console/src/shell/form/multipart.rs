//! Forms with a file: `multipart/form-data`, as browsers send it.

use std::convert::Infallible;
use std::future::ready;

use actix_web::web::Bytes;
use futures_util::stream;
use multer::Multipart;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::Fields;
use crate::shell::result::Result;

pub(crate) const MULTIPART: &str = "multipart/form-data";
pub(crate) const FILE: &str = "file";
/// Maximum number of parts in a form.
// Forms with a file have a few fields; the limit bounds the work for a hostile form.
const PARTS: usize = 50;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UploadedFile {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

pub(crate) async fn parse(
    content_type: &str,
    body: Vec<u8>,
) -> Result<(Fields, Option<UploadedFile>)> {
    read(content_type, body).await.ok_or_else(|| {
        let message = "the form is not one of a page of this console; open the page again";
        RequestError::new(Code::ValidationFailed, message)
    })
}

async fn read(content_type: &str, body: Vec<u8>) -> Option<(Fields, Option<UploadedFile>)> {
    let boundary = multer::parse_boundary(content_type).ok()?;
    // With an empty boundary, two hyphens alone would separate parts, and a file may contain them.
    if boundary.is_empty() {
        return None;
    }
    // The body is already in memory, so that reading never waits.
    let body = stream::once(ready(Ok::<_, Infallible>(Bytes::from(body))));
    let mut form = Multipart::new(body, boundary);
    let (mut fields, mut file) = (Fields::default(), None);
    // One round more than parts, which finds the end of the form.
    for _ in 0..=PARTS {
        let Some(part) = form.next_field().await.ok()? else {
            return Some((fields, file));
        };
        let name = part.name()?.to_owned();
        let file_name = part.file_name().map(str::to_owned);
        let content = part.bytes().await.ok()?;
        match file_name {
            None => fields = fields.with(&name, std::str::from_utf8(&content).ok()?),
            // Browsers send a nameless and empty file if none was chosen.
            Some(file_name) if file_name.is_empty() && content.is_empty() => {}
            Some(file_name) if name == FILE && file.is_none() => {
                file = Some(UploadedFile {
                    name: file_name,
                    bytes: content.into(),
                });
            }
            // No page has a second file, or a file in another field.
            Some(_) => return None,
        }
    }
    None
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

    #[actix_web::test]
    async fn fields_and_the_file_are_read() {
        let content = "order_id\r\nSUN-1\r\n--\r\n------x\r\n\u{e4}";
        let body = body(&[
            ("name=\"token\"", "abc"),
            ("name=\"stores\"", "ä & ="),
            ("name=\"file\"; filename=\"par%22cels ä.csv\"", content),
        ]);
        let (fields, file) = parse(TYPE, body).await.unwrap();
        assert_eq!(fields.get("token"), "abc");
        assert_eq!(fields.get("stores"), "ä & =");
        let file = file.unwrap();
        assert_eq!(file.name, "par%22cels ä.csv");
        assert_eq!(file.bytes, content.as_bytes());
    }

    #[actix_web::test]
    async fn a_form_without_a_chosen_file_has_none() {
        let body = body(&[("name=\"file\"; filename=\"\"", ""), ("name=\"a\"", "")]);
        let (fields, file) = parse(TYPE, body).await.unwrap();
        assert_eq!(file, None);
        assert!(fields.has("a"));
    }

    #[actix_web::test]
    async fn what_no_browser_sends_is_refused() {
        let right = body(&[("name=\"a\"", "1")]);
        assert!(parse(TYPE, right.clone()).await.is_ok());
        for wrong_type in [
            "multipart/form-data",
            "multipart/form-data; boundary=",
            "multipart/form-data; boundary=other",
        ] {
            let refused = parse(wrong_type, right.clone()).await;
            assert!(refused.is_err(), "{wrong_type}");
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
            let refused = parse(TYPE, wrong.to_vec()).await;
            assert!(refused.is_err(), "{}", wrong.len());
        }
    }
}
