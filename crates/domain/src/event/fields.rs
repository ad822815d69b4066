//! The fields of an order that change, listed once: how they are compared, and how they are set
//! back.

use super::change::{FieldChange, FieldValue, Value};
use crate::address_fields;
use crate::fulfilment::{ItemState, OrderState, Shipment};
use crate::order::{Address, LineItem, OrderParts};

/// A value whose fields are compared one by one.
pub(super) trait Fields {
    /// Adds the fields that differ, with `prefix` before their names.
    fn compare(&self, new: &Self, prefix: &str, changes: &mut Vec<FieldChange>);

    /// Sets a field; `None` if there is none of this name, or the value is of another type.
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

macro_rules! fields {
    ($type:ty: $($name:literal = $field:ident,)+) => {
        impl Fields for $type {
            fn compare(&self, new: &Self, prefix: &str, changes: &mut Vec<FieldChange>) {
                $(compare(&self.$field, &new.$field, prefix, $name, changes);)+
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
}

// The status is in the event's list of items, and the shipped quantity follows from the shipments.
fields! { ItemState:
    "returnsTo" = returns_to,
    "heldBy" = held_by,
    "holdUntil" = hold_until,
    "readyAt" = ready_at,
    "windowEnd" = window_end,
}

fields! { Shipment:
    "ref" = reference,
    "carrier" = carrier,
    "trackingNumber" = tracking_number,
    "trackingUrl" = tracking_url,
    "status" = status,
    "shippedAt" = shipped_at,
    "deliveredAt" = delivered_at,
    "returnedAt" = returned_at,
}

/// Fields of the content besides its items and addresses.
pub(super) struct ContentFields<'a>(pub(super) &'a OrderParts);

impl ContentFields<'_> {
    pub(super) fn compare(&self, new: &OrderParts, changes: &mut Vec<FieldChange>) {
        let old = self.0;
        compare(&old.label_url, &new.label_url, "", LABEL, changes);
        compare(&old.email, &new.email, "", "email", changes);
        compare(&old.customer, &new.customer, "", "customer", changes);
        let (old_note, new_note) = (&old.production_note, &new.production_note);
        compare(old_note, new_note, "", "productionNote", changes);
        let (old_bill, new_bill) = (Box::new(old.bill.clone()), Box::new(new.bill.clone()));
        compare(&old_bill, &new_bill, "", "feeLines", changes);
        compare(&old.priced_at, &new.priced_at, "", "pricedAt", changes);
        let (old_address, new_address) = (&old.shipping_address, &new.shipping_address);
        compare_addresses(old_address, new_address, "shippingAddress", changes);
        let (old_address, new_address) = (&old.billing_address, &new.billing_address);
        compare_addresses(old_address, new_address, "billingAddress", changes);
    }
}

/// The name of the label's URL in responses.
const LABEL: &str = "shipping_address_label";

/// Sets a field of the content.
pub(super) fn set_content(content: &mut OrderParts, path: &str, value: &Value) -> Option<()> {
    if let Some((name, field)) = path.split_once('.') {
        return address_mut(content, name)?.as_mut()?.set(field, value);
    }
    match path {
        LABEL => content.label_url = FieldValue::from_value(value)?,
        "email" => content.email = FieldValue::from_value(value)?,
        "customer" => content.customer = FieldValue::from_value(value)?,
        "productionNote" => content.production_note = FieldValue::from_value(value)?,
        "pricedAt" => content.priced_at = FieldValue::from_value(value)?,
        "feeLines" => content.bill = *<Box<_> as FieldValue>::from_value(value)?,
        name => {
            let address: Option<Box<Address>> = FieldValue::from_value(value)?;
            *address_mut(content, name)? = address.map(|address| *address);
        }
    }
    Some(())
}

fn address_mut<'a>(content: &'a mut OrderParts, name: &str) -> Option<&'a mut Option<Address>> {
    match name {
        "shippingAddress" => Some(&mut content.shipping_address),
        "billingAddress" => Some(&mut content.billing_address),
        _ => None,
    }
}

/// Compares addresses field by field; one that is new or gone as a whole.
fn compare_addresses(
    old: &Option<Address>,
    new: &Option<Address>,
    name: &str,
    changes: &mut Vec<FieldChange>,
) {
    if let (Some(old), Some(new)) = (old, new) {
        old.compare(new, &format!("{name}."), changes);
        return;
    }
    let boxed = |address: &Option<Address>| address.clone().map(Box::new);
    compare(&boxed(old), &boxed(new), "", name, changes);
}

/// Compares the fields of an order's state that readers see.
pub(super) fn compare_state(old: &OrderState, new: &OrderState, changes: &mut Vec<FieldChange>) {
    let pending = |state: &OrderState| state.pending.clone().map(Box::new);
    compare(&pending(old), &pending(new), "", "pendingChange", changes);
    compare(&old.needs, &new.needs, "", "actionNeeded", changes);
    compare(
        &old.replaced_by,
        &new.replaced_by,
        "",
        "replacedBy",
        changes,
    );
    compare(&old.item_count, &new.item_count, "", "itemCount", changes);
}

/// Sets a field of an order's state.
pub(super) fn set_state(state: &mut OrderState, path: &str, value: &Value) -> Option<()> {
    match path {
        "pendingChange" => {
            let pending: Option<Box<_>> = FieldValue::from_value(value)?;
            state.pending = pending.map(|pending| *pending);
        }
        "actionNeeded" => state.needs = FieldValue::from_value(value)?,
        "replacedBy" => state.replaced_by = FieldValue::from_value(value)?,
        "itemCount" => state.item_count = FieldValue::from_value(value)?,
        _ => return None,
    }
    Some(())
}

/// The name of a field of an address in responses.
fn response_name(field: &str) -> &str {
    match field {
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

/// Returns what differs between two contents, items included: what an update would change.
pub(crate) fn content_changes(old: &OrderParts, new: &OrderParts) -> Vec<FieldChange> {
    let mut changes = Vec::new();
    ContentFields(old).compare(new, &mut changes);
    let in_order = |order: &OrderParts, id| order.items.iter().find(|item| item.id == id).cloned();
    let added = new.items.iter().map(|item| item.id);
    let added = added.filter(|id| in_order(old, *id).is_none());
    for id in old.items.iter().map(|item| item.id).chain(added) {
        let path = format!("childDetails[{id}]");
        match (in_order(old, id), in_order(new, id)) {
            (Some(before), Some(after)) => {
                before.compare(&after, &format!("{path}."), &mut changes);
            }
            (before, after) => {
                compare(
                    &before.map(Box::new),
                    &after.map(Box::new),
                    "",
                    &path,
                    &mut changes,
                );
            }
        }
    }
    changes
}
