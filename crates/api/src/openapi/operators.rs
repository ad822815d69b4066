//! The OpenAPI document of operators.

use pressline_domain::operator::{OperatorRole, Right};
use pressline_http::health;
use pressline_http::problem::{ErrorBody, Problem};
use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};

use super::describe;
use crate::operation::Operation;
use crate::operations::OPERATORS;

const DESCRIPTION: &str = "\
For the operators of the print shop, on a listener of their own. Every operation is a POST with a JSON object.

**Token.** `Authorization: Bearer plo_…`, from `pressline operator create`. The role that the security of an operation \
names is the least one that may call it; viewer, operator and admin each include the one before. What is outside the \
stores that an operator is bound to is not found.

**Errors, fields and texts** are treated as in the API for stores.";

/// The name of the security scheme.
const TOKEN: &str = "token";

#[derive(utoipa::OpenApi)]
#[openapi(
    info(title = "Pressline for operators", version = "1", description = DESCRIPTION, contact(name = "The operator of this service"), license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")),
    servers((url = "/")),
    paths(health::live, health::ready),
    components(schemas(ErrorBody<'_>, Problem<'_>)),
    tags((name = "stores", description = "Stores and their keys"), (name = "health", description = "Probes"))
)]
struct Document;

/// Returns the document that describes every operation of operators.
#[must_use]
pub fn operator_openapi() -> OpenApi {
    let mut document = Document::openapi();
    describe(&mut document, OPERATORS);
    let token = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("A token of an operator."));
    let components = document.components.get_or_insert_default();
    components.add_security_scheme(TOKEN, SecurityScheme::Http(token.build()));
    document
}

/// Returns what an operation requires: a token, and the least role of its operator.
pub(super) fn security(of: &Operation) -> Vec<SecurityRequirement> {
    let least = Right::least_role_for(of.right()).map(OperatorRole::as_str);
    vec![SecurityRequirement::new(TOKEN, least)]
}
