//! The session of a request.

use std::sync::Arc;

use pressline_domain::operator::SignedIn;

use super::keys::SessionKeys;

#[derive(Clone)]
pub(crate) struct Session {
    pub(crate) signed_in: Arc<SignedIn>,
    pub(crate) keys: SessionKeys,
}
