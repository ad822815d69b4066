//! Search words of variants, and those of variants that a program wrote which made none.

use diesel::prelude::*;
use diesel::sqlite::SqliteConnection;
use pressline_domain::error::RepositoryError;
use pressline_store_kit::VariantRow;
use pressline_store_kit::schema::products;

use crate::error::Failure;
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
        /// False where it has none yet.
        has_words -> Bool,
    }
}

/// Stands before the words of variants in the place of a store's number, which no store has.
pub(crate) const CATALOG: i64 = 0;

/// Variants that are read together.
const CHUNK: i64 = 1000;

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

/// Whether a variant has no words yet. Only where its table is there.
pub(crate) fn lacks_words(connection: &mut SqliteConnection) -> QueryResult<bool> {
    let without = variant_numbers::table.filter(variant_numbers::has_words.eq(false));
    diesel::select(diesel::dsl::exists(without)).get_result(connection)
}

/// Gives each variant its words that has none. Within a transaction.
pub(crate) fn fill(connection: &mut SqliteConnection) -> Result<(), Failure> {
    loop {
        let numbers: Vec<(i64, String)> = variant_numbers::table
            .filter(variant_numbers::has_words.eq(false))
            .select((variant_numbers::row_id, variant_numbers::sku))
            .limit(CHUNK)
            .load(connection)?;
        if numbers.is_empty() {
            return Ok(());
        }
        for (row_id, sku) in &numbers {
            let row: VariantRow = products::table
                .find(sku)
                .select(VariantRow::as_select())
                .first(connection)?;
            put(connection, *row_id, &tokens(&row)?)?;
            diesel::update(variant_numbers::table.find(sku))
                .set(variant_numbers::has_words.eq(true))
                .execute(connection)?;
        }
        tracing::info!(variants = numbers.len(), "made search words");
    }
}
