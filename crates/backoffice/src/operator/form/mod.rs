//! Idempotent forms: a form that creates something and is sent twice returns its first result.

mod port;
mod service;

use pressline_domain::value::id::{FormId, OperatorId};

pub use port::FormResults;
pub use service::FormService;

/// Identifies a sent form. A page gives its form a new id each time it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormKey {
    /// Operator who sent the form.
    pub operator: OperatorId,
    /// Id that the page gave the form, from [`FormService::new_form`].
    pub form: FormId,
}

/// State of a form when it is sent, as returned by [`FormResults::claim`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormClaim {
    /// The form is sent for the first time.
    First,
    /// The form was sent before, and has no result yet. If the server has stopped meanwhile, it
    /// never gets a result.
    Unfinished,
    /// The form was sent before. Contains the result given to [`FormResults::finish`].
    Done(String),
}
