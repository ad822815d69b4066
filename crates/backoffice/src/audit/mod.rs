//! Audit log: actions of operators and of the command line that no order history records.

mod action;
mod entry;
mod port;
mod service;

pub use action::AuditAction;
pub use entry::{AuditActor, AuditContext, AuditEntry};
pub use port::AuditLog;
pub(crate) use service::audited;
pub use service::{Audit, AuditRecorder};
