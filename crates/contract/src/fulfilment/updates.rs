//! Updates of orders, as a store requests them and as decisions take them.

use pressline_domain::field::Field;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::id::ItemId;
use pressline_domain::order::request::{
    AddressDraft, CustomerDraft, ItemChange, LineItemDraft, OrderDraft, UpdateDraft,
};
use pressline_domain::order::{LineItem, Order, OrderKind, OrderParts};
use pressline_domain::runtime::Clock as _;

use super::command::{Edit, Goods, item_at};
use super::goods;
use super::shop::Shop;
use crate::CaseError;

fn city(number: u64) -> String {
    format!("City {number}")
}

fn address(city: &str) -> AddressDraft {
    AddressDraft {
        name: "Zoë O'Brien".into(),
        address1: "1 Main St".into(),
        city: city.into(),
        zip: "62701".into(),
        province_code: "US-IL".into(),
        country_code: "US".into(),
        ..AddressDraft::default()
    }
}

fn customer() -> CustomerDraft {
    CustomerDraft {
        first_name: "Ana".into(),
        last_name: "Đỗ".into(),
    }
}

fn urls(files: &[&str]) -> Field<Vec<Field<String>>> {
    Field::Value(files.iter().map(|url| (*url).into()).collect())
}

fn line(goods: &Goods) -> LineItemDraft {
    LineItemDraft {
        sku: goods.sku.into(),
        quantity: i64::from(goods.quantity).into(),
        file_urls: urls(goods.files),
        ..LineItemDraft::default()
    }
}

/// A request for an order of these goods.
pub(super) fn order_draft(order_id: &str, kind: OrderKind, of: &[Goods]) -> OrderDraft {
    let label = "https://example.com/label.pdf";
    let (label, address) = match kind {
        OrderKind::Manual => (Field::Absent, Field::Value(address(&city(0)))),
        OrderKind::Label => (label.into(), Field::Absent),
    };
    OrderDraft {
        order_id: order_id.into(),
        shipping_address_label: label,
        shipping_address: address,
        customer: customer().into(),
        line_items: Field::Value(of.iter().map(|goods| Field::Value(line(goods))).collect()),
        ..OrderDraft::default()
    }
}

/// A request for an edit of the order as it was seen.
pub(super) fn update_draft(seen: &Order, edit: &Edit) -> UpdateDraft {
    let known = seen.content.shipping_address.as_ref();
    let known = known.and_then(|address| address.city.as_deref());
    let item = item_change(seen, edit).map(Field::Value);
    let mut draft = UpdateDraft {
        order_id: seen.content.order_id.as_str().into(),
        shipping_address: known.map(address).into(),
        customer: customer().into(),
        line_items: Field::Value(item.into_iter().collect()),
        ..UpdateDraft::default()
    };
    match edit {
        Edit::Email(number) => draft.email = format!("{number}@example.com").into(),
        Edit::Note(number) => draft.production_note = number.to_string().into(),
        Edit::City(number) => draft.shipping_address = address(&city(*number)).into(),
        // A repeated request must not add the item twice.
        Edit::Add(_) => draft.version = i64::from(seen.state.version).into(),
        _ => {}
    }
    draft
}

/// The item that an edit changes, as a request has it; `None` where it changes no item.
fn item_change(seen: &Order, edit: &Edit) -> Option<ItemChange> {
    let mut item = LineItemDraft::default();
    let place = match edit {
        Edit::Email(_) | Edit::Note(_) | Edit::City(_) => return None,
        Edit::Add(goods) => {
            let item = line(goods);
            return Some(ItemChange {
                item,
                ..ItemChange::default()
            });
        }
        Edit::Quantity(place, quantity) => {
            item.quantity = i64::from(*quantity).into();
            place
        }
        Edit::Files(place, files) => {
            item.file_urls = urls(files);
            place
        }
        Edit::Sku(place, sku) => {
            item.sku = (*sku).into();
            place
        }
        Edit::Mockup(place, number) => {
            item.mockup_images = urls(&[&mockup(*number)]);
            place
        }
        Edit::Remove(place) => place,
    };
    Some(ItemChange {
        app_item_id: item_at(seen, *place).to_string().into(),
        remove: matches!(edit, Edit::Remove(_)).then_some(true).into(),
        item,
    })
}

fn mockup(number: u64) -> String {
    format!("https://example.com/mockup-{number}.png")
}

impl Shop {
    /// The content of a stored order after an edit of the order as it was seen, priced. `None` where the
    /// edited item was removed, or would be the last one.
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
                item.name = Some((*sku).to_owned());
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
        // Equal to the stored content unless the edit changes something: then nothing is to be written.
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
            name: Some(goods.sku.to_owned()),
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
    if parts.items.len() == 1 {
        return None;
    }
    parts.items.remove(place);
    Some(())
}
