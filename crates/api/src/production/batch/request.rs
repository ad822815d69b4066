//! Request bodies of operations on batches.

use pressline_backoffice::production::{BatchDraft, BatchNameDraft, BatchesDraft};
use pressline_domain::check::field::Field;
use pressline_domain::value::page::PageDraft;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Lenient, body};

/// A batch to create.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct CreateBatch {
    /// Codes of the items, each once, in the order of their production.
    #[schema(value_type = Vec<String>, min_items = 1, max_items = 500)]
    items: Lenient<Vec<Field<String>>>,
    /// Name of the batch, for people.
    #[schema(value_type = Option<String>, max_length = 255)]
    name: Lenient<String>,
}

body! { CreateBatch => BatchDraft { items, name } }

/// Reference to a batch.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct BatchName {
    /// Number of the batch, with or without `BATCH-`.
    #[schema(value_type = String)]
    batch: Lenient<String>,
}

body! { BatchName => BatchNameDraft { batch } }

/// Search for batches. Every field is optional; `{}` finds all batches.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct SearchBatches {
    /// `true` for open batches, `false` for closed batches; if absent, both.
    #[schema(value_type = Option<bool>)]
    open: Lenient<bool>,
    /// Number of batches per page; default `20`.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100)]
    size: Lenient<i64>,
    /// The `nextCursor` of the previous page, to read the next page. `open` must be the same.
    #[schema(value_type = Option<String>)]
    cursor: Lenient<String>,
}

body! {
    SearchBatches => BatchesDraft {
        open,
        paging: PageDraft { page: Field::Absent, size, cursor },
    }
}
