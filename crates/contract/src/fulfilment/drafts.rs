//! Requests that stores send for the random commands.

use pressline_domain::check::Field;
use pressline_domain::order::request::{
    AddressDraft, CustomerDraft, ItemChange, LineItemDraft, OrderDraft, UpdateDraft,
};
use pressline_domain::order::{Order, OrderKind};

use super::command::{Edit, Goods, item_at};

pub(super) fn city(number: u64) -> String {
    format!("City {number}")
}

pub(super) fn address(city: &str) -> AddressDraft {
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

pub(super) fn customer() -> CustomerDraft {
    CustomerDraft {
        first_name: "Ana".into(),
        last_name: "Đỗ".into(),
    }
}

pub(super) fn urls(files: &[&str]) -> Field<Vec<Field<String>>> {
    Field::Value(files.iter().map(|url| (*url).into()).collect())
}

pub(super) fn line(goods: &Goods) -> LineItemDraft {
    LineItemDraft {
        sku: goods.sku.into(),
        quantity: i64::from(goods.quantity).into(),
        file_urls: urls(goods.files),
        ..LineItemDraft::default()
    }
}

/// Returns a request for an order of the goods `of`.
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

/// Returns a request for `edit`, based on the version `seen`.
pub(super) fn update_draft(seen: &Order, edit: &Edit) -> UpdateDraft {
    let known = seen
        .content
        .shipping_address
        .as_ref()
        .and_then(|address| address.city.as_deref());
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
        // The version prevents a repeated request from adding the item twice.
        Edit::Add(_) => draft.version = i64::from(seen.state.version).into(),
        _ => {}
    }
    draft
}

/// Returns the item change of a request for `edit`; `None` if it changes no item.
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

pub(super) fn mockup(number: u64) -> String {
    format!("https://example.com/mockup-{number}.png")
}
