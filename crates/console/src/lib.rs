//! The pages that operators use in a browser.
//!
//! They are rendered on the server and work without scripts: every link is a link, every action a
//! form. The binary makes a [`Console`] of the use cases and serves what [`configure`] adds to the
//! application of the operators' listener. One table has every route; routing, the navigation and
//! the matrix of roles read it.
//!
//! The pages of each subject (`pages`) are made on a common ground (`shell`). The code that routes and
//! serves requests is above both. No files import each other in a circle.

mod configure;
mod matrix;
mod pages;
mod routes;
mod serve;
mod shell;

pub use configure::configure;
pub use matrix::role_matrix;
pub use shell::console::Console;
pub use shell::services::Services;
pub use shell::session::transport::TransportRule;
pub use shell::status::{SystemFact, SystemFacts, SystemStatus};
