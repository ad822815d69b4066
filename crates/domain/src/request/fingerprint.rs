//! The canonical form of a create request.

use crate::field::Field;
use crate::fingerprint::{Builder, Fingerprint};
use crate::limits;

use super::order::KindRule;
use super::{AddressDraft, LineItemDraft, OrderDraft};

impl OrderDraft {
    /// The fingerprint of the request, read as one kind of order.
    pub(super) fn fingerprint(&self, rule: KindRule) -> Fingerprint {
        let mut builder = Builder::default();
        self.leaves(rule, &mut |path, value| builder.leaf(path, value));
        builder.finish()
    }

    /// The paths in which the request differs from the one that `stored` was made of.
    pub(crate) fn differing(&self, rule: KindRule, stored: &Fingerprint) -> Vec<String> {
        let mut builder = Builder::with_paths();
        self.leaves(rule, &mut |path, value| builder.leaf(path, value));
        builder.differing(stored, every_path())
    }

    /// Shows every known field that has a value, in a fixed order.
    fn leaves(&self, rule: KindRule, show: &mut dyn FnMut(&str, &str)) {
        let kind = match rule {
            KindRule::Manual => "manual",
            KindRule::Label => "label",
        };
        show("type", kind);
        text(&self.order_id, "order_id", show);
        text(&self.email, "email", show);
        if rule == KindRule::Label {
            text(&self.shipping_address_label, "shipping_address_label", show);
        }
        for (name, address) in
            [("shipping_address", &self.shipping_address), ("billing_address", &self.billing_address)]
        {
            if let Field::Value(address) = address {
                address_leaves(address, name, show);
            }
        }
        if let Field::Value(customer) = &self.customer {
            text(&customer.first_name, "customer.first_name", show);
            text(&customer.last_name, "customer.last_name", show);
        }
        for (i, item) in self.line_items.value().into_iter().flatten().enumerate() {
            if let Field::Value(item) = item {
                item_leaves(item, &format!("line_items[{i}]"), show);
            }
        }
    }
}

fn text(field: &Field<String>, path: &str, show: &mut dyn FnMut(&str, &str)) {
    if let Some(text) = field.text() {
        show(path, text);
    }
}

/// The fields of an address that are texts, by their keys.
pub(super) fn address_texts(address: &AddressDraft) -> [(&'static str, &Field<String>); 16] {
    [
        ("first_name", &address.first_name),
        ("last_name", &address.last_name),
        ("name", &address.name),
        ("company", &address.company),
        ("address1", &address.address1),
        ("address2", &address.address2),
        ("city", &address.city),
        ("zip", &address.zip),
        ("province", &address.province),
        ("province_code", &address.province_code),
        ("country", &address.country),
        ("country_code", &address.country_code),
        ("phone", &address.phone),
        ("email", &address.email),
        ("tax_number", &address.tax_number),
        ("eur_tax_value", &address.eur_tax_value),
    ]
}

fn address_leaves(address: &AddressDraft, path: &str, show: &mut dyn FnMut(&str, &str)) {
    for (key, field) in address_texts(address) {
        text(field, &format!("{path}.{key}"), show);
    }
    for (key, field) in [("latitude", &address.latitude), ("longitude", &address.longitude)] {
        if let Field::Value(degrees) = field {
            // Adding zero makes 0 of -0, which is the same place.
            show(&format!("{path}.{key}"), &(degrees + 0.0).to_string());
        }
    }
}

fn item_texts(item: &LineItemDraft) -> [(&'static str, &Field<String>); 4] {
    [("name", &item.name), ("sku", &item.sku), ("shipClass", &item.ship_class), ("refId", &item.ref_id)]
}

fn item_leaves(item: &LineItemDraft, path: &str, show: &mut dyn FnMut(&str, &str)) {
    for (key, field) in item_texts(item) {
        text(field, &format!("{path}.{key}"), show);
    }
    if let Field::Value(quantity) = item.quantity {
        show(&format!("{path}.quantity"), &quantity.to_string());
    }
    for (i, url) in item.file_urls.value().into_iter().flatten().enumerate() {
        text(url, &format!("{path}.fileUrls[{i}]"), show);
    }
    // Images belong to no place: a blank one among them means nothing, not even a number.
    let images = item.mockup_images.value().into_iter().flatten();
    for (i, url) in images.filter(|url| !url.is_blank()).enumerate() {
        text(url, &format!("{path}.mockupImages[{i}]"), show);
    }
}

/// Every path that a create request can have, so that a path that is gone can be named.
fn every_path() -> impl Iterator<Item = String> {
    let top = ["type", "order_id", "email", "shipping_address_label"];
    let customer = ["customer.first_name", "customer.last_name"];
    let address = AddressDraft::default();
    let address_keys: Vec<&str> =
        address_texts(&address).into_iter().map(|(key, _)| key).chain(["latitude", "longitude"]).collect();
    let addresses: Vec<String> = ["shipping_address", "billing_address"]
        .iter()
        .flat_map(|name| address_keys.iter().map(move |key| format!("{name}.{key}")))
        .collect();
    let item = LineItemDraft::default();
    let item_keys: Vec<&str> =
        item_texts(&item).into_iter().map(|(key, _)| key).chain(["quantity"]).collect();
    let items = (0..limits::LINE_ITEMS).flat_map(move |i| {
        let lists = ["fileUrls", "mockupImages"]
            .into_iter()
            .flat_map(move |key| (0..limits::URLS).map(move |j| format!("line_items[{i}].{key}[{j}]")));
        let texts: Vec<String> = item_keys.iter().map(|key| format!("line_items[{i}].{key}")).collect();
        texts.into_iter().chain(lists)
    });
    top.into_iter().chain(customer).map(str::to_owned).chain(addresses).chain(items)
}
