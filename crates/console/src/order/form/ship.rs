//! The form that records a shipment.

use pressline_domain::event::Role;
use pressline_domain::field::Field;
use pressline_domain::fulfilment::{Action, allowed_actions_of, missing_condition};
use pressline_domain::order::Order;
use pressline_domain::order::request::{ShipmentDraft, UnitsDraft};

use super::replace::{UNITS, units};
use super::{Form, VERSION, answered, first, is_sent, label};
use crate::form::{Fields, Question};
use crate::route::Answer;
use crate::view::local_moment;
use crate::visit::Visit;

pub(crate) async fn show(visit: Visit) -> Answer {
    first(visit, form).await
}

pub(crate) async fn submit(visit: Visit) -> Answer {
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
        shipped_at: local_moment(fields.get("shippedAt"), visit.zone()),
        line_items: Field::Value(items.collect()),
        ..ShipmentDraft::default()
    };
    let orders = &visit.services().orders;
    let shipped = orders
        .create_shipment(visit.reach(), &draft, &visit.by())
        .await;
    let message = |_| "Shipment added.".to_owned();
    answered(visit, shipped, &ids, message, form).await
}

fn form(visit: &Visit, order: &Order, fields: &Fields) -> Form {
    let now = visit.services().clock.now();
    let can_be_shipped = |id| {
        let item = order.state.item(id);
        item.is_some_and(|item| {
            let allowed = allowed_actions_of(order, item, Role::Operator, now);
            allowed.iter().any(|allowed| allowed.action == Action::Ship)
        })
    };
    let lines = order.content.items.iter();
    let lines = lines.filter(|line| can_be_shipped(line.id));
    let units = lines.map(|line| {
        let name = format!("{UNITS}{}", line.id);
        let rest = order.unshipped(line.id).to_string();
        let value = match is_sent(fields) {
            true => fields.get(&name),
            false => &rest,
        };
        Question::line(&name, &format!("Units of {}", label(order, line)), value)
    });
    let mut questions: Vec<Question> = units.collect();
    let obstacle = questions
        .is_empty()
        .then(|| missing_condition(order, Role::Operator, Action::Ship));
    let line = |name, label| Question::line(name, label, fields.get(name));
    questions.extend([
        line("carrier", "Carrier"),
        line("trackingNumber", "Tracking number"),
        line("trackingUrl", "Tracking address")
            .hint("Needed only for carriers whose parcels have no usual address"),
        line("ref", "Reference"),
        Question::moment("shippedAt", "Shipped at", fields.get("shippedAt"))
            .hint("In your time zone; now, if it is blank"),
    ]);
    Form {
        obstacle,
        ..Form::new("Add shipment", "shipments", questions)
    }
}
