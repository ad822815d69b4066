//! Session of a request: its cookies, keys and transport.

pub(crate) mod cookie;
pub(crate) mod keys;
pub(crate) mod transport;

use std::sync::Arc;

use pressline_backoffice::operator::SignedIn;

use keys::SessionKeys;

#[derive(Clone)]
pub(crate) struct Session {
    pub(crate) signed_in: Arc<SignedIn>,
    pub(crate) keys: SessionKeys,
}
