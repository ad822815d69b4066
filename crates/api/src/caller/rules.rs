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

/// Rules for receiving and checking the calls of an operation at one of its paths.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallRules {
    /// Path without the base URL. A signature with `X-Service-Timestamp` covers this path.
    pub(crate) path: &'static str,
    pub(crate) access: Access,
    /// Kind of the calls. Together with the body's size, it determines which limits on concurrent
    /// calls apply.
    pub(crate) kind: CallKind,
    /// Whether the body contains a file, and may be larger than other bodies.
    pub(crate) has_file: bool,
    /// Whether only test stores may call the operation.
    pub(crate) of_test_stores: bool,
    /// Whether a call stores a new order, unless it is a dry run.
    pub(crate) creates: bool,
}

const OPERATOR_PATH: &str = "/admin/v1/";

impl CallRules {
    /// Returns the default rules for an operation of stores at `path`: all stores may make ordinary
    /// calls, with a timestamp in the signature.
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

    /// Returns the right that an operator needs for the call: `path` without the prefix
    /// [`OPERATOR_PATH`]. Returns an empty string for operations of stores.
    pub(crate) fn right(self) -> &'static str {
        // Paths for stores lack the prefix: stores have no rights to check.
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
