//! Host of the service: settings, log, messages to the service manager, and health requests of a
//! process. Nothing in this crate knows orders, operators or commands.

// Modules import only modules of the groups above them.
pub mod color;
pub mod health_request;
pub mod settings;
pub mod terminal;

pub mod logging;
pub mod systemd;
