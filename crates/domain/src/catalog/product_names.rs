//! What an import does to products as wholes: a product has one name and a bounded number of
//! variants, whichever imports bring them.
//!
//! An import names a product where it gives a name with one of its variants; that name then
//! replaces the stored name in all variants of the product, also in those that the import does not
//! contain. Otherwise the stored name stays. A product that no import has named is shown with the
//! name of its first variant. Without this rule, two imports could name a product differently, and
//! the catalog could be exported but not imported again.

use std::collections::BTreeMap;

use crate::catalog::ProductRef;
use crate::limits;

/// A variant in the database, as far as it matters to its product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredVariant {
    /// Its SKU.
    pub sku: String,
    /// Its product.
    pub product: ProductRef,
    /// Whether production has ended.
    pub retired: bool,
}

/// The products that the variants of an import belong to.
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

/// A product would have too many variants.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "product `{product}` would have {variants} variants that are not retired, and may have {}",
    limits::PRODUCT_VARIANTS
)]
pub struct TooManyVariants {
    /// The id of the product.
    pub product: String,
    /// How many it would have.
    pub variants: usize,
}

impl ImportedProducts {
    /// Adds a variant of the import. Of several names for one product, the last one counts.
    pub fn add(&mut self, product: &ProductRef, retired: bool) {
        let naming = self.products.entry(product.id.clone()).or_default();
        naming.given = product.name.clone().or(naming.given.take());
        naming.active += usize::from(!retired);
    }

    /// The ids of the products, sorted.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.products.keys().map(String::as_str)
    }

    /// Takes account of a stored variant of one of the products. `stays` is false where the import
    /// replaces it or retires it.
    pub fn add_stored(&mut self, stored: &StoredVariant, stays: bool) {
        let Some(naming) = self.products.get_mut(&stored.product.id) else {
            return;
        };
        naming.stored = naming.stored.take().or_else(|| stored.product.name.clone());
        naming.active += usize::from(stays && !stored.retired);
    }

    /// The name of a product after the import; `None` where no import has named it. To be asked
    /// once all its stored variants are added.
    pub fn name(&self, id: &str) -> Option<&str> {
        let naming = self.products.get(id)?;
        naming.given.as_deref().or(naming.stored.as_deref())
    }

    /// Checks that no product becomes too large.
    ///
    /// # Errors
    /// [`TooManyVariants`] names the first product with more than [`limits::PRODUCT_VARIANTS`].
    pub fn check(&self) -> Result<(), TooManyVariants> {
        let mut sizes = self.products.iter().map(|(id, naming)| (id, naming.active));
        match sizes.find(|(_, active)| *active > limits::PRODUCT_VARIANTS) {
            Some((id, variants)) => Err(TooManyVariants {
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
        assert_eq!(products.check(), Ok(()));
        products.add_stored(&stored(None), true);
        assert_eq!(
            products.check(),
            Err(TooManyVariants {
                product: "TEE".to_owned(),
                variants: 1001
            })
        );
    }
}
