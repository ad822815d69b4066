//! The row of a product, and what an import does to the rows that are there.

use std::collections::{BTreeMap, HashMap};

use diesel::prelude::*;
use pressline_domain::catalog::Product;
use pressline_domain::money::Amount;
use pressline_domain::ports::{ImportCount, RepositoryError};

use crate::corrupt::Place;
use crate::json;
use crate::schema::products;

/// A product.
#[derive(Debug, Clone, PartialEq, Eq, Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = products, primary_key(sku), treat_none_as_null = true)]
#[diesel(treat_none_as_default_value = false)]
#[expect(missing_docs, reason = "the columns are described where they are created, in the migrations")]
pub struct ProductRow {
    pub sku: String,
    pub name: String,
    pub price: Option<i64>,
    pub currency: String,
    pub areas: String,
}

impl ProductRow {
    /// The row of a product.
    ///
    /// # Errors
    /// [`RepositoryError::Refused`] where the areas cannot be written as JSON.
    pub fn of(product: &Product) -> Result<Self, RepositoryError> {
        Ok(Self {
            sku: product.sku.clone(),
            name: product.name.clone(),
            price: product.price.map(Amount::minor_units),
            currency: product.currency.code().to_owned(),
            areas: json::write_areas(&product.areas)?,
        })
    }

    /// The product.
    ///
    /// # Errors
    /// [`RepositoryError::Corrupt`] where a column does not hold what it should.
    pub fn restore(self) -> Result<Product, RepositoryError> {
        let key = [self.sku.as_str()];
        let place = Place { table: "products", key: &key };
        Ok(Product {
            price: place.read_option("price", self.price, Amount::from_minor)?,
            currency: place.read("currency", self.currency.parse())?,
            areas: place.read("areas", json::read_areas(&self.areas))?,
            sku: self.sku.clone(),
            name: self.name,
        })
    }
}

/// The rows an import has to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportPlan {
    /// New and changed rows, sorted by SKU, so that two imports lock them in one order.
    pub rows: Vec<ProductRow>,
    /// What they mean. A SKU that the import names twice counts once, as it stands last.
    pub count: ImportCount,
}

impl ImportPlan {
    /// The rows that an import brings, one a SKU, sorted by it.
    ///
    /// # Errors
    /// As [`ProductRow::of`].
    pub fn incoming(products: &[Product]) -> Result<Vec<ProductRow>, RepositoryError> {
        let mut rows = BTreeMap::new();
        for product in products {
            rows.insert(product.sku.as_str(), ProductRow::of(product)?);
        }
        Ok(rows.into_values().collect())
    }

    /// Compares what comes in with what is there of the same SKUs.
    #[must_use]
    pub fn new(incoming: Vec<ProductRow>, existing: Vec<ProductRow>) -> Self {
        let existing: HashMap<String, ProductRow> =
            existing.into_iter().map(|row| (row.sku.clone(), row)).collect();
        let mut count = ImportCount::default();
        let mut rows = incoming;
        rows.retain(|row| {
            let counter = match existing.get(&row.sku) {
                None => &mut count.added,
                Some(same) if same == row => &mut count.unchanged,
                Some(_) => &mut count.changed,
            };
            *counter += 1;
            existing.get(&row.sku) != Some(row)
        });
        Self { rows, count }
    }
}
