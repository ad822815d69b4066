//! Search words of variants.

use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_store_kit::VariantRow;

use crate::words;

diesel::table! {
    /// The full text index.
    product_words (rowid) {
        /// The `row_id` of the variant.
        rowid -> BigInt,
        /// Its words.
        words -> Text,
    }
}

diesel::table! {
    /// What this store alone keeps of variants.
    #[sql_name = "products"]
    variant_numbers (sku) {
        /// The variant.
        sku -> Text,
        /// The row of its search words.
        row_id -> BigInt,
    }
}

/// Stands before the words of variants in the place of a store's number, which no store has.
pub(crate) const CATALOG: i64 = 0;

/// The words of a variant as tokens with spaces between them.
pub(super) fn tokens(row: &VariantRow) -> Result<String, RepositoryError> {
    let words = row.words()?;
    Ok(words
        .iter()
        .map(|word| words::token(CATALOG, word))
        .collect::<Vec<_>>()
        .join(" "))
}

/// Puts the words of a variant in, or others in their place.
pub(super) fn put(connection: &mut SqliteConnection, row_id: i64, tokens: &str) -> QueryResult<()> {
    diesel::replace_into(product_words::table)
        .values((
            product_words::rowid.eq(row_id),
            product_words::words.eq(tokens),
        ))
        .execute(connection)?;
    Ok(())
}
