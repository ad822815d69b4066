//! Search words of variants.

use diesel::QueryResult;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_store_kit::{Sql, VariantRow};

use crate::sql::run;
use crate::words;

static INSERT: Sql = Sql::new("INSERT INTO product_words (rowid, words) VALUES (:id, :words)");
static DELETE_UNUSED: Sql = Sql::new(
    "DELETE FROM product_words
     WHERE rowid = :id
       AND NOT EXISTS (SELECT 1 FROM product_rows WHERE words_id = :id)",
);

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
    let values = [("id", words_id.into()), ("words", tokens.into())];
    run(connection, &INSERT, &values)?;
    Ok(())
}

pub(super) fn remove_unused(connection: &mut SqliteConnection, words_id: i64) -> QueryResult<()> {
    let values = [("id", words_id.into())];
    run(connection, &DELETE_UNUSED, &values)?;
    Ok(())
}
