//! Form that records the delivery or return of a parcel.

use pressline_domain::order::Order;
use pressline_domain::order::request::ShipmentDraft;

use super::{Form, VERSION, answered};
use crate::shell::view::local_time;
use crate::shell::{Answer, Fields, FormField, Result, SignedInRequest};

pub(crate) async fn submit(visit: SignedInRequest) -> Answer {
    let fields = visit.form();
    let draft = ShipmentDraft {
        order_id: visit.parameter("number").into(),
        shipment_id: fields.text("shipmentId"),
        version: fields.integer(VERSION),
        status: fields.text("status"),
        at: local_time(fields.get("at"), visit.zone()),
        ..ShipmentDraft::default()
    };
    let (orders, by) = (&visit.services().orders, visit.by());
    let tracked = orders.ship.track_shipment(visit.scope(), &draft, &by);
    let result = tracked.await.map(|_| "The parcel is up to date.");
    answered(&visit, result, &[], form).await
}

pub(crate) fn form(_: &SignedInRequest, _: &Order, fields: &Fields) -> Result<Form> {
    let status = fields.get("status");
    let name = match status {
        "returned" => "Mark returned",
        _ => "Mark delivered",
    };
    let at = FormField::timestamp("at", "When", fields.get("at"))
        .hint("In your time zone; now, if it is blank");
    let form =
        Form::new(name, "shipments/track", vec![at]).fixed("shipmentId", fields.get("shipmentId"));
    Ok(form.fixed("status", status))
}
