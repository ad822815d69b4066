//! Form that records a shipment.

use pressline_domain::check::Field;
use pressline_domain::fulfilment::Command;
use pressline_domain::order::Order;
use pressline_domain::order::request::{ShipmentDraft, UnitsDraft};

use super::replace::{UNITS, units};
use super::{Form, VERSION, allows, answered, is_sent, label, obstacle};
use crate::shell::view::local_time;
use crate::shell::{Answer, Fields, FormField, Result, SignedInRequest};

pub(crate) async fn submit(visit: SignedInRequest) -> Answer {
    let fields = visit.form();
    let ids: Vec<String> = units(fields).map(|(id, _)| id.to_owned()).collect();
    let items = units(fields).map(|(id, quantity)| {
        Field::Value(UnitsDraft {
            app_item_id: id.into(),
            quantity,
        })
    });
    let draft = ShipmentDraft {
        order_id: visit.parameter("number").into(),
        version: fields.integer(VERSION),
        reference: fields.text("ref"),
        carrier: fields.text("carrier"),
        tracking_number: fields.text("trackingNumber"),
        tracking_url: fields.text("trackingUrl"),
        shipped_at: local_time(fields.get("shippedAt"), visit.zone()),
        line_items: Field::Value(items.collect()),
        ..ShipmentDraft::default()
    };
    let (orders, by) = (&visit.services().orders, visit.by());
    let shipped = orders.ship.create_shipment(visit.scope(), &draft, &by);
    let result = shipped.await.map(|_| "Shipment added.");
    answered(&visit, result, &ids, form).await
}

pub(crate) fn form(visit: &SignedInRequest, order: &Order, fields: &Fields) -> Result<Form> {
    let lines = order
        .content
        .items
        .iter()
        .filter(|line| allows(visit, order, line.id, Command::Ship));
    let units = lines.map(|line| {
        let name = format!("{UNITS}{}", line.id);
        let rest = order.unshipped(line.id).to_string();
        let value = if is_sent(fields) {
            fields.get(&name)
        } else {
            &rest
        };
        FormField::line(&name, &format!("Units of {}", label(order, line)), value)
    });
    let mut questions: Vec<FormField> = units.collect();
    // Before the other fields are added: without items, nothing can be shipped.
    let obstacle = obstacle(order, Command::Ship, questions.is_empty());
    let line = |name, label| FormField::line(name, label, fields.get(name));
    questions.extend([
        line("carrier", "Carrier"),
        line("trackingNumber", "Tracking number"),
        line("trackingUrl", "Tracking address")
            .hint("Needed only for carriers whose parcels have no usual address"),
        line("ref", "Reference"),
        FormField::timestamp("shippedAt", "Shipped at", fields.get("shippedAt"))
            .hint("In your time zone; now, if it is blank"),
    ]);
    Ok(Form {
        obstacle,
        ..Form::new("Add shipment", "shipments", questions)
    })
}
