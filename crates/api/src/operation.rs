//! Operations: how stores and operators call them, and how the OpenAPI documents describe them.

use std::borrow::Cow;
use std::future::Future;
use std::pin::Pin;

use pressline_domain::store::SignatureForm;
use pressline_http::CallKind;
use pressline_http::request_error::RequestError;
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

use crate::operator::ByOperator;
use crate::response::Response;
use crate::signed::Signed;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Signed(SignatureForm),
    Token,
}

/// An operation, which stores or operators call by POST. [`operation!`] declares it.
pub(crate) struct Operation {
    /// `operationId` in the OpenAPI document, also used by the table of errors.
    pub(crate) id: &'static str,
    /// Path without the base URL, as a signature with `X-Service-Timestamp` covers it.
    pub(crate) path: &'static str,
    /// Further paths, each with its own `operationId`.
    pub(crate) aliases: &'static [(&'static str, &'static str)],
    pub(crate) access: Access,
    /// The limit on concurrent calls that a call counts against.
    pub(crate) kind: CallKind,
    /// Whether the body contains a file, and may be larger than other bodies.
    pub(crate) has_file: bool,
    /// Whether only test stores may call it.
    pub(crate) of_test_stores: bool,
    /// Whether a call stores a new order, unless it is a dry run.
    pub(crate) creates: bool,
    pub(crate) handler: Handler,
    pub(crate) description: Description,
    /// The operation's own requirements for its body, if several operations share the type of the
    /// body.
    pub(crate) request: Option<&'static RequestSchema>,
}

pub(crate) type Serving = Pin<Box<dyn Future<Output = Response>>>;

/// Reads the JSON body of a received call and returns the future that serves it.
#[derive(Clone, Copy)]
pub(crate) enum Handler {
    Store(fn(Signed, &[u8]) -> Result<Serving, RequestError>),
    Operator(fn(ByOperator, &[u8]) -> Result<Serving, RequestError>),
}

pub(crate) struct Description {
    /// Lines of the doc comment: a summary, an empty line, and paragraphs.
    pub(crate) doc: &'static [&'static str],
    pub(crate) tag: &'static str,
    pub(crate) request: BodySchema,
    pub(crate) response: BodySchema,
    pub(crate) response_is: &'static str,
    /// Description of the header `Idempotent-Replayed`; `None` if responses do not have it.
    pub(crate) replayed: Option<&'static str>,
    pub(crate) examples: &'static [Example],
}

/// Schema of a body, with the schemas that it refers to.
pub(crate) struct BodySchema {
    pub(crate) name: fn() -> Cow<'static, str>,
    pub(crate) schema: fn() -> RefOr<Schema>,
    /// Adds the schemas that `schema` refers to.
    pub(crate) add_parts: fn(&mut Vec<(String, RefOr<Schema>)>),
}

impl BodySchema {
    pub(crate) const fn new<T: ToSchema>() -> Self {
        Self {
            name: T::name,
            schema: T::schema,
            add_parts: T::schemas,
        }
    }
}

/// Schema of a body for one operation, if several operations share the type of the body.
pub(crate) struct RequestSchema {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    /// Names of the fields that the operation requires.
    pub(crate) required: &'static [&'static str],
    /// Whether `shipping_address` must be complete if it is present.
    pub(crate) ships: bool,
    pub(crate) left_out: &'static [&'static str],
}

/// A request and its response as JSON. The OpenAPI documents show them, and the tests send them.
pub(crate) struct Example {
    pub(crate) title: &'static str,
    pub(crate) request: &'static str,
    /// `None` if another example has a similar response.
    pub(crate) response: Option<&'static str>,
}

#[derive(Clone, Copy)]
pub(crate) struct OperationCall {
    pub(crate) operation: &'static Operation,
    pub(crate) path: &'static str,
}

/// Prefix of the paths of all operators' operations.
pub(crate) const OPERATOR_PATH: &str = "/admin/v1/";

