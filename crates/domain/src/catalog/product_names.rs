//! Effects of an import on whole products: a product has one name and a limited number of variants,
//! even if several imports contribute variants.
//!
//! An import names a product by giving a product name with one of its variants. This name replaces
//! the stored name in all variants of the product, also in variants that the import does not
//! contain. Otherwise the stored name stays. A product that no import has named is shown with the
//! name of its first variant. Without this rule, two imports could name a product differently, and
//! the exported catalog could not be imported again.

use std::collections::BTreeMap;

use crate::catalog::ProductRef;
use crate::check::limits;
use crate::error::{RepositoryError, Result};

/// Values of a stored variant that decide the name and the number of variants of its product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredVariant {
    /// SKU of the variant.
    pub sku: String,
    /// Product of the variant.
    pub product: ProductRef,
    /// Whether production of the variant has ended.
    pub retired: bool,
}

/// Products in an import, each with its name and number of variants after the import.
#[derive(Debug, Clone, Default)]
pub struct ImportedProducts {
    products: BTreeMap<String, Naming>,
}

#[derive(Debug, Clone, Default)]
struct Naming {
    given: Option<String>,
    stored: Option<String>,
    active: usize,
}

impl ImportedProducts {
    /// Adds an imported variant of `product`. The last name given to the product counts.
    pub fn add(&mut self, product: &ProductRef, retired: bool) {
        let naming = self.products.entry(product.id.clone()).or_default();
        naming.given = product.name.clone().or(naming.given.take());
        naming.active += usize::from(!retired);
    }

    /// Returns the ids of the imported products, sorted.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.products.keys().map(String::as_str)
    }

    /// Adds the stored variant `stored` if the import contains its product. `stays` is `false` if
    /// the import replaces or retires the variant; the variant is then not counted.
    pub fn add_stored(&mut self, stored: &StoredVariant, stays: bool) {
        let Some(naming) = self.products.get_mut(&stored.product.id) else {
            return;
        };
        naming.stored = naming.stored.take().or_else(|| stored.product.name.clone());
        naming.active += usize::from(stays && !stored.retired);
    }

    /// Returns the name of the product `id` after the import; `None` if no import has named the
    /// product. Call `name` after all stored variants of the product were added.
    pub fn name(&self, id: &str) -> Option<&str> {
        let naming = self.products.get(id)?;
        naming.given.as_deref().or(naming.stored.as_deref())
    }

    /// Checks that no product gets too many variants.
    ///
    /// # Errors
    /// [`RepositoryError::ProductTooLarge`] names the first product that would have more than
    /// [`limits::PRODUCT_VARIANTS`] variants.
    pub fn check(&self) -> Result<()> {
        let mut sizes = self.products.iter().map(|(id, naming)| (id, naming.active));
        match sizes.find(|(_, active)| *active > limits::PRODUCT_VARIANTS) {
            Some((id, variants)) => Err(RepositoryError::ProductTooLarge {
                product: id.clone(),
                variants,
            }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::catalog::product_names::*;

    fn tee(name: Option<&str>) -> ProductRef {
        ProductRef {
            id: "TEE".to_owned(),
            name: name.map(str::to_owned),
        }
    }

    fn stored(name: Option<&str>) -> StoredVariant {
        StoredVariant {
            sku: "TEE-M".to_owned(),
            product: tee(name),
            retired: false,
        }
    }

    #[test]
    fn a_name_that_an_import_gives_replaces_the_stored_one_which_else_stays() {
        for (given, in_database, name) in [
            (Some("Tee"), Some("Shirt"), Some("Tee")),
            (Some("Tee"), None, Some("Tee")),
            (None, Some("Shirt"), Some("Shirt")),
            (None, None, None),
        ] {
            let mut products = ImportedProducts::default();
            products.add(&tee(given), false);
            products.add(&tee(None), false);
            products.add_stored(&stored(in_database), true);
            assert_eq!(products.name("TEE"), name);
        }
        assert_eq!(ImportedProducts::default().name("TEE"), None);
    }

    #[test]
    fn a_product_may_have_a_thousand_variants_that_are_not_retired() {
        let mut products = ImportedProducts::default();
        (0..999).for_each(|_| products.add(&tee(None), false));
        products.add(&tee(None), true);
        products.add_stored(&stored(None), true);
        products.add_stored(
            &StoredVariant {
                retired: true,
                ..stored(None)
            },
            true,
        );
        products.add_stored(&stored(None), false);
        assert!(products.check().is_ok());
        products.add_stored(&stored(None), true);
        let refused = products.check().unwrap_err();
        let is_named = matches!(
            &refused,
            RepositoryError::ProductTooLarge { product, variants: 1001 } if product == "TEE"
        );
        assert!(is_named, "{refused}");
    }
}
