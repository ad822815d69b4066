//! Checks signatures and tokens, and seals secret keys.
//!
//! - [`HmacSigner`] computes and checks `X-Service-Hmac-Sha256`.
//! - [`Sealer`] makes the stores' secret keys and encrypts them with a [`MasterKey`]; [`KeyFiles`]
//!   are the files of the master key next to a database, which change during a rotation.
//! - [`SecretFile`] reads a file with a secret, and says whether others have access to it.
//! - [`StoreAuthenticator`] authenticates the calls of stores, with keys that it caches for
//!   seconds.
//! - [`TokenAuthenticator`] authenticates the calls of operators, and [`SystemSecrets`] makes the
//!   secrets of their tokens.

// Modules import only modules of the groups above them.
mod passwords;
mod secret_file;
mod signer;

mod master_key;

mod key_files;
mod sealer;

mod cache;
mod uses;

mod authenticator;
mod tokens;

pub use authenticator::StoreAuthenticator;
pub use cache::{MAX_UNKNOWN, RELOAD_INTERVAL, SWEEP_INTERVAL};
pub use key_files::KeyFiles;
pub use master_key::{MasterKey, MasterKeyError};
pub use passwords::Argon2Hasher;
pub use sealer::Sealer;
pub use secret_file::{Exposed, SecretFile};
pub use signer::HmacSigner;
pub use tokens::{SystemSecrets, TokenAuthenticator};
pub use uses::WRITE_INTERVAL;
