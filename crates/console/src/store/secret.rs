//! The page that shows a new key: the only one that ever contains a secret of a store.

use askama::Template;
use pressline_domain::store::StoreWithSecret;
use pressline_http::request_error::RequestError;

use super::path;
use crate::frame::Frame;
use crate::visit::Visit;

#[derive(Template)]
#[template(path = "store/secret.html")]
pub(super) struct SecretPage<'a> {
    frame: Frame,
    name: &'a str,
    store_path: String,
    store_id: String,
    key_id: String,
    secret: &'a str,
    /// Address of the API for stores.
    address: &'a str,
}

impl<'a> SecretPage<'a> {
    pub(super) fn of(visit: &'a Visit, made: &'a StoreWithSecret) -> Result<Self, RequestError> {
        let store = &made.record.store;
        Ok(Self {
            frame: visit.frame(&["New key", &store.name, "Stores"])?,
            name: &store.name,
            store_path: path(store.id),
            store_id: store.id.to_string(),
            key_id: made.key_id.to_string(),
            secret: made.secret.expose(),
            address: &visit.services().stores_address,
        })
    }
}
