//! The tables that variants and prices are imported into.

use diesel::pg::{Pg, PgConnection};
use diesel::prelude::*;
use diesel::query_builder::AstPass;
use diesel::sql_types::{Array, BigInt, Bool, Text};
use pressline_domain::catalog::product_names::StoredVariant;
use pressline_store_kit::schema::{prices, products};
use pressline_store_kit::{
    ImportRow, ImportTable, ImportTarget, Parameters, PriceRow, SqlText, VariantRow, VariantTable,
    Write, statement_text, unknown_parameter,
};

use crate::columns::{PriceColumns, VariantColumns};
use crate::error::Failure;
use crate::words;

pub(super) struct Variants<'c>(pub(super) &'c mut PgConnection);

impl ImportTable<VariantRow> for Variants<'_> {
    type Failure = Failure;

    fn stored(&mut self, skus: &[String]) -> Result<Vec<VariantRow>, Failure> {
        let stored = products::table
            .filter(products::sku.eq_any(skus))
            .select(VariantRow::as_select());
        Ok(stored.load(self.0)?)
    }

    fn all(&mut self, _: &[VariantRow]) -> Result<Vec<String>, Failure> {
        Ok(products::table
            .filter(products::retired.eq(false))
            .select(products::sku)
            .load(self.0)?)
    }
}

impl ImportTarget<VariantRow> for Variants<'_> {
    type Failure = Failure;

    fn write(&mut self, writes: &[Write<VariantRow>]) -> Result<(), Failure> {
        let words = |write: &Write<VariantRow>| Ok(words::joined(&write.row.words()?));
        WriteVariants {
            columns: VariantColumns::of(writes.iter().map(|write| &write.row)),
            words: writes.iter().map(words).collect::<Result<_, Failure>>()?,
        }
        .execute(self.0)?;
        Ok(())
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

pub(super) struct Prices<'c>(pub(super) &'c mut PgConnection);

type PriceKey = <PriceRow as ImportRow>::Key;

impl ImportTable<PriceRow> for Prices<'_> {
    type Failure = Failure;

    fn stored(&mut self, keys: &[PriceKey]) -> Result<Vec<PriceRow>, Failure> {
        Ok(SelectPrices(PriceKeys::new(keys)).load(self.0)?)
    }

    /// Keys of the stored prices of each list that occurs in `rows`.
    fn all(&mut self, rows: &[PriceRow]) -> Result<Vec<PriceKey>, Failure> {
        let mut lists: Vec<&str> = rows.iter().map(|row| row.store_id.as_str()).collect();
        // Rows come sorted by store, so that equal neighbours are all the duplicates.
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
}

impl ImportTarget<PriceRow> for Prices<'_> {
    type Failure = Failure;

    fn write(&mut self, writes: &[Write<PriceRow>]) -> Result<(), Failure> {
        WritePrices(PriceColumns::of(writes.iter().map(|write| &write.row))).execute(self.0)?;
        Ok(())
    }

    fn retire(&mut self, keys: &[PriceKey]) -> Result<(), Failure> {
        DeletePrices(PriceKeys::new(keys)).execute(self.0)?;
        Ok(())
    }
}

struct WriteVariants<'a> {
    columns: VariantColumns<'a>,
    words: Vec<String>,
}

impl Parameters<Pg> for WriteVariants<'_> {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        match name {
            "variants" => self.columns.push(out),
            "words" => out.push_bind_param::<Array<Text>, _>(&self.words),
            _ => Err(unknown_parameter(name)),
        }
    }
}

struct WritePrices<'a>(PriceColumns<'a>);

impl Parameters<Pg> for WritePrices<'_> {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        match name {
            "prices" => self.0.push(out),
            _ => Err(unknown_parameter(name)),
        }
    }
}

struct PriceKeys<'a> {
    stores: Vec<&'a str>,
    skus: Vec<&'a str>,
    currencies: Vec<&'a str>,
    times: Vec<i64>,
}

impl<'a> PriceKeys<'a> {
    fn new(keys: &'a [PriceKey]) -> Self {
        Self {
            stores: keys.iter().map(|key| key.0.as_str()).collect(),
            skus: keys.iter().map(|key| key.1.as_str()).collect(),
            currencies: keys.iter().map(|key| key.2.as_str()).collect(),
            times: keys.iter().map(|key| key.3).collect(),
        }
    }
}

impl Parameters<Pg> for PriceKeys<'_> {
    fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        match name {
            "stores" => out.push_bind_param::<Array<Text>, _>(&self.stores),
            "skus" => out.push_bind_param::<Array<Text>, _>(&self.skus),
            "currencies" => out.push_bind_param::<Array<Text>, _>(&self.currencies),
            "times" => out.push_bind_param::<Array<BigInt>, _>(&self.times),
            _ => Err(unknown_parameter(name)),
        }
    }
}

struct SelectPrices<'a>(PriceKeys<'a>);
struct DeletePrices<'a>(PriceKeys<'a>);

/// Binds the parameters of both statements: the price keys.
macro_rules! by_keys {
    ($($name:ident)*) => {$(
        impl Parameters<Pg> for $name<'_> {
            fn bind<'b>(&'b self, name: &str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
                self.0.bind(name, out)
            }
        }
    )*};
}

by_keys!(SelectPrices DeletePrices);

/// Returns the text of `statement` with its `{having_keys}` replaced by the comparison with the
/// keys.
fn with_keys(statement: &str) -> SqlText {
    SqlText::new(
        statement,
        &[("having_keys", include_str!("sql/price_keys.sql"))],
    )
}

statement_text!(
    WriteVariants<'_>,
    WriteVariants<'static>,
    Pg,
    (),
    SqlText::new(include_str!("sql/write_variants.sql"), &[])
);
statement_text!(
    WritePrices<'_>,
    WritePrices<'static>,
    Pg,
    (),
    SqlText::new(include_str!("sql/write_prices.sql"), &[])
);
statement_text!(
    SelectPrices<'_>,
    SelectPrices<'static>,
    Pg,
    prices::SqlType,
    with_keys("SELECT prices.* FROM prices WHERE {having_keys}")
);
statement_text!(
    DeletePrices<'_>,
    DeletePrices<'static>,
    Pg,
    (),
    with_keys("DELETE FROM prices WHERE {having_keys}")
);
