//! The tables that variants and prices are imported into.

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{Array, BigInt, Bool, Nullable, Text};
use pressline_domain::catalog::product_names::StoredVariant;
use pressline_store_kit::schema::{prices, products};
use pressline_store_kit::{ImportRow, ImportTable, PriceRow, VariantRow, VariantTable, Write};

use crate::columns::{columns, push_assignments, push_names};
use crate::error::Failure;
use crate::words;

columns! {
    /// Variants without their words.
    VariantColumns of VariantRow {
        sku: String as Text,
        name: String as Text,
        price: Option<i64> as Nullable<BigInt>,
        currency: String as Text,
        areas: String as Text,
        product_id: Option<String> as Nullable<Text>,
        product_name: Option<String> as Nullable<Text>,
        options: String as Text,
        ship_classes: String as Text,
        weight_grams: i64 as BigInt,
        retired: bool as Bool,
    }
}

columns! {
    /// Prices.
    PriceColumns of PriceRow {
        store_id: String as Text,
        sku: String as Text,
        currency: String as Text,
        valid_from: i64 as BigInt,
        amount: i64 as BigInt,
    }
}

/// Variants, within a transaction.
pub(super) struct Variants<'c>(pub(super) &'c mut PgConnection);

impl ImportTable<VariantRow> for Variants<'_> {
    type Failure = Failure;

    fn stored(&mut self, skus: &[String]) -> Result<Vec<VariantRow>, Failure> {
        let stored = products::table
            .filter(products::sku.eq_any(skus))
            .select(VariantRow::as_select());
        Ok(stored.load(self.0)?)
    }

    fn write(&mut self, writes: &[Write<VariantRow>]) -> Result<(), Failure> {
        let words = |write: &Write<VariantRow>| Ok(words::joined(&write.row.words()?));
        WriteVariants {
            columns: VariantColumns::of(writes.iter().map(|write| &write.row)),
            words: writes.iter().map(words).collect::<Result<_, Failure>>()?,
        }
        .execute(self.0)?;
        Ok(())
    }

    fn all(&mut self, _: &[VariantRow]) -> Result<Vec<String>, Failure> {
        Ok(products::table
            .filter(products::retired.eq(false))
            .select(products::sku)
            .load(self.0)?)
    }

    fn retire(&mut self, skus: &[String]) -> Result<(), Failure> {
        let retiring = products::table.filter(products::sku.eq_any(skus));
        diesel::update(retiring)
            .set(products::retired.eq(true))
            .execute(self.0)?;
        Ok(())
    }
}

impl VariantTable for Variants<'_> {
    fn of_products(&mut self, ids: &[&str]) -> Result<Vec<StoredVariant>, Failure> {
        let mut stored = Vec::new();
        // Literal conditions, so that each statement uses its partial index.
        for retired in ["NOT retired", "retired"] {
            let of_products = diesel::dsl::sql::<Bool>("COALESCE(product_id, sku) = ANY(")
                .bind::<Array<Text>, _>(ids)
                .sql(&format!(") AND {retired}"));
            let columns = (
                products::sku,
                products::product_id,
                products::product_name,
                products::retired,
            );
            let rows: Vec<(String, Option<String>, Option<String>, bool)> = products::table
                .filter(of_products)
                .select(columns)
                .load(self.0)?;
            stored.extend(rows.into_iter().map(pressline_store_kit::stored_variant));
        }
        Ok(stored)
    }
}

/// Price lists, within a transaction.
pub(super) struct Prices<'c>(pub(super) &'c mut PgConnection);

type PriceKey = <PriceRow as ImportRow>::Key;

impl ImportTable<PriceRow> for Prices<'_> {
    type Failure = Failure;

    fn stored(&mut self, keys: &[PriceKey]) -> Result<Vec<PriceRow>, Failure> {
        Ok(SelectPrices(PriceKeys::of(keys)).load(self.0)?)
    }

    fn write(&mut self, writes: &[Write<PriceRow>]) -> Result<(), Failure> {
        WritePrices(PriceColumns::of(writes.iter().map(|write| &write.row))).execute(self.0)?;
        Ok(())
    }

    /// Those of the lists that come.
    fn all(&mut self, rows: &[PriceRow]) -> Result<Vec<PriceKey>, Failure> {
        let mut lists: Vec<&str> = rows.iter().map(|row| row.store_id.as_str()).collect();
        lists.dedup();
        let key = (
            prices::store_id,
            prices::sku,
            prices::currency,
            prices::valid_from,
        );
        Ok(prices::table
            .filter(prices::store_id.eq_any(lists))
            .select(key)
            .load(self.0)?)
    }

    fn retire(&mut self, keys: &[PriceKey]) -> Result<(), Failure> {
        DeletePrices(PriceKeys::of(keys)).execute(self.0)?;
        Ok(())
    }
}

