//! Row of a line item.

use std::collections::HashMap;

use pressline_domain::error::RepositoryError;
use pressline_domain::order::{LineItem, OrderParts};
use pressline_domain::value::Amount;

use crate::corrupt::StoredRow;
use crate::json::art::ItemArtwork;
use crate::sql::Row;

/// Row of an item in the table `line_items`.
#[derive(Debug, Clone, PartialEq, Row)]
#[expect(
    missing_docs,
    reason = "the columns are described where they are created, in the migrations"
)]
pub struct ItemRow {
    pub store_id: String,
    pub order_uuid: String,
    pub position: i32,
    pub id: String,
    pub ref_id: Option<String>,
    pub name: Option<String>,
    pub name_given: bool,
    pub sku: String,
    pub quantity: i32,
    pub ship_class: Option<String>,
    pub unit_cost: Option<i64>,
}

impl ItemRow {
    /// Creates the rows of an order's items, with positions from 0.
    ///
    /// # Errors
    /// [`RepositoryError::Refused`] if a number does not fit its column.
    pub fn new(parts: &OrderParts) -> Result<Vec<Self>, RepositoryError> {
        let (store_id, order_uuid) = (parts.store_id.to_string(), parts.id.to_string());
        let row = |(position, item): (usize, &LineItem)| {
            Ok(Self {
                store_id: store_id.clone(),
                order_uuid: order_uuid.clone(),
                position: position.try_into().map_err(too_large)?,
                id: item.id.to_string(),
                ref_id: item.ref_id.clone(),
                name: item.name.clone(),
                name_given: item.name_given,
                sku: item.sku.clone(),
                quantity: item.quantity.try_into().map_err(too_large)?,
                ship_class: item.ship_class.clone(),
                unit_cost: item.unit_cost.map(Amount::minor_units),
            })
        };
        parts.items.iter().enumerate().map(row).collect()
    }

    pub(crate) fn restore(self, art: ItemArtwork) -> Result<LineItem, RepositoryError> {
        let position = self.position.to_string();
        let stored = StoredRow("line_items", &[&self.store_id, &self.order_uuid, &position]);
        Ok(LineItem {
            id: stored.read("id", self.id.parse())?,
            quantity: stored.read("quantity", u32::try_from(self.quantity))?,
            file_urls: art.file_urls,
            mockup_images: art.mockup_images,
            areas: art.areas,
            unit_cost: stored.read_option("unit_cost", self.unit_cost, Amount::from_minor)?,
            ref_id: self.ref_id,
            name: self.name,
            name_given: self.name_given,
            sku: self.sku,
            ship_class: self.ship_class,
        })
    }
}

fn too_large(error: std::num::TryFromIntError) -> RepositoryError {
    RepositoryError::Refused(error.into())
}

/// Groups `items` by order; the keys are the orders' ids. The rows of an order keep their sequence.
pub fn group_by_order(items: Vec<ItemRow>) -> HashMap<String, Vec<ItemRow>> {
    let mut groups: HashMap<String, Vec<ItemRow>> = HashMap::new();
    for item in items {
        match groups.get_mut(&item.order_uuid) {
            Some(group) => group.push(item),
            None => {
                groups.insert(item.order_uuid.clone(), vec![item]);
            }
        }
    }
    groups
}
