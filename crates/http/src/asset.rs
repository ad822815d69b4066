//! Static documents: compressed once, with entity tags for caches.

use std::io::Write;

use actix_web::http::header::{
    AcceptEncoding, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, ETAG, Encoding,
    EntityTag, Header, IfNoneMatch, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::error::{NOT_MODIFIED, OK};

/// Content security policy of the documentation. Its scripts create images and styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data:; connect-src 'self'; base-uri 'self'; form-action 'none'; \
                      frame-ancestors 'none'";

/// A static document, plain and compressed with gzip.
#[derive(Debug)]
pub struct Asset {
    content_type: String,
    plain: Form,
    gzip: Form,
}

#[derive(Debug)]
struct Form {
    bytes: Bytes,
    tag: EntityTag,
}

impl Asset {
    /// Creates a document. To compress the largest documents takes about 0.1 s.
    pub fn new(content_type: String, bytes: Bytes) -> Self {
        let compressed = gzip(&bytes);
        let digest = Sha256::digest(&bytes)
            .first_chunk::<8>()
            .map_or(0, |first| u64::from_be_bytes(*first));
        // The two forms differ in their bytes, so each needs its own tag (RFC 9110, 8.8.3.3).
        let plain = Form {
            bytes,
            tag: EntityTag::new_strong(format!("{digest:016x}")),
        };
        let gzip = Form {
            bytes: compressed,
            tag: EntityTag::new_strong(format!("{digest:016x}-gzip")),
        };
        Self {
            content_type,
            plain,
            gzip,
        }
    }

    /// Returns the document, or 304 if the copy that `If-None-Match` of `request` names is current.
    pub fn respond(&self, request: &HttpRequest) -> HttpResponse {
        let is_compressed = accepts_gzip(request);
        let form = if is_compressed {
            &self.gzip
        } else {
            &self.plain
        };
        let has_it = is_known(&form.tag, request);
        let mut response = HttpResponse::build(if has_it { NOT_MODIFIED } else { OK });
        response
            .insert_header((ETAG, form.tag.to_string()))
            .insert_header((VARY, "Accept-Encoding"))
            // A cache may store the document, but must revalidate it, so that a new version is
            // shown immediately.
            .insert_header((CACHE_CONTROL, "no-cache"))
            .insert_header((CONTENT_SECURITY_POLICY, POLICY))
            .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"))
            .insert_header((REFERRER_POLICY, "no-referrer"));
        if has_it {
            return response.finish();
        }
        if is_compressed {
            response.insert_header((CONTENT_ENCODING, "gzip"));
        }
        response
            .content_type(self.content_type.as_str())
            .body(form.bytes.clone())
    }
}

/// Compresses `bytes` with gzip. There is no error, because writing to memory cannot fail.
pub fn gzip(bytes: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let compressed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    compressed.unwrap_or_default().into()
}

/// Returns whether the caller of `request` accepts gzip.
pub fn accepts_gzip(request: &HttpRequest) -> bool {
    let supported = [Encoding::gzip(), Encoding::identity()];
    AcceptEncoding::parse(request)
        .is_ok_and(|accepted| accepted.negotiate(supported.iter()) == Some(Encoding::gzip()))
}

fn is_known(tag: &EntityTag, request: &HttpRequest) -> bool {
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Any) => true,
        // `If-None-Match` uses the weak comparison (RFC 9110, 13.1.2).
        Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|known| known.weak_eq(tag)),
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn the_compressed_form_is_the_same_document() {
        let text = "documentation ".repeat(1000);
        let asset = Asset::new("text/plain".to_owned(), text.clone().into());
        assert!(asset.gzip.bytes.len() < text.len() / 10);
        let mut unpacked = String::new();
        flate2::read::GzDecoder::new(&*asset.gzip.bytes)
            .read_to_string(&mut unpacked)
            .unwrap();
        assert_eq!(unpacked, text);
        let other = Asset::new("text/plain".to_owned(), text.replacen('d', "D", 1).into());
        assert_ne!(asset.plain.tag, other.plain.tag);
    }
}
