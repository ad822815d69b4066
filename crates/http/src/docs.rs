//! The documentation: the OpenAPI document, and a page to read it with that loads nothing from elsewhere.

use std::sync::{Arc, LazyLock};

use actix_web::http::header::ContentEncoding;
use actix_web::{HttpResponse, web};
use utoipa_swagger_ui::{Config, SwaggerFile};

use crate::error::{Code, OK};
use crate::failure::Failure;
use crate::openapi::openapi_json;

static DOCUMENT: LazyLock<String> = LazyLock::new(openapi_json);

static PAGE: LazyLock<Arc<Config<'static>>> = LazyLock::new(|| {
    let config = Config::from("/openapi.json")
        .validator_url("none")
        // A browser has no secret key, so that it could send nothing the service accepts.
        .try_it_out_enabled(false)
        .supported_submit_methods(Vec::<String>::new())
        .deep_linking(true)
        .display_operation_id(true);
    Arc::new(config)
});

pub(crate) async fn document() -> HttpResponse {
    HttpResponse::build(OK).content_type("application/json").body(DOCUMENT.as_str())
}

/// The page itself. It names its files relative to `/docs/`, which the address it is asked for does not end in.
pub(crate) async fn index() -> Result<HttpResponse, Failure> {
    let file = file("index.html")?;
    let page = String::from_utf8_lossy(&file.bytes).replacen("<head>", "<head><base href=\"/docs/\">", 1);
    Ok(HttpResponse::build(OK).content_type(file.content_type).body(page))
}

pub(crate) async fn page(path: web::Path<String>) -> Result<HttpResponse, Failure> {
    let file = file(&path)?;
    let mut response = HttpResponse::build(OK);
    if file.gzpipped {
        response.insert_header(ContentEncoding::Gzip);
    }
    Ok(response.content_type(file.content_type).body(file.bytes.into_owned()))
}

fn file(path: &str) -> Result<SwaggerFile<'static>, Failure> {
    utoipa_swagger_ui::serve(path, PAGE.clone())
        .map_err(|error| Failure::internal(format!("the documentation page: {error}")))?
        .ok_or_else(|| Failure::plain(Code::NotFound))
}
