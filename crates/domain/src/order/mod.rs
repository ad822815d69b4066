//! Orders: content, requests, use cases and the storage port.
//!
//! A caller fills a draft of [`request`], such as [`OrderDraft`](request::OrderDraft), and passes
//! it to a use case of [`OrderService`]. The use case checks the draft and returns an [`Order`]:
//! its content ([`OrderParts`]), its [state](crate::fulfilment::OrderState) and its shipments.

mod address;
mod command;
mod concurrent;
mod correct_fees;
mod create;
mod decide;
mod dry_run;
mod due;
mod edit;
mod edited;
mod error;
mod fast_forward;
mod find;
mod find_shipments;
pub mod fingerprint;
mod history;
mod identity;
mod item;
mod journey;
mod load;
mod lookup;
mod move_items;
mod move_orders;
mod move_to;
mod new_order;
mod order_match;
mod parts;
mod port;
pub mod price;
mod priced;
mod replace;
mod repriced;
pub mod request;
mod rest_of_page;
mod result;
pub mod search;
mod search_orders;
mod service;
mod shipment;
mod size;
mod source;
mod update;
mod writer;

pub use crate::pricing::OrderKind;
pub use address::{Address, Customer};
pub use error::OrderError;
pub use find::{OrderReader, OrderScope, OwnOrderIds, ReadOrder};
pub use find_shipments::ShipmentMatches;
pub use history::{GetDraft, History, HistoryDraft};
pub use identity::OrderIdentity;
pub use item::LineItem;
pub use load::load_next;
pub use lookup::Lookup;
pub use move_items::{MovedItems, RefusedItem};
pub use move_orders::{ChosenItems, MoveResult, MovedOrder, MovedOrders, MovedState};
pub use new_order::{NewOrder, Order};
pub use order_match::OrderMatch;
pub use parts::{InvalidOrder, OrderParts};
pub(crate) use parts::{check, check_size};
pub use port::{
    DueOrder, FastForward, FastForwardResult, OrderRepository, OrderWrite, ShipmentLookup,
    ShipmentMatch,
};
pub use priced::OrderPricing;
pub use rest_of_page::RestOfPage;
pub use result::{DryRun, DryRunOrder, Placed};
pub use search_orders::SearchPage;
pub use service::{DueOrders, OrderEditor, OrderMover, OrderPlacer, OrderService, OrderShipper};
pub use shipment::Shipped;
pub use source::{Source, shown_order_id};
