//! Operations: how stores and operators call them, and how the OpenAPI documents describe them.

pub(crate) mod errors;

use std::borrow::Cow;
use std::future::Future;
use std::pin::Pin;

use pressline_http::Code;
use pressline_http::error::{Definition, Scope};
use pressline_http::request_error::RequestError;
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

use crate::caller::{Access, ByOperator, CallRules, Signed};
use crate::response::Response;

pub(crate) struct Operation {
    /// `operationId` in the OpenAPI document.
    pub(crate) id: &'static str,
    pub(crate) rules: CallRules,
    /// Additional paths, each with the `operationId` for this path.
    pub(crate) aliases: &'static [(&'static str, &'static str)],
    /// Errors besides the errors of all operations, in lists that operations can share.
    pub(crate) errors: &'static [&'static [Code]],
    pub(crate) handler: Handler,
    pub(crate) description: Description,
    /// Request schema of this operation; `None` to use the schema of the body's type.
    pub(crate) request: Option<&'static RequestSchema>,
    /// Fields of the request's type that this operation lacks; their keys count as unknown.
    pub(crate) left_out: &'static [&'static str],
}

pub(crate) type Serving = Pin<Box<dyn Future<Output = Response>>>;

/// Reads the JSON body of a received call, and returns the future that serves the call.
#[derive(Clone, Copy)]
pub(crate) enum Handler {
    Store(fn(Signed, &[u8]) -> Result<Serving, RequestError>),
    Operator(fn(ByOperator, &[u8]) -> Result<Serving, RequestError>),
}

pub(crate) struct Description {
    /// Lines of the operation's doc comment: a summary, an empty line, and paragraphs.
    pub(crate) doc: &'static [&'static str],
    pub(crate) tag: &'static str,
    pub(crate) request: BodySchema,
    pub(crate) response: BodySchema,
    pub(crate) response_is: &'static str,
    /// Description of `Idempotent-Replayed`; `None` if responses do not have this header.
    pub(crate) replayed: Option<&'static str>,
    pub(crate) examples: &'static [Example],
}

pub(crate) struct BodySchema {
    pub(crate) name: fn() -> Cow<'static, str>,
    pub(crate) schema: fn() -> RefOr<Schema>,
    /// Function that adds the schemas that `schema` refers to, each with its name.
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

/// Differences of a request's schema from the schema of its type, which several operations share.
pub(crate) struct RequestSchema {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) required: &'static [&'static str],
    /// Whether a `shipping_address` in the request must be complete.
    pub(crate) ships: bool,
}

/// Example of a call, which the OpenAPI documents show and the tests send.
pub(crate) struct Example {
    pub(crate) title: &'static str,
    pub(crate) request: &'static str,
    /// `None` if another example has a similar response.
    pub(crate) response: Option<&'static str>,
}

impl Operation {
    pub(crate) fn paths(&self) -> impl Iterator<Item = &'static str> {
        let aliases = self.aliases.iter().map(|(path, _)| *path);
        std::iter::once(self.rules.path).chain(aliases)
    }

    pub(crate) fn can_fail_with(&self, definition: &Definition) -> bool {
        match definition.scope {
            Scope::Declared => self
                .errors
                .iter()
                .any(|group| group.contains(&definition.code)),
            _ => definition.is_common(self.rules.access == Access::Token),
        }
    }
}

/// Declares operations, as a list with the name after `const`. The function after `handler` serves
/// the operation.
///
/// - The doc comment becomes the summary and the description in the OpenAPI document.
/// - `at` gives the path. Each additional path has its own operation id.
/// - `tag` gives the tag in the OpenAPI document, and `span` the tracing span of the handler.
/// - `with` sets fields of [`CallRules`] to other values than the default.
/// - `errors` gives a group of [`errors`], and [codes](Code) in brackets. Leave out errors of all
///   operations for stores or of all operations for operators.
/// - `without` gives a list of the request's fields that this operation does not have, and `schema`
///   a [`RequestSchema`].
/// - `example` gives the file name without `.request.json` and `.response.json`; write `request
///   response` after it if both files exist, else `request`.
macro_rules! operations {
    (
        const $name:ident;
        $(
            $(#[doc = $doc:literal])+
            $caller:ident $id:literal
                at $path:literal $(, $other_id:literal at $other_path:literal)*;
            tag $tag:literal, span $span:literal, handler $handler:ident;
            $(with $($field:ident: $value:expr),+;)?
            $(errors $($group:ident)? $([$($code:ident),+])?;)?
            request $request:ty $(, without $left_out:path)? $(, schema $schema:path)?;
            response $response:ty: $response_is:literal $(, replayed: $replayed:literal)?;
            $(example $title:literal: $file:literal $($part:ident)+;)+
        )+
    ) => {
        pub(crate) const $name: &[$crate::operation::Operation] = &[$(
            $crate::operation::Operation {
                id: $id,
                rules: $crate::caller::CallRules {
                    $($($field: $value,)+)?
                    ..$crate::operation::operations!(@rules $caller, $path)
                },
                aliases: &[$(($other_path, $other_id)),*],
                errors: &[$(
                    $($crate::operation::errors::$group,)?
                    $(&[$(pressline_http::Code::$code),+],)?
                )?],
                handler: $crate::operation::operations!(
                    @handler $caller, $request, $span, $handler $(, $left_out)?
                ),
                description: $crate::operation::Description {
                    doc: &[$($doc),+],
                    tag: $tag,
                    request: $crate::operation::BodySchema::new::<$request>(),
                    response: $crate::operation::BodySchema::new::<$response>(),
                    response_is: $response_is,
                    replayed: $crate::operation::operations!(@option $($replayed)?),
                    examples: &[$($crate::operation::Example {
                        title: $title,
                        request: include_str!(concat!($file, ".request.json")),
                        response: $crate::operation::operations!(@response $file $($part)+),
                    }),+],
                },
                request: $crate::operation::operations!(@option $(&$schema)?),
                left_out: $crate::operation::operations!(@fields $($left_out)?),
            }
        ),+];
    };
    (@rules store, $path:literal) => { $crate::caller::CallRules::for_stores($path) };
    (@rules operator, $path:literal) => { $crate::caller::CallRules::for_operators($path) };
    (@handler store, $($served:tt)+) => {
        $crate::operation::Handler::Store($crate::operation::operations!(@serve $($served)+))
    };
    (@handler operator, $($served:tt)+) => {
        $crate::operation::Handler::Operator($crate::operation::operations!(@serve $($served)+))
    };
    (@serve $request:ty, $span:literal, $handler:ident $(, $left_out:path)?) => {
        |call, body| {
            // Parsed before the future is created, because the future cannot borrow `body`.
            let left_out = $crate::operation::operations!(@fields $($left_out)?);
            let request = $crate::request::Request::<$request>::read(body, left_out)?;
            let serving = $handler(call, request);
            let span = tracing::info_span!($span);
            Ok(Box::pin(tracing::Instrument::instrument(serving, span)))
        }
    };
    (@fields) => { &[] };
    (@fields $fields:path) => { $fields };
    (@option) => { None };
    (@option $value:expr) => { Some($value) };
    (@response $file:literal request) => { None };
    (@response $file:literal request response) => {
        Some(include_str!(concat!($file, ".response.json")))
    };
}
pub(crate) use operations;
