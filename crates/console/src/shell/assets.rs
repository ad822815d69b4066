//! Style, scripts and icon of the pages, embedded in the binary. Their names contain a digest of
//! their content, so that browsers can cache them for good.

use std::sync::LazyLock;

use actix_web::http::Method;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, Resource, web};
use pressline_http::asset::Asset;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;
use sha2::{Digest, Sha256};

use crate::shell::reply::secure;
use crate::shell::result::Result;

const FOLDER: &str = "/console/assets/";

const FILES: [(&str, &str, &[u8]); 4] = [
    (
        "style.css",
        "text/css; charset=utf-8",
        include_bytes!("../../assets/style.css"),
    ),
    (
        "console.js",
        "text/javascript; charset=utf-8",
        include_bytes!("../../assets/console.js"),
    ),
    (
        "htmx.js",
        "text/javascript; charset=utf-8",
        include_bytes!("../../assets/htmx.js"),
    ),
    (
        "icon.svg",
        "image/svg+xml",
        include_bytes!("../../assets/icon.svg"),
    ),
];

struct HashedAsset {
    name: &'static str,
    path: String,
    asset: Asset,
}

/// All assets are compressed when the first asset is used.
static ASSETS: LazyLock<Vec<HashedAsset>> = LazyLock::new(|| FILES.map(hashed).into());

fn hashed((name, media_type, content): (&'static str, &str, &'static [u8])) -> HashedAsset {
    let digest = hex_of(content);
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    HashedAsset {
        name,
        path: format!("{FOLDER}{stem}.{digest}.{extension}"),
        asset: Asset::new(media_type.to_owned(), Bytes::from_static(content)),
    }
}

fn hex_of(content: &[u8]) -> String {
    let digest = Sha256::digest(content);
    // 64 bits tell the versions of a file apart; nobody else chooses the content.
    let first = digest.first_chunk::<8>();
    format!(
        "{:016x}",
        first.map_or(0, |bytes| u64::from_be_bytes(*bytes))
    )
}

/// Returns an empty text for an unknown `name`.
pub(crate) fn path(name: &str) -> &'static str {
    let mut assets = ASSETS.iter();
    assets
        .find(|asset| asset.name == name)
        .map_or("", |asset| asset.path.as_str())
}

/// Returns the resource that serves the console's assets. It must be added to the scope `/console`.
pub(crate) fn resource() -> Resource {
    web::resource("/assets/{file}")
        .route(web::method(Method::GET).to(serve))
        .route(web::method(Method::HEAD).to(serve))
}

async fn serve(request: HttpRequest) -> Result<HttpResponse> {
    let mut assets = ASSETS.iter();
    let Some(entry) = assets.find(|asset| asset.path == request.path()) else {
        return Err(RequestError::plain(Code::NotFound));
    };
    let mut response = entry.asset.respond(&request);
    let headers = response.headers_mut();
    // Cacheable for good, because the name changes with the content.
    let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
    headers.insert(CACHE_CONTROL, forever);
    secure(headers);
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_asset_has_a_hashed_path() {
        for (name, ..) in FILES {
            let path = path(name);
            assert!(crate::shell::form::is_own_address(path), "{name}: {path}");
            assert!(path.starts_with(FOLDER) && path.len() > FOLDER.len() + name.len() + 16);
        }
        assert_eq!(path("other.css"), "");
    }
}
