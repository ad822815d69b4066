//! Signatures, keys and their sealing: the HMAC signer and the authenticator.
//!
//! - [`HmacSigner`] computes and checks `X-Service-Hmac-Sha256`.
//! - [`Sealer`] makes the stores' secret keys and keeps them encrypted under a [`MasterKey`];
//!   [`KeyFiles`] is the master key that is kept beside a database and replaced by rotations.
//! - [`StoreAuthenticator`] tells which store calls, from keys that it holds for a few seconds.

mod authenticator;
mod cache;
mod key_files;
mod master_key;
mod sealer;
mod signer;

pub use authenticator::StoreAuthenticator;
pub use cache::{MAX_AGE, MAX_UNKNOWN, RELOAD_INTERVAL, SWEEP_INTERVAL};
pub use key_files::KeyFiles;
pub use master_key::{MasterKey, MasterKeyError};
pub use sealer::Sealer;
pub use signer::HmacSigner;
