//! Updates of orders, in requests of stores and in decisions.

use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::{LineItem, Order, OrderParts};
use pressline_domain::runtime::Clock as _;
use pressline_domain::value::ItemId;

use super::command::{Edit, Goods, item_at};
use super::drafts::{city, mockup};
use super::goods;
use super::shop::Shop;
use crate::CaseError;

impl Shop {
    /// Returns the priced content of `stored` after `edit`; `edit` was based on `seen`. `None` if
    /// the edited item no longer exists, or if it is the only item and `edit` removes it.
    pub(super) fn edited(
        &self,
        stored: &Order,
        seen: &Order,
        edit: &Edit,
    ) -> Result<Option<OrderParts>, CaseError> {
        let mut parts = OrderParts::clone(&stored.content);
        let changed = match edit {
            Edit::Email(number) => {
                parts.email = Some(format!("{number}@example.com"));
                Some(())
            }
            Edit::Note(number) => {
                parts.production_note = Some(number.to_string());
                Some(())
            }
            Edit::City(number) => {
                if let Some(address) = &mut parts.shipping_address {
                    address.city = Some(city(*number));
                }
                Some(())
            }
            Edit::Quantity(place, quantity) => {
                edit_item(&mut parts, item_at(seen, *place), |item| {
                    item.quantity = *quantity;
                })
            }
            Edit::Files(place, files) => edit_item(&mut parts, item_at(seen, *place), |item| {
                item.file_urls = files.iter().map(|url| (*url).to_owned()).collect();
            }),
            Edit::Sku(place, sku) => edit_item(&mut parts, item_at(seen, *place), |item| {
                (*sku).clone_into(&mut item.sku);
                item.name = goods::name(sku);
                item.areas = goods::areas(sku);
                item.unit_cost = goods::unit_cost(sku);
            }),
            Edit::Mockup(place, number) => edit_item(&mut parts, item_at(seen, *place), |item| {
                item.mockup_images = vec![mockup(*number)];
            }),
            Edit::Remove(place) => remove_item(&mut parts, item_at(seen, *place)),
            Edit::Add(goods) => {
                parts.items.push(self.new_item(goods));
                Some(())
            }
        };
        if changed.is_none() {
            return Ok(None);
        }
        // If the edit changes nothing, the content keeps its bill, so that nothing is written.
        if parts != *stored.content {
            let is_cancelled = |id| {
                let item = stored.state.item(id);
                item.is_some_and(|item| item.status == ItemStatus::Cancelled)
            };
            let counted = parts.items.iter().filter(|item| !is_cancelled(item.id));
            parts.bill = goods::bill(parts.kind(), counted)?;
            parts.priced_at = self.clock.now();
        }
        Ok(Some(parts))
    }

    fn new_item(&self, goods: &Goods) -> LineItem {
        LineItem {
            id: ItemId::new(self.ids.next(self.clock.now())),
            ref_id: None,
            name: goods::name(goods.sku),
            name_given: false,
            sku: goods.sku.to_owned(),
            quantity: goods.quantity,
            ship_class: None,
            file_urls: goods.files.iter().map(|url| (*url).to_owned()).collect(),
            mockup_images: Vec::new(),
            areas: goods::areas(goods.sku),
            unit_cost: goods::unit_cost(goods.sku),
        }
    }
}

fn edit_item(parts: &mut OrderParts, id: ItemId, edit: impl FnOnce(&mut LineItem)) -> Option<()> {
    let mut items = parts.items.iter_mut();
    items.find(|item| item.id == id).map(edit)
}

fn remove_item(parts: &mut OrderParts, id: ItemId) -> Option<()> {
    let place = parts.items.iter().position(|item| item.id == id)?;
    // The last item cannot be removed.
    if parts.items.len() == 1 {
        return None;
    }
    parts.items.remove(place);
    Some(())
}
