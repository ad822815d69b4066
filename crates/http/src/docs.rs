//! The documentation: the OpenAPI document, and a page to read it with that loads nothing from elsewhere.

use std::sync::{Arc, LazyLock};

use actix_web::http::header::{ContentEncoding, LOCATION};
use actix_web::{HttpResponse, web};
use utoipa_swagger_ui::Config;

use crate::error::{Code, MOVED, OK};
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

pub(crate) async fn redirect() -> HttpResponse {
    HttpResponse::build(MOVED).insert_header((LOCATION, "/docs/")).finish()
}

pub(crate) async fn page(file: web::Path<String>) -> Result<HttpResponse, Failure> {
    let found = utoipa_swagger_ui::serve(&file, PAGE.clone())
        .map_err(|error| Failure::internal(format!("the documentation page: {error}")))?;
    let Some(file) = found else { return Err(Failure::plain(Code::NotFound)) };
    let mut response = HttpResponse::build(OK);
    if file.gzpipped {
        response.insert_header(ContentEncoding::Gzip);
    }
    Ok(response.content_type(file.content_type).body(file.bytes.into_owned()))
}
