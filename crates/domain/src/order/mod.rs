//! An order as the service keeps it.

mod address;
mod command;
mod correct_fees;
mod create;
mod decide;
mod dry_run;
mod due;
mod edit;
mod edited;
mod error;
mod find;
pub mod fingerprint;
mod history;
mod identity;
mod import;
mod item;
mod kind;
mod move_items;
mod move_orders;
mod new_order;
mod notes;
mod parts;
mod port;
mod price;
pub mod queue;
mod replace;
mod repriced;
pub mod request;
pub mod sandbox;
pub mod search;
mod service;
mod shipment;
mod size;
mod update;

pub use address::{Address, Customer};
pub(crate) use error::refused;
pub use error::{ExistingOrder, OrderError};
pub use find::Reach;
pub use history::{GetDraft, History, HistoryDraft};
pub use identity::OrderIdentity;
pub use import::{ImportedOrder, ORDER_COLUMNS, OrderImport, OrderImportReport, OrderRows};
pub use item::LineItem;
pub use kind::{OrderKind, Source, shown_order_id};
pub use move_items::{ChosenItems, MovedItems, RefusedItem};
pub use move_orders::{MoveResult, MovedOrder, MovedOrders, MovedState};
pub use new_order::{NewOrder, Order};
pub use notes::{Note, NoteRepository, NoteService, NotedOrder};
pub use parts::{InvalidOrder, OrderParts};
pub(crate) use parts::{check, check_size};
pub use port::{
    DueOrder, FoundShipment, Lookup, Nearer, NearerOrders, OrderRepository, OrderWrite,
    ShipmentLookup,
};
pub use service::{DryRun, DryRunOrder, OrderService, Placed};
pub use shipment::{
    FoundShipments, ImportedParcel, PARCEL_COLUMNS, ParcelsDraft, RowProblem, SHIPMENT_COLUMNS,
    ShipmentImport, ShipmentImportReport, ShipmentRows, Shipped,
};
