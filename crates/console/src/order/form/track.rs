//! The form that says what became of a parcel.

use pressline_domain::order::Order;
use pressline_domain::order::request::ShipmentDraft;

use super::{Form, VERSION, answered, first};
use crate::form::{Fields, Question};
use crate::route::Answer;
use crate::view::local_moment;
use crate::visit::Visit;

pub(crate) async fn show(visit: Visit) -> Answer {
    first(visit, form).await
}

pub(crate) async fn submit(visit: Visit) -> Answer {
    let fields = visit.form();
    let draft = ShipmentDraft {
        order_id: visit.parameter("number").into(),
        shipment_id: fields.text("shipmentId"),
        version: fields.integer(VERSION),
        status: fields.text("status"),
        at: local_moment(fields.get("at"), visit.zone()),
        ..ShipmentDraft::default()
    };
    let orders = &visit.services().orders;
    let tracked = orders
        .track_shipment(visit.reach(), &draft, &visit.by())
        .await;
    let message = |_| "The parcel is up to date.".to_owned();
    answered(visit, tracked, &[], message, form).await
}

fn form(_: &Visit, _: &Order, fields: &Fields) -> Form {
    let status = fields.get("status");
    let name = match status {
        "returned" => "Mark returned",
        _ => "Mark delivered",
    };
    let at = Question::moment("at", "When", fields.get("at"))
        .hint("In your time zone; now, if it is blank");
    Form::new(name, "shipments/track", vec![at])
        .fixed("shipmentId", fields.get("shipmentId"))
        .fixed("status", status)
}
