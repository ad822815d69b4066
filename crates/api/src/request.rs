//! The body of a request, read into a draft.

use pressline_domain::check::{Path, Warning};
use pressline_http::request_error::RequestError;
use pressline_kit::json::scan;

use crate::json::{Body, Object, Unknown, Value as _};

pub(crate) struct Request<T: Body> {
    pub(crate) draft: T::Draft,
    pub(crate) unknown: Vec<Warning>,
}

impl<T: Body> Request<T> {
    /// Parses `body`. Keys in `left_out` count as unknown, although `T` has fields for them.
    pub(crate) fn read(
        body: &[u8],
        left_out: &'static [&'static str],
    ) -> Result<Self, RequestError> {
        // The scan refuses repeated keys and deep nesting, which serde_json would accept.
        let text = scan(body)?.text();
        let object = Object::<T>::whole(text, left_out).map_err(|found| {
            RequestError::invalid_json(format!("expected an object, found {found}"), None)
        })?;
        let mut unknown = Unknown::default();
        let draft = object.draft(&Path::Root, &mut unknown);
        Ok(Self {
            draft,
            unknown: unknown.into_warnings(),
        })
    }
}
