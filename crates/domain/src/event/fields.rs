//! Fields of an order that can change, listed once for comparing and for undoing.

use super::change::{FieldChange, FieldValue, Value, item_path};
use crate::address_fields;
use crate::fulfilment::{ItemState, OrderState, Shipment};
use crate::order::{Address, LineItem, OrderParts};

pub(super) trait Fields {
    /// The path of a change is `prefix`, directly followed by the field's name.
    fn compare(&self, new: &Self, prefix: &str, changes: &mut Vec<FieldChange>);

    fn set(&mut self, name: &str, value: &Value) -> Option<()>;
}

fn compare<T: FieldValue>(
    old: &T,
    new: &T,
    prefix: &str,
    name: &str,
    changes: &mut Vec<FieldChange>,
) {
    if old != new {
        changes.push(FieldChange {
            path: format!("{prefix}{name}"),
            old: old.to_value(),
            new: new.to_value(),
        });
    }
}

/// Implements [`Fields`] for a type. Each row pairs a name in responses with a field of the type.
/// Fields listed after `except` are not compared. A field in neither list does not compile.
macro_rules! fields {
    ($type:ident: $($name:literal = $field:ident,)+ except $($other:ident),+;) => {
        impl Fields for $type {
            fn compare(&self, new: &Self, prefix: &str, changes: &mut Vec<FieldChange>) {
                let Self { $($field,)+ $($other: _,)+ } = self;
                $(compare($field, &new.$field, prefix, $name, changes);)+
            }

            fn set(&mut self, name: &str, value: &Value) -> Option<()> {
                match name {
                    $($name => self.$field = FieldValue::from_value(value)?,)+
                    _ => return None,
                }
                Some(())
            }
        }
    };
}

// An item keeps its id, which the path of a change contains.
fields! { LineItem:
    "refId" = ref_id,
    "name" = name,
    "nameGiven" = name_given,
    "sku" = sku,
    "quantity" = quantity,
    "shipClass" = ship_class,
    "fileUrls" = file_urls,
    "mockupImages" = mockup_images,
    "files" = areas,
    "sellerCost" = unit_cost,
    except id;
}

// The event's list of items has the status, and the shipped quantity is derived from the shipments.
// An item keeps its number, and fast-forwarding is undone before the fields are compared.
fields! { ItemState:
    "returnsTo" = returns_to,
    "heldBy" = held_by,
    "holdUntil" = hold_until,
    "readyAt" = ready_at,
    "windowEnd" = window_end,
    except id, number, status, shipped_quantity, advanced_millis;
}

// A shipment keeps its items.
fields! { Shipment:
    "ref" = reference,
    "carrier" = carrier,
    "trackingNumber" = tracking_number,
    "trackingUrl" = tracking_url,
    "status" = status,
    "shippedAt" = shipped_at,
    "deliveredAt" = delivered_at,
    "returnedAt" = returned_at,
    except id, items;
}

// `compare_content` and `set_content` handle the addresses, and the items are compared one by one.
// The other fields never change.
fields! { OrderParts:
    "shipping_address_label" = label_url,
    "email" = email,
    "customer" = customer,
    "productionNote" = production_note,
    "feeLines" = bill,
    "pricedAt" = priced_at,
    except shipping_address, billing_address, items,
        id, store_id, order_id, source, test, currency, fingerprint;
}

// The event has the version, the time and the sequence; the due time is derived from the items,
// which are compared one by one. The other fields never change.
fields! { OrderState:
    "pendingChange" = pending,
    "actionNeeded" = needs,
    "replacedBy" = replaced_by,
    "itemCount" = item_count,
    except version, updated_at, last_sequence, due_at, items, cooling_off_seconds, replaces;
}

/// Adds to `changes` each field that differs between `old` and `new`, except the items.
pub(super) fn compare_content(old: &OrderParts, new: &OrderParts, changes: &mut Vec<FieldChange>) {
    old.compare(new, "", changes);
    let (before, after) = (&old.shipping_address, &new.shipping_address);
    compare_addresses(before, after, "shippingAddress", changes);
    let (before, after) = (&old.billing_address, &new.billing_address);
    compare_addresses(before, after, "billingAddress", changes);
}

pub(super) fn set_content(content: &mut OrderParts, path: &str, value: &Value) -> Option<()> {
    let (name, field) = path.split_once('.').unzip();
    let address = match name.unwrap_or(path) {
        "shippingAddress" => &mut content.shipping_address,
        "billingAddress" => &mut content.billing_address,
        _ => return content.set(path, value),
    };
    match field {
        Some(field) => address.as_mut()?.set(field, value)?,
        None => *address = FieldValue::from_value(value)?,
    }
    Some(())
}

/// Adds a change for each changed field, or a single change for a new or removed address.
fn compare_addresses(
    old: &Option<Address>,
    new: &Option<Address>,
    name: &str,
    changes: &mut Vec<FieldChange>,
) {
    match (old, new) {
        (Some(old), Some(new)) => old.compare(new, &format!("{name}."), changes),
        _ => compare(old, new, "", name, changes),
    }
}

fn response_name(field: &str) -> &str {
    match field {
        // Fields that are missing here have the same name in requests and responses.
        "first_name" => "firstName",
        "last_name" => "lastName",
        "name" => "fullName",
        "zip" => "postcode",
        "province_code" => "provinceCode",
        "country_code" => "countryCode",
        "tax_number" => "taxNumber",
        "eur_tax_value" => "eurTaxValue",
        other => other,
    }
}

macro_rules! address_fields_are_compared {
    (() $($(#[$doc:meta])* $field:ident: $kind:ident = $check:ident $limits:tt,)+) => {
        impl Fields for Address {
            fn compare(&self, new: &Self, prefix: &str, changes: &mut Vec<FieldChange>) {
                $({
                    let name = response_name(stringify!($field));
                    compare(&self.$field, &new.$field, prefix, name, changes);
                })+
            }

            fn set(&mut self, name: &str, value: &Value) -> Option<()> {
                $(if name == response_name(stringify!($field)) {
                    self.$field = FieldValue::from_value(value)?;
                    return Some(());
                })+
                None
            }
        }
    };
}

address_fields!(address_fields_are_compared!);

pub(crate) fn content_changes(old: &OrderParts, new: &OrderParts) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    compare_content(old, new, &mut changes);
    let in_order = |order: &OrderParts, id| order.items.iter().find(|item| item.id == id).cloned();
    let added = new
        .items
        .iter()
        .map(|item| item.id)
        .filter(|id| in_order(old, *id).is_none());
    for id in old.items.iter().map(|item| item.id).chain(added) {
        let path = item_path(id);
        match (in_order(old, id), in_order(new, id)) {
            (Some(before), Some(after)) => {
                before.compare(&after, &format!("{path}."), &mut changes);
            }
            (before, after) => compare(&before, &after, "", &path, &mut changes),
        }
    }
    changes
}
