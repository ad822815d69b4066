//! Forms that create something: one that is sent twice gives its first result.

mod port;
mod service;

use pressline_domain::id::{FormId, OperatorId};

pub use port::FormResults;
pub use service::FormService;

/// A form that was sent: each time that its page is shown, it has another id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormKey {
    /// Who has sent it.
    pub operator: OperatorId,
    /// The id that its page has given it.
    pub form: FormId,
}

/// What is known about a form when it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormClaim {
    /// It is sent for the first time.
    First,
    /// It was sent before and has no result yet. If the server has stopped meanwhile, it never gets
    /// one.
    Unfinished,
    /// It was sent before; with its result, in the words of the one who stored it.
    Done(String),
}
