//! Line items of orders.

use crate::catalog::{FileRequirement, PrintArea, STANDARD_SHIP_CLASS, assign_files};
use crate::value::{Amount, ItemId};

/// A line item: a product in an order, with its print files.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct LineItem {
    /// The service's id of the item; updates name the item by this id, in `appItemId`.
    pub id: ItemId,
    /// Store's own reference for the item; `None` if the store gave none.
    pub ref_id: Option<String>,
    /// Name that the store gave, else the product's name. `None` if neither is known.
    pub name: Option<String>,
    /// Whether the store gave the name. A name from the catalog changes with the SKU.
    pub name_given: bool,
    /// Stock keeping unit, as the store gave it.
    pub sku: String,
    /// Number of units, 1 to 1000.
    pub quantity: u32,
    /// Ship class, as the store spelled it; `None` if the store gave none.
    pub ship_class: Option<String>,
    /// URLs of the print files. The i-th URL belongs to the i-th print area, further URLs to the
    /// last area. An empty URL means that the area has no file.
    pub file_urls: Vec<String>,
    /// URLs of the mockup images.
    pub mockup_images: Vec<String>,
    /// Print areas of the product when the order was last priced; at least one.
    pub areas: Vec<PrintArea>,
    /// Price per unit; `None` if the catalog has no price in the order's currency.
    pub unit_cost: Option<Amount>,
}

impl LineItem {
    /// Returns the ship class, `Standard` if the store gave none.
    pub fn ship_class_or_standard(&self) -> &str {
        self.ship_class.as_deref().unwrap_or(STANDARD_SHIP_CLASS)
    }

    /// Ignores values from the catalog: print areas, unit cost, and a name that is not the store's.
    pub(crate) fn has_same_values(&self, edited: &Self) -> bool {
        // Without `..`, so that each new field is either compared or named here.
        let Self {
            ref_id,
            name,
            name_given,
            sku,
            quantity,
            ship_class,
            file_urls,
            mockup_images,
            id: _,
            areas: _,
            unit_cost: _,
        } = self;
        let given = |name: &Option<String>, is_given: bool| name.clone().filter(|_| is_given);
        *sku == edited.sku
            && *quantity == edited.quantity
            && *ref_id == edited.ref_id
            && *ship_class == edited.ship_class
            && *file_urls == edited.file_urls
            && *mockup_images == edited.mockup_images
            && given(name, *name_given) == given(&edited.name, edited.name_given)
    }

    /// Returns every print area of the item, each with the URLs of the print files for this area.
    pub fn files(&self) -> Vec<FileRequirement<'_>> {
        assign_files(&self.areas, &self.file_urls)
    }
}
