//! Bodies of operations on batches.

use pressline_backoffice::production::{BatchDraft, BatchNameDraft, BatchesDraft};
use pressline_domain::field::Field;
use pressline_domain::page::PageDraft;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::json::{Lenient, body};

/// A batch to make.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct CreateBatch {
    /// The codes of its items, each once, in the order in which they are produced.
    #[schema(value_type = Vec<String>, min_items = 1, max_items = 500)]
    items: Lenient<Vec<Field<String>>>,
    /// What people call it.
    #[schema(value_type = Option<String>, max_length = 255)]
    name: Lenient<String>,
}

body! { CreateBatch => BatchDraft { items, name } }

/// Which batch.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct BatchName {
    /// Its number, with or without `BATCH-`.
    #[schema(value_type = String, pattern = "^([Bb][Aa][Tt][Cc][Hh]-)?[1-9][0-9]*$")]
    batch: Lenient<String>,
}

body! { BatchName => BatchNameDraft { batch } }

/// The batches to find. Every field is optional; `{}` finds all.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct SearchBatches {
    /// True for open batches, false for closed ones; both if it is absent.
    #[schema(value_type = Option<bool>)]
    open: Lenient<bool>,
    /// Batches on a page; 20 if it is absent.
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 100)]
    size: Lenient<i64>,
    /// The `nextCursor` of the previous page, with the same filter.
    #[schema(value_type = Option<String>)]
    cursor: Lenient<String>,
}

body! {
    SearchBatches => BatchesDraft {
        open,
        paging: PageDraft { page: Field::Absent, size, cursor },
    }
}
