//! Administration of stores and their keys.

mod change;
mod draft;
mod service;

pub use change::StoreChange;
pub use draft::{StoreDraft, StoreIdDraft};
pub use service::{NewStore, StoreAdmin, StoreError, StoreWithSecret};
