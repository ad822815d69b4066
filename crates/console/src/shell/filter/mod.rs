//! Filters of lists, converted from query fields to drafts of the use cases.

pub(crate) mod order;
pub(crate) mod problem;
pub(crate) mod queue;
pub(crate) mod stores;

use crate::shell::form::Fields;
use crate::shell::form::PAGE_FIELDS;

pub(crate) fn is_filtered(query: &Fields) -> bool {
    !filters(query).is_empty()
}

pub(crate) fn filters(query: &Fields) -> Fields {
    query.without(&PAGE_FIELDS)
}
