//! Signatures, keys and their sealing: the HMAC signer and the authenticator.
//!
//! - [`HmacSigner`] computes and checks `X-Service-Hmac-Sha256`.
//! - [`Sealer`] makes the stores' secret keys and keeps them encrypted under a [`MasterKey`].
//! - [`StoreAuthenticator`] tells which store calls, from keys that it holds for a few seconds.

mod authenticator;
mod cache;
mod master_key;
mod sealer;
mod signer;

pub use authenticator::StoreAuthenticator;
pub use cache::{MAX_AGE, MAX_UNKNOWN, RELOAD_INTERVAL};
pub use master_key::{MasterKey, MasterKeyError};
pub use sealer::Sealer;
pub use signer::HmacSigner;
