//! The canonical form of a create request.

use std::fmt::{Display, Write as _};

use crate::check::{Field, limits};
use crate::order::OrderKind;
use crate::order::fingerprint::{Builder, Fingerprint};
use pressline_kit::text::one_line;

use super::address::AddressField;
use super::order::LABEL;
use super::{AddressDraft, LineItemDraft, OrderDraft};

impl OrderDraft {
    pub(crate) fn fingerprint(&self, kind: OrderKind) -> Fingerprint {
        let mut builder = Builder::default();
        self.leaves(kind, &mut |path, value| builder.leaf(path, value));
        builder.finish()
    }

    pub(crate) fn differing(&self, kind: OrderKind, stored: &Fingerprint) -> Vec<String> {
        let mut builder = Builder::with_paths();
        self.leaves(kind, &mut |path, value| builder.leaf(path, value));
        builder.differing(stored, every_path())
    }

    /// Calls `show` for `kind` and every field with a value, in a fixed order.
    fn leaves(&self, kind: OrderKind, show: &mut dyn FnMut(&str, &str)) {
        let leaves = &mut Leaves {
            path: String::with_capacity(64),
            number: String::new(),
            show,
        };
        leaves.leaf("type", kind.as_str());
        for (key, field) in self.texts() {
            // Manual orders ignore the label, so it must not distinguish two requests.
            if key != LABEL || kind == OrderKind::Label {
                leaves.text(key, field);
            }
        }
        for (name, address) in [
            ("shipping_address", &self.shipping_address),
            ("billing_address", &self.billing_address),
        ] {
            if let Field::Value(address) = address {
                leaves.below(name, |leaves| address_leaves(address, leaves));
            }
        }
        if let Field::Value(customer) = &self.customer {
            leaves.below("customer", |leaves| {
                leaves.text("first_name", &customer.first_name);
                leaves.text("last_name", &customer.last_name);
            });
        }
        let items = self.line_items.value().into_iter().flatten();
        leaves.entries("line_items", items, |item, leaves| {
            if let Field::Value(item) = item {
                item_leaves(item, leaves);
            }
        });
    }
}

/// Builds each path in a reused string, because an order has dozens of values.
struct Leaves<'a> {
    path: String,
    number: String,
    show: &'a mut dyn FnMut(&str, &str),
}

impl Leaves<'_> {
    fn here(&mut self, value: &str) {
        (self.show)(&self.path, value);
    }

    fn leaf(&mut self, key: &str, value: &str) {
        self.below(key, |leaves| leaves.here(value));
    }

    fn number(&mut self, key: &str, number: impl Display) {
        let mut text = std::mem::take(&mut self.number);
        text.clear();
        // Writing to a string cannot fail.
        let _ = write!(text, "{number}");
        self.leaf(key, &text);
        self.number = text;
    }

    fn text(&mut self, key: &str, field: &Field<String>) {
        if let Some(text) = field.text() {
            self.leaf(key, &one_line(text));
        }
    }

    fn texts<'f>(&mut self, key: &str, fields: impl Iterator<Item = &'f Field<String>>) {
        self.entries(key, fields, |field, leaves| {
            // A blank URL has no value, but counts in the index of the URLs after it.
            if let Some(text) = field.text() {
                leaves.here(&one_line(text));
            }
        });
    }

    fn entries<T>(
        &mut self,
        key: &str,
        list: impl Iterator<Item = T>,
        show: impl Fn(T, &mut Self),
    ) {
        self.below(key, |leaves| {
            let end = leaves.path.len();
            for (i, entry) in list.enumerate() {
                // Writing to a string cannot fail.
                let _ = write!(leaves.path, "[{i}]");
                show(entry, leaves);
                leaves.path.truncate(end);
            }
        });
    }

    fn below(&mut self, key: &str, show: impl FnOnce(&mut Self)) {
        let end = self.path.len();
        if end > 0 {
            self.path.push('.');
        }
        self.path.push_str(key);
        show(self);
        self.path.truncate(end);
    }
}

fn address_leaves(address: &AddressDraft, leaves: &mut Leaves<'_>) {
    each_address_field(address, |key, field| match field {
        AddressField::Text(text) => leaves.text(key, text),
        AddressField::Degrees(Field::Value(degrees)) => {
            // Adding zero turns -0 into 0, which is the same position.
            leaves.number(key, degrees + 0.0);
        }
        AddressField::Degrees(_) => {}
    });
}

/// Calls `show` first for all texts, then for all numbers.
fn each_address_field(
    address: &AddressDraft,
    mut show: impl FnMut(&'static str, AddressField<'_>),
) {
    for texts in [true, false] {
        address.each(|key, field| {
            if matches!(field, AddressField::Text(_)) == texts {
                show(key, field);
            }
        });
    }
}

fn item_texts(item: &LineItemDraft) -> [(&'static str, &Field<String>); 4] {
    // Without `..`, so that a new field is either in the fingerprint or named here.
    let LineItemDraft {
        name,
        sku,
        ship_class,
        ref_id,
        quantity: _,
        file_urls: _,
        mockup_images: _,
    } = item;
    [
        ("name", name),
        ("sku", sku),
        ("shipClass", ship_class),
        ("refId", ref_id),
    ]
}

fn item_leaves(item: &LineItemDraft, leaves: &mut Leaves<'_>) {
    for (key, field) in item_texts(item) {
        leaves.text(key, field);
    }
    if let Field::Value(quantity) = item.quantity {
        leaves.number("quantity", quantity);
    }
    leaves.texts("fileUrls", item.file_urls.value().into_iter().flatten());
    // The position of an image has no meaning, so a blank image gets no index.
    let images = item.mockup_images.value().into_iter().flatten();
    leaves.texts("mockupImages", images.filter(|url| !url.is_blank()));
}

/// Returns the path of every field that a fingerprint can contain. A stored fingerprint has only
/// hashes of paths, so hashes of all paths show the fields that only the stored request had.
fn every_path() -> impl Iterator<Item = String> {
    let order = OrderDraft::default();
    let top: Vec<&str> = order.texts().into_iter().map(|(key, _)| key).collect();
    let customer = ["customer.first_name", "customer.last_name"];
    let mut address_keys = Vec::new();
    each_address_field(&AddressDraft::default(), |key, _| address_keys.push(key));
    let addresses: Vec<String> = ["shipping_address", "billing_address"]
        .iter()
        .flat_map(|name| address_keys.iter().map(move |key| format!("{name}.{key}")))
        .collect();
    let item = LineItemDraft::default();
    let item_keys: Vec<&str> = item_texts(&item)
        .into_iter()
        .map(|(key, _)| key)
        .chain(["quantity"])
        .collect();
    let items = (0..limits::LINE_ITEMS).flat_map(move |i| {
        let lists = ["fileUrls", "mockupImages"].into_iter();
        let urls = lists.flat_map(move |key| {
            (0..limits::URLS).map(move |j| format!("line_items[{i}].{key}[{j}]"))
        });
        let texts = item_keys.iter().map(|key| format!("line_items[{i}].{key}"));
        texts.collect::<Vec<String>>().into_iter().chain(urls)
    });
    let whole = ["type"].into_iter().chain(top).chain(customer);
    whole.map(str::to_owned).chain(addresses).chain(items)
}
