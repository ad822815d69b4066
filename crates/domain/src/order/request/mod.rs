//! Requests as received, and the checks that make them valid.
//!
//! Drafts consist of [`Field`]s, so that absent, blank and wrongly typed values can all be reported
//! in one response. Paths in violations and warnings use the field names of the HTTP interface.

mod address;
mod change;
mod command;
mod decide;
mod destination;
mod fee_line;
mod fingerprint;
mod item;
mod item_change;
mod label;
mod moves;
mod order;
mod own_id;
mod replace;
mod shipment;

pub(crate) use address::name_required;
pub use address::{AddressDraft, CustomerDraft};
pub(crate) use change::OptionalChange;
pub use command::{CommandDraft, ItemNameDraft};
pub(crate) use command::{ValidCommand, unknown_item};
pub use decide::DecideDraft;
pub(crate) use decide::{ValidDecision, ValidVerdict};
pub use fee_line::FeeLineDraft;
pub use item::LineItemDraft;
pub use item_change::ItemChange;
pub(crate) use item_change::{ItemUpdate, item_id};
pub use label::LabelDraft;
pub use moves::{Move, MoveDraft, MoveValues, OrderToMoveDraft};
pub(crate) use moves::{OrderToMove, ValidMove, check_count};
pub(crate) use order::{Extent, ValidUpdate};
pub use order::{OrderDraft, UpdateDraft};
pub use replace::ReplaceDraft;
pub(crate) use replace::{ReplacedItem, ValidReplace};
pub(crate) use shipment::{NamedShipment, ValidShipment};
pub use shipment::{ShipmentDraft, UnitsDraft, tracking_number};

pub(crate) use item::ItemValues;

#[cfg(doc)]
use crate::check::Field;
