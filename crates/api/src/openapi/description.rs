//! The OpenAPI document of one operation.

use pressline_http::headers::JSON;
use utoipa::openapi::path::{HttpMethod, OperationBuilder, PathItem};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{
    Components, Content, ContentBuilder, Info, OpenApi, Paths, Ref, RefOr, Required,
    ResponseBuilder, ResponsesBuilder,
};

use super::common::header;
use crate::operation::{BodySchema, Description, Operation};

/// Contains only the main path of `operation`, and the schemas that this path refers to.
pub(super) fn document_of(operation: &Operation) -> OpenApi {
    let Description {
        doc,
        tag,
        request,
        response,
        response_is,
        replayed,
        ..
    } = &operation.description;
    let mut success = ResponseBuilder::new()
        .description(*response_is)
        .content(JSON, content(response));
    if let Some(replayed) = replayed {
        success = success.header("Idempotent-Replayed", header(replayed));
    }
    let responses = ResponsesBuilder::new().response("200", success);
    let body = RequestBodyBuilder::new()
        .content(JSON, content(request))
        .required(Some(Required::True));
    let (summary, description) = split(doc);
    let described = OperationBuilder::new()
        .tag(*tag)
        .operation_id(Some(operation.id))
        .summary(Some(summary))
        .description(Some(description))
        .request_body(Some(body.build()))
        .responses(responses.build());

    let mut paths = Paths::new();
    let item = PathItem::new(HttpMethod::Post, described);
    paths.paths.insert(operation.rules.path.to_owned(), item);
    // Merging keeps the info of the whole document, so the default is never shown.
    let mut document = OpenApi::new(Info::default(), paths);
    let mut schemas = Vec::new();
    for body in [request, response] {
        schemas.push(((body.name)().into_owned(), (body.schema)()));
        (body.add_parts)(&mut schemas);
    }
    let mut components = Components::new();
    components.schemas.extend(schemas);
    let request = components.schemas.get_mut((request.name)().as_ref());
    if let Some(RefOr::T(Schema::Object(request))) = request {
        for field in operation.left_out {
            request.properties.remove(*field);
        }
    }
    document.components = Some(components);
    document
}

fn content(body: &BodySchema) -> Content {
    let schema = RefOr::from(Ref::from_schema_name((body.name)()));
    ContentBuilder::new().schema(Some(schema)).build()
}

/// Returns the first paragraph as the summary, and all others as the description.
fn split(doc: &[&str]) -> (String, String) {
    let lines: Vec<&str> = doc.iter().map(|line| line.trim()).collect();
    let mut paragraphs = lines.split(|line| line.is_empty());
    let summary = paragraphs.next().unwrap_or_default();
    let rest: Vec<String> = paragraphs.map(|lines| lines.join("\n")).collect();
    (summary.join("\n"), rest.join("\n\n"))
}
