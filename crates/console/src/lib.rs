//! The pages that operators use in a browser.
//!
//! Pages are rendered on the server and work without scripts: every link is a link, every action a
//! form. The binary creates a [`Console`] from the use cases, and [`configure`] adds it to the
//! application of the operators' listener.
//!
//! Each subject has its pages and a table of its routes in `pages`, built on the shared `shell`.
//! `routes` collects the tables for routing, the navigation and the role matrix. The
//! code that routes and serves requests depends on `pages` and `shell`. No files import each other
//! in a circle.

// Modules import only modules of the groups above them.
mod shell;

mod pages;

mod routes;
mod serve;

mod configure;
mod matrix;

pub use configure::configure;
pub use matrix::role_matrix;
pub use shell::console::Console;
pub use shell::services::Services;
pub use shell::session::transport::TransportRule;
pub use shell::status::{DatabaseState, SystemState, SystemStateFuture, SystemStatus};