impl Operation {
    /// Creates an operation without `aliases`; `access` follows from `handler`.
    pub(crate) const fn new(
        id: &'static str,
        path: &'static str,
        handler: Handler,
        description: Description,
    ) -> Self {
        let access = match handler {
            Handler::Store(_) => Access::Signed(SignatureForm::Timestamped),
            Handler::Operator(_) => Access::Token,
        };
        Self {
            id,
            path,
            aliases: &[],
            access,
            kind: CallKind::Ordinary,
            has_file: false,
            of_test_stores: false,
            creates: false,
            handler,
            description,
            request: None,
        }
    }

    pub(crate) fn paths(&'static self) -> impl Iterator<Item = &'static str> {
        let aliases = self.aliases.iter().map(|(path, _)| *path);
        std::iter::once(self.path).chain(aliases)
    }

    /// Returns the name of the operation's right: `path` without [`OPERATOR_PATH`].
    pub(crate) fn right(&self) -> &'static str {
        // Paths of stores' operations lack the prefix: stores have no rights to check.
        self.path.strip_prefix(OPERATOR_PATH).unwrap_or_default()
    }
}

impl OperationCall {
    pub(crate) fn signature_form(self) -> SignatureForm {
        match self.operation.access {
            Access::Signed(form) => form,
            // Not used: calls with a token have no signature.
            Access::Token => SignatureForm::Timestamped,
        }
    }
}

/// Declares the constant `OPERATION` of a file; the function `handle` of the file serves the
/// operation. The doc comment becomes the description in the OpenAPI document. `with` sets further
/// fields of [`Operation`]; `as` documents the request by another type; an example names its files
/// without their endings.
macro_rules! operation {
    (
        $(#[doc = $doc:literal])+
        $caller:ident $id:literal at $path:literal;
        tag $tag:literal, span $span:literal;
        $(with $($field:ident: $value:expr),+;)?
        request $request:ty $(as $documented:ty)?;
        response $response:ty: $response_is:literal $(, replayed: $replayed:literal)?;
        $(example $title:literal: $file:literal $($part:ident)+;)+
    ) => {
        pub(crate) const OPERATION: $crate::operation::Operation = $crate::operation::Operation {
            $($($field: $value,)+)?
            ..$crate::operation::Operation::new(
                $id,
                $path,
                $crate::operation::operation!(@handler $caller, $request, $span),
                $crate::operation::Description {
                    doc: &[$($doc),+],
                    tag: $tag,
                    request: $crate::operation::BodySchema::new::<
                        $crate::operation::operation!(@type $request $(, $documented)?)
                    >(),
                    response: $crate::operation::BodySchema::new::<$response>(),
                    response_is: $response_is,
                    replayed: $crate::operation::operation!(@option $($replayed)?),
                    examples: &[$($crate::operation::Example {
                        title: $title,
                        request: include_str!(concat!($file, ".request.json")),
                        response: $crate::operation::operation!(@response $file $($part)+),
                    }),+],
                },
            )
        };
    };
    (@handler store, $request:ty, $span:literal) => {
        $crate::operation::Handler::Store($crate::operation::operation!(@serve $request, $span))
    };
    (@handler operator, $request:ty, $span:literal) => {
        $crate::operation::Handler::Operator($crate::operation::operation!(@serve $request, $span))
    };
    (@serve $request:ty, $span:literal) => {
        |call, body| {
            // Parsed before the future is created, because the future cannot borrow `body`.
            let request = $crate::request_limits::Request::<$request>::read(body)?;
            let serving = handle(call, request);
            let span = tracing::info_span!($span);
            Ok(Box::pin(tracing::Instrument::instrument(serving, span)))
        }
    };
    (@type $request:ty) => { $request };
    (@type $request:ty, $documented:ty) => { $documented };
    (@option) => { None };
    (@option $value:literal) => { Some($value) };
    (@response $file:literal request) => { None };
    (@response $file:literal request response) => {
        Some(include_str!(concat!($file, ".response.json")))
    };
}
pub(crate) use operation;
