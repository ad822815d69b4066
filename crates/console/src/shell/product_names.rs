//! Names of products.

use std::collections::{BTreeMap, BTreeSet};

use crate::shell::request::SignedInRequest;
use crate::shell::result::Result;

/// Product names of the catalog, keyed by SKU. A store may have another name for its item.
pub(crate) struct Names(BTreeMap<String, String>);

impl Names {
    pub(crate) async fn for_skus<'s>(
        visit: &SignedInRequest,
        skus: impl Iterator<Item = &'s str>,
    ) -> Result<Self> {
        let distinct: BTreeSet<&str> = skus.collect();
        let skus: Vec<&str> = distinct.into_iter().collect();
        let names = visit.services().products.names(&skus);
        Ok(Self(names.await?))
    }

    /// Returns the catalog's name, or else `of_item`, the store's name; empty without both.
    pub(crate) fn get(&self, sku: &str, of_item: Option<&String>) -> String {
        self.0.get(sku).or(of_item).cloned().unwrap_or_default()
    }
}
