//! The form that voids a shipment that was recorded by mistake.

use pressline_domain::order::Order;
use pressline_domain::order::request::ShipmentDraft;

use super::{Form, VERSION, answered, first};
use crate::form::{Fields, Question};
use crate::route::Answer;
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
        reason: fields.text("reason"),
        ..ShipmentDraft::default()
    };
    let orders = &visit.services().orders;
    let voided = orders
        .void_shipment(visit.reach(), &draft, &visit.by())
        .await;
    let message = |_| "The shipment is void.".to_owned();
    answered(visit, voided, &[], message, form).await
}

fn form(_: &Visit, _: &Order, fields: &Fields) -> Form {
    let reason = Question::line("reason", "Reason", fields.get("reason")).required();
    Form {
        is_destructive: true,
        ..Form::new("Void shipment", "shipments/void", vec![reason])
    }
    .fixed("shipmentId", fields.get("shipmentId"))
}
