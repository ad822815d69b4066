//! Requests that create and change orders.

use pressline_domain::check::Field;
use pressline_domain::order::request::{
    AddressDraft, CustomerDraft, LineItemDraft, OrderDraft, UpdateDraft,
};

fn address() -> AddressDraft {
    AddressDraft {
        name: "Zoë O'Brien".into(),
        address1: "1 Main St".into(),
        city: "Springfield".into(),
        zip: "62701".into(),
        province_code: "US-IL".into(),
        country_code: "US".into(),
        ..AddressDraft::default()
    }
}

fn customer() -> CustomerDraft {
    CustomerDraft {
        first_name: "Ana".into(),
        ..CustomerDraft::default()
    }
}

pub(crate) fn order(name: &str) -> OrderDraft {
    let item = LineItemDraft {
        sku: "TEE-M".into(),
        quantity: 2.into(),
        ..LineItemDraft::default()
    };
    OrderDraft {
        order_id: name.into(),
        shipping_address: address().into(),
        customer: customer().into(),
        line_items: Field::Value(vec![item.into()]),
        ..OrderDraft::default()
    }
}

pub(crate) fn update(name: &str, note: &str) -> UpdateDraft {
    UpdateDraft {
        order_id: name.into(),
        shipping_address: address().into(),
        customer: customer().into(),
        line_items: Field::Value(Vec::new()),
        production_note: note.into(),
        ..UpdateDraft::default()
    }
}
