//! Keys of a store.

use askama::Template;
use pressline_backoffice::store::StoreIdDraft;
use pressline_backoffice::store::StoreWithSecret;
use pressline_http::request_error::RequestError;

use super::reached::{administered, id, path, which};
use crate::shell::{Answer, Frame, Reply, Result, SignedInRequest};

/// Creates another key of the store, and shows its secret. No other page shows this secret.
pub(crate) async fn rotate(visit: SignedInRequest) -> Answer {
    let id = id(&visit)?;
    let made = administered(&visit).rotate_key(&which(id)).await?;
    let message = "The key was made by this form before. Its secret was shown then, and is shown only once: rotate the \
                   key again if it was not saved.";
    let page = SecretPage::new(&visit, &made)?;
    // The page with the secret is not kept, so a repeated form shows the message.
    Ok(Reply::page(&page)?.once(path(id), message))
}

pub(crate) async fn revoke(visit: SignedInRequest) -> Answer {
    let id = id(&visit)?;
    let draft = StoreIdDraft {
        key_id: visit.form().text("keyId"),
        ..which(id)
    };
    let revoked = administered(&visit).revoke_key(&draft).await;
    revoked.map_err(RequestError::from)?;
    Ok(Reply::done(
        path(id),
        "The key is revoked: within 5 s it opens nothing any more.",
    ))
}

#[derive(Template)]
#[template(path = "store/secret.html")]
pub(super) struct SecretPage<'a> {
    frame: Frame,
    name: &'a str,
    store_path: String,
    store_id: String,
    key_id: String,
    secret: &'a str,
    address: &'a str,
}

impl<'a> SecretPage<'a> {
    pub(super) fn new(visit: &'a SignedInRequest, made: &'a StoreWithSecret) -> Result<Self> {
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
