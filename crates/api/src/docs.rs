//! The documentation: the OpenAPI document, and a page that shows it and loads nothing from other
//! servers.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use actix_web::http::header::LOCATION;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use utoipa_swagger_ui::Config;

use crate::openapi::{openapi_json, operator_openapi_json};
use pressline_http::asset::Asset;
use pressline_http::error::{Code, FOUND};
use pressline_http::headers::JSON;
use pressline_http::request_error::RequestError;
use pressline_kit::lock;

const DOCUMENT: &str = "/openapi.json";
const INDEX: &str = "index.html";

/// Filled on request. Contains only existing files, so its size is bounded.
static ASSETS: LazyLock<Mutex<HashMap<Name, Arc<Asset>>>> = LazyLock::new(Mutex::default);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Name {
    Stores,
    Operators,
    File(String),
}

static PAGE: LazyLock<Arc<Config<'static>>> = LazyLock::new(|| {
    let config = Config::from(DOCUMENT)
        // Otherwise the page would load a badge from a validator on another server.
        .validator_url("none")
        // A browser has no secret key, so the service would refuse its requests.
        .try_it_out_enabled(false)
        .supported_submit_methods(Vec::<String>::new())
        .deep_linking(true)
        .display_operation_id(true);
    Arc::new(config)
});

pub(crate) async fn home() -> HttpResponse {
    HttpResponse::build(FOUND)
        .insert_header((LOCATION, "/docs"))
        .finish()
}

pub(crate) async fn document(request: HttpRequest) -> Result<HttpResponse, RequestError> {
    respond(&request, Name::Stores).await
}

pub(crate) async fn operator_document(request: HttpRequest) -> Result<HttpResponse, RequestError> {
    respond(&request, Name::Operators).await
}

pub(crate) async fn index(request: HttpRequest) -> Result<HttpResponse, RequestError> {
    respond(&request, Name::File(INDEX.to_owned())).await
}

pub(crate) async fn page(
    request: HttpRequest,
    path: web::Path<String>,
) -> Result<HttpResponse, RequestError> {
    let path = path.into_inner();
    let name = if path.is_empty() {
        INDEX.to_owned()
    } else {
        path
    };
    respond(&request, Name::File(name)).await
}

async fn respond(request: &HttpRequest, name: Name) -> Result<HttpResponse, RequestError> {
    // Cloned, so that the lock is not held while the response is written.
    let known = lock(&ASSETS).get(&name).cloned();
    if let Some(asset) = known {
        return Ok(asset.respond(request));
    }
    // Compressing takes too long for the threads that serve.
    let made = web::block(move || make(name)).await;
    let asset =
        made.map_err(|error| RequestError::internal(format!("the documentation: {error}")))??;
    Ok(asset.respond(request))
}

fn make(name: Name) -> Result<Arc<Asset>, RequestError> {
    let asset = match &name {
        Name::Stores => Asset::new(JSON.to_owned(), openapi_json().into()),
        Name::Operators => Asset::new(JSON.to_owned(), operator_openapi_json().into()),
        Name::File(name) => file(name)?,
    };
    // Another request may have created the asset meanwhile.
    Ok(Arc::clone(
        lock(&ASSETS).entry(name).or_insert_with(|| Arc::new(asset)),
    ))
}

/// Adds a `base` element to `index.html`, because the page is at `/docs`, but its links are
/// relative to `/docs/`. Returns `not_found` for an unknown `name`.
fn file(name: &str) -> Result<Asset, RequestError> {
    let file = utoipa_swagger_ui::serve(name, PAGE.clone())
        .map_err(|error| RequestError::internal(format!("the documentation page: {error}")))?
        // Empty files are left out of the build, see `.cargo/config.toml`.
        .filter(|file| !file.bytes.is_empty())
        .ok_or_else(|| RequestError::plain(Code::NotFound))?;
    let bytes = match file.bytes {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    };
    let mut media_type = file.content_type;
    // The files are UTF-8. Without a charset, a browser may assume another encoding.
    if media_type.starts_with("text/") {
        media_type.push_str("; charset=utf-8");
    }
    if name != INDEX {
        return Ok(Asset::new(media_type, bytes));
    }
    let page =
        String::from_utf8_lossy(&bytes).replacen("<head>", "<head><base href=\"/docs/\">", 1);
    Ok(Asset::new(media_type, page.into()))
}
