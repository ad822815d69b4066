//! The overview of the shop's day: what is ready, how far it has come, what needs a decision, and what came in and
//! went out lately.

mod open;
mod open_orders;
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
pub use service::{OverviewPorts, OverviewService, TodayDraft};
pub use today::{Problems, ReadyProduct, StepUnits, Today};
