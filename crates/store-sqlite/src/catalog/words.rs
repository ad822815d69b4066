//! Search words of variants.

use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_store_kit::VariantRow;

use super::tables::product_rows;
use crate::words;

diesel::table! {
    product_words (rowid) {
        /// Row id of the words; equal to `words_id` in the rows of the variant.
        rowid -> BigInt,
        words -> Text,
    }
}

/// Chunk number in the prefix of variants' words. No chunk of orders has the number 0.
pub(crate) const CATALOG: i64 = 0;

pub(super) fn tokens(row: &VariantRow) -> Result<String, RepositoryError> {
    let words = row.words()?;
    Ok(words
        .iter()
        .map(|word| words::token(CATALOG, word))
        .collect::<Vec<_>>()
        .join(" "))
}

pub(super) fn add(
    connection: &mut SqliteConnection,
    words_id: i64,
    tokens: &str,
) -> QueryResult<()> {
    diesel::insert_into(product_words::table)
        .values((
            product_words::rowid.eq(words_id),
            product_words::words.eq(tokens),
        ))
        .execute(connection)?;
    Ok(())
}

pub(super) fn remove_unused(connection: &mut SqliteConnection, words_id: i64) -> QueryResult<()> {
    let used: bool = diesel::select(diesel::dsl::exists(
        product_rows::table.filter(product_rows::words_id.eq(words_id)),
    ))
    .get_result(connection)?;
    if !used {
        diesel::delete(product_words::table.find(words_id)).execute(connection)?;
    }
    Ok(())
}
