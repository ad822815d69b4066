//! Row of a variant in the table `products`.

use pressline_domain::catalog::product_names::StoredVariant;
use pressline_domain::catalog::{ProductRef, Variant, VariantError, VariantParts};
use pressline_domain::error::RepositoryError;
use pressline_domain::value::Amount;
use pressline_kit::words::WordSet;

use crate::corrupt::StoredRow;
use crate::json;
use crate::sql::Row;

/// Row of a variant. `product_id` is `None` if the variant is a product of its own;
/// `product_name` is `None` if the product was never named.
#[derive(Debug, Clone, PartialEq, Eq, Row)]
#[expect(
    missing_docs,
    reason = "the columns are described where they are created, in the migrations"
)]
pub struct VariantRow {
    pub sku: String,
    pub name: String,
    pub price: Option<i64>,
    pub currency: String,
    pub areas: String,
    pub product_id: Option<String>,
    pub product_name: Option<String>,
    pub options: String,
    pub ship_classes: String,
    pub weight_grams: i64,
    pub retired: bool,
}

impl VariantRow {
    /// Creates the row of `variant`, with lists as JSON.
    ///
    /// # Errors
    /// [`RepositoryError::Refused`] if a list cannot be written as JSON.
    pub fn new(variant: &Variant) -> Result<Self, RepositoryError> {
        let product = &variant.product;
        Ok(Self {
            sku: variant.sku.clone(),
            name: variant.name.clone(),
            price: variant.price.map(Amount::minor_units),
            currency: variant.currency.code().to_owned(),
            areas: json::write(&variant.areas)?,
            // `NULL` if the variant is a product of its own: the id would only repeat the SKU.
            product_id: (product.id != variant.sku).then(|| product.id.clone()),
            product_name: product.name.clone(),
            options: json::write(&variant.options)?,
            ship_classes: json::write(&variant.ship_classes)?,
            weight_grams: i64::from(variant.weight_grams),
            retired: variant.retired,
        })
    }

    /// Converts the row to a variant, and checks the values.
    pub fn restore(self) -> Result<Variant, RepositoryError> {
        let stored = StoredRow("products", &[&self.sku]);
        let parts = VariantParts {
            price: stored.read_option("price", self.price, Amount::from_minor)?,
            currency: stored.read("currency", self.currency.parse())?,
            areas: stored.read("areas", serde_json::from_str(&self.areas))?,
            options: stored.read("options", serde_json::from_str(&self.options))?,
            ship_classes: stored.read("ship_classes", serde_json::from_str(&self.ship_classes))?,
            weight_grams: stored.read("weight_grams", u32::try_from(self.weight_grams))?,
            retired: self.retired,
            product: self.product(),
            sku: self.sku.clone(),
            name: self.name,
        };
        Variant::new(parts).map_err(|invalid| {
            // An error names one column: the first that breaks a rule.
            let part = invalid.0.first().map_or("sku", VariantError::part);
            stored.corrupt(part, invalid)
        })
    }

    /// Returns the id of the variant's product: the SKU if the variant is a product of its own.
    pub fn product_id(&self) -> &str {
        self.product_id.as_ref().unwrap_or(&self.sku)
    }

    /// Returns id and name of the variant's product.
    pub fn product(&self) -> ProductRef {
        ProductRef {
            id: self.product_id().to_owned(),
            name: self.product_name.clone(),
        }
    }

    /// Returns the words in SKU, names, product id and options. Each of them finds the product.
    ///
    /// # Errors
    /// [`RepositoryError::Corrupt`] if `options` is invalid. Other columns are not checked.
    pub fn words(&self) -> Result<WordSet, RepositoryError> {
        let stored = StoredRow("products", &[&self.sku]);
        let options = stored.read("options", serde_json::from_str(&self.options))?;
        Ok(VariantParts {
            options,
            product: self.product(),
            ..VariantParts::single(&self.sku, &self.name)
        }
        .words())
    }
}

/// Converts the columns `sku`, `product_id`, `product_name` and `retired` to a stored variant.
pub(super) fn stored_variant(
    columns: (String, Option<String>, Option<String>, bool),
) -> StoredVariant {
    let (sku, product_id, name, retired) = columns;
    let id = product_id.unwrap_or_else(|| sku.clone());
    StoredVariant {
        sku,
        product: ProductRef { id, name },
        retired,
    }
}
