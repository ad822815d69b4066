//! The ports: what the domain needs from outside, as traits that adapters implement.
//!
//! Every MUST in a port's documentation has a case of that name in the contract suite, which every
//! adapter runs.

mod auth;
mod catalog;
mod error;
mod orders;
mod runtime;
mod stores;

pub use auth::{
    Authenticator, Call, Denied, IssuedKey, KeyIssuer, SealError, SignedText, Signer,
    is_signature_form,
};
pub use catalog::{
    Catalog, CatalogAdmin, ChangeKind, FoundProducts, ImportOptions, Imported, Offer, ProductQuery,
    ProductStart, StoredTariff,
};
pub use error::{RepositoryError, Source};
pub use orders::{Lookup, OrderChange, OrderRepository, OrderWrite};
pub use runtime::{Clock, IdSource};
pub use stores::{MAX_UNREADABLE, ResealReport, StoreDirectory};
