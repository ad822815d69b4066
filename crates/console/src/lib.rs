//! The pages that operators use in a browser.
//!
//! They are rendered on the server and work without scripts: every link is a link, every action a
//! form. The binary makes a [`Console`] of the use cases and serves what [`configure`] adds to the
//! application of the operators' listener. One table has every route; routing, the navigation and
//! the matrix of roles read it.

mod account;
mod assets;
mod background;
mod batches;
mod catalog;
mod configure;
mod console;
mod figures;
mod filter;
mod find;
mod form;
mod frame;
mod import;
mod list;
mod matrix;
mod message;
mod order;
mod overviews;
mod paths;
mod print;
mod problem;
mod problem_counts;
mod queue;
mod reply;
mod route;
mod routes;
mod scan;
mod services;
mod session;
mod shipment;
mod status;
mod store;
mod system;
mod task;
mod time;
mod today;
mod view;
mod visit;
mod webhook;

pub use configure::configure;
pub use console::Console;
pub use matrix::role_matrix;
pub use services::Services;
pub use status::{SystemFact, SystemFacts, SystemStatus};
pub use visit::transport::TransportRule;
