//! Overview of the print shop's day: ready products, units at each production step, orders that
//! need a decision, and orders and shipments of the last hours.

mod open;
mod port;
mod problem;
mod problem_kind;
mod product;
mod service;
mod today;

pub use open::{OpenItem, OpenOrder};
pub use port::{HourCounts, Hours, Overview};
pub use problem::{ProblemOrder, ProblemsDraft};
pub use problem_kind::ProblemKind;
pub use product::WaitingProduct;
pub use service::{OverviewService, TodayDraft};
pub use today::{ReadyProduct, StepUnits, Today};
