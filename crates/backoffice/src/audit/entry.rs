//! Entries of the audit log.

use pressline_domain::value::{AuditId, OperatorId, Timestamp};

use super::action::AuditAction;

/// Operator or command line that performed an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditActor {
    /// An operator, with the name at the time of the action.
    Operator {
        /// Id of the operator who performed the action.
        id: OperatorId,
        /// Name of the operator at the time of the action; a later renaming does not change it.
        name: String,
    },
    /// A person who used a `pressline` command and has access to the server's configuration.
    CommandLine,
}

/// Actor of a change, and the HTTP request that caused the change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditContext {
    /// Operator or command line that makes the change.
    pub actor: AuditActor,
    /// Id of the HTTP request; `None` on the command line.
    pub request_id: Option<String>,
}

impl AuditContext {
    /// Author of all changes by the command line.
    pub const COMMAND_LINE: Self = Self {
        actor: AuditActor::CommandLine,
        request_id: None,
    };
}

/// Entry of the audit log. It contains no secrets, and [`AuditLog`](super::AuditLog) never changes
/// it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// Id of the entry, a UUIDv7; entries sorted by their ids are sorted by time.
    pub id: AuditId,
    /// Time at which the entry was made: just before the action, but just after it for an import.
    pub at: Timestamp,
    /// Actor that performed the action, and the id of the HTTP request.
    pub author: AuditContext,
    /// Kind of the action, such as [`AuditAction::StoreCreated`].
    pub action: AuditAction,
    /// Name, id or both of the object, and the changed settings; up to 1,000 characters.
    pub subject: String,
}
