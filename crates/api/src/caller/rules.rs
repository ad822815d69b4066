//! The rules for receiving the calls of an operation.

use std::any::type_name;

use actix_web::HttpRequest;
use pressline_domain::store::SignatureForm;
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Signed(SignatureForm),
    Token,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct CallRules {
    /// Path without the base URL. A signature with `X-Service-Timestamp` covers this path.
    pub(crate) path: &'static str,
    pub(crate) access: Access,
    /// Determines, together with the body's size, the limits on concurrent calls.
    pub(crate) kind: CallKind,
    /// If `true`, the body may be larger than other bodies.
    pub(crate) has_file: bool,
    pub(crate) of_test_stores: bool,
    /// Whether a call stores a new order, unless it is a dry run.
    pub(crate) creates: bool,
}

const OPERATOR_PATH: &str = "/admin/v1/";

impl CallRules {
    pub(crate) const fn for_stores(path: &'static str) -> Self {
        Self::new(path, Access::Signed(SignatureForm::Timestamped))
    }

    pub(crate) const fn for_operators(path: &'static str) -> Self {
        Self::new(path, Access::Token)
    }

    const fn new(path: &'static str, access: Access) -> Self {
        Self {
            path,
            access,
            kind: CallKind::Ordinary,
            has_file: false,
            of_test_stores: false,
            creates: false,
        }
    }

    /// Returns `path` without [`OPERATOR_PATH`]; empty for operations of stores.
    pub(crate) fn right(self) -> &'static str {
        self.path.strip_prefix(OPERATOR_PATH).unwrap_or_default()
    }

    pub(crate) fn signature_form(self) -> SignatureForm {
        match self.access {
            Access::Signed(form) => form,
            // Not used: calls with a token have no signature.
            Access::Token => SignatureForm::Timestamped,
        }
    }
}

pub(crate) fn app_data<T: 'static>(request: &HttpRequest) -> Result<&T, RequestError> {
    let missing = || RequestError::internal(format!("no {}", type_name::<T>()));
    request.app_data::<T>().ok_or_else(missing)
}
