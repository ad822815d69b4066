//! The audit: what operators and the command line do that the history of no order records.

mod action;
mod port;
mod service;

use crate::operator::Operator;
use pressline_domain::id::{AuditId, OperatorId};
use pressline_domain::time::Timestamp;

pub use action::AuditAction;
pub use port::AuditLog;
pub use service::{Audit, AuditRecorder};

/// Who has done something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditActor {
    /// An operator, with the name that it had.
    Operator {
        /// Its id.
        id: OperatorId,
        /// Its name.
        name: String,
    },
    /// A person with access to the server's configuration, by a command of the program.
    CommandLine,
}

/// Who does something, and with which request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// Who.
    pub actor: AuditActor,
    /// The id of the request; `None` on the command line.
    pub request_id: Option<String>,
}

impl Author {
    /// Who uses the command line.
    pub const COMMAND_LINE: Self = Self {
        actor: AuditActor::CommandLine,
        request_id: None,
    };

    /// Returns an operator as author, with the id of its request.
    pub fn operator(operator: &Operator, request_id: Option<String>) -> Self {
        Self {
            actor: AuditActor::Operator {
                id: operator.id,
                name: operator.name.clone(),
            },
            request_id,
        }
    }
}

/// An entry of the audit. It contains no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its id, a UUIDv7: entries are sorted by it.
    pub id: AuditId,
    /// When.
    pub at: Timestamp,
    /// Who, and with which request.
    pub author: Author,
    /// What was done.
    pub action: AuditAction,
    /// To what it was done: a name, an id or both, and what has changed; at most 1,000 characters.
    pub subject: String,
}
