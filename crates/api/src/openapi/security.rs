//! How calls are authenticated: the security schemes, and the requirements of each operation.

use pressline_backoffice::operator::{OperatorRole, Right};
use pressline_domain::store::SignatureForm;
use pressline_http::headers::{SIGNATURE, STORE_ID};
use utoipa::openapi::Components;
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};

use crate::caller::{Access, CallRules};

const STORE: &str = "store";
const SIGNED: &str = "signature";
const TOKEN: &str = "token";

pub(super) fn add_signature(components: &mut Components) {
    for (name, header, description) in [
        (STORE, STORE_ID, "The store id."),
        (
            SIGNED,
            SIGNATURE,
            "HMAC-SHA256 of the body under the store's secret key, in padded standard base64.",
        ),
    ] {
        let key = ApiKeyValue::with_description(header, description);
        components.add_security_scheme(name, SecurityScheme::ApiKey(ApiKey::Header(key)));
    }
}

pub(super) fn add_token(components: &mut Components) {
    let token = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("A token of an operator."));
    components.add_security_scheme(TOKEN, SecurityScheme::Http(token.build()));
}

/// Returns requirements; a call must satisfy one of them. An operator's requirement names the
/// lowest role that may call.
pub(super) fn security(rules: CallRules) -> Vec<SecurityRequirement> {
    let stores = SecurityRequirement::new::<_, _, String>(STORE, []);
    let signed = stores.clone().add::<_, _, String>(SIGNED, []);
    match rules.access {
        Access::Signed(SignatureForm::PlainOrNone) => vec![signed, stores],
        Access::Signed(SignatureForm::Plain | SignatureForm::Timestamped) => vec![signed],
        Access::Token => {
            // OpenAPI 3.1 allows role names here for schemes other than OAuth.
            let least = Right::least_role_for(rules.right()).map(OperatorRole::as_str);
            vec![SecurityRequirement::new(TOKEN, least)]
        }
    }
}