/// The lexemes of a variant, made in SQL of its joined words.
const LEXEMES: &str = "array_to_tsvector(string_to_array(words, chr(1)))";

/// Inserts variants with their words, or replaces those that exist.
struct WriteVariants<'a> {
    columns: VariantColumns<'a>,
    words: Vec<String>,
}

impl QueryFragment<Pg> for WriteVariants<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("INSERT INTO products (");
        push_names(&mut out, "", VariantColumns::NAMES);
        out.push_sql(", words) SELECT ");
        push_names(&mut out, "", VariantColumns::NAMES);
        out.push_sql(", ");
        out.push_sql(LEXEMES);
        out.push_sql(" FROM UNNEST(");
        self.columns.arguments(out.reborrow())?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.words)?;
        out.push_sql(") AS given(");
        push_names(&mut out, "", VariantColumns::NAMES);
        out.push_sql(", words) ON CONFLICT (sku) DO UPDATE SET ");
        push_assignments(&mut out, "excluded.", VariantColumns::NAMES);
        out.push_sql(", words = excluded.words");
        Ok(())
    }
}

/// Inserts prices, or replaces those that exist.
struct WritePrices<'a>(PriceColumns<'a>);

impl QueryFragment<Pg> for WritePrices<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("INSERT INTO prices (");
        push_names(&mut out, "", PriceColumns::NAMES);
        out.push_sql(") SELECT * FROM UNNEST(");
        self.0.arguments(out.reborrow())?;
        out.push_sql(
            ") ON CONFLICT (store_id, sku, currency, valid_from) DO UPDATE SET amount = excluded.amount",
        );
        Ok(())
    }
}

/// What names prices, as arrays.
struct PriceKeys<'a> {
    stores: Vec<&'a str>,
    skus: Vec<&'a str>,
    currencies: Vec<&'a str>,
    moments: Vec<i64>,
}

impl<'a> PriceKeys<'a> {
    fn of(keys: &'a [PriceKey]) -> Self {
        Self {
            stores: keys.iter().map(|key| key.0.as_str()).collect(),
            skus: keys.iter().map(|key| key.1.as_str()).collect(),
            currencies: keys.iter().map(|key| key.2.as_str()).collect(),
            moments: keys.iter().map(|key| key.3).collect(),
        }
    }

    /// Writes the condition that a price has one of these keys.
    fn push_condition<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("(store_id, sku, currency, valid_from) IN (SELECT * FROM UNNEST(");
        out.push_bind_param::<Array<Text>, _>(&self.stores)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.skus)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<Text>, _>(&self.currencies)?;
        out.push_sql(", ");
        out.push_bind_param::<Array<BigInt>, _>(&self.moments)?;
        out.push_sql("))");
        Ok(())
    }
}

struct SelectPrices<'a>(PriceKeys<'a>);

impl QueryFragment<Pg> for SelectPrices<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("SELECT ");
        push_names(&mut out, "", PriceColumns::NAMES);
        out.push_sql(" FROM prices WHERE ");
        self.0.push_condition(&mut out)
    }
}

impl Query for SelectPrices<'_> {
    type SqlType = prices::SqlType;
}

struct DeletePrices<'a>(PriceKeys<'a>);

impl QueryFragment<Pg> for DeletePrices<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql("DELETE FROM prices WHERE ");
        self.0.push_condition(&mut out)
    }
}

/// The text of these statements never changes, so that a connection prepares them once.
macro_rules! prepared {
    ($($name:ident)*) => {$(
        impl QueryId for $name<'_> {
            type QueryId = $name<'static>;
            const HAS_STATIC_QUERY_ID: bool = true;
        }

        impl RunQueryDsl<PgConnection> for $name<'_> {}
    )*};
}

prepared!(WriteVariants WritePrices SelectPrices DeletePrices);
