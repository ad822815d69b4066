//! Requests as they come in, before anything is checked, and the checks that make them valid.
//!
//! Drafts hold [`Field`]s, so that absent, blank and wrongly typed values can all be reported in
//! one go. Paths in violations and warnings are spelled as the fields are in the HTTP interface.

mod address;
mod fingerprint;
mod item;
mod order;
mod text;
mod update;

pub use address::{AddressDraft, CustomerDraft};
pub use item::LineItemDraft;
pub use order::OrderDraft;
pub(crate) use order::{Extent, ValidOrder};
pub use update::{ItemChange, UpdateDraft};
pub(crate) use update::{ItemReplacement, ItemUpdate, OptionalChange, ValidUpdate, item_id};

pub(crate) use item::ValidItem;

#[cfg(doc)]
use crate::field::Field;
