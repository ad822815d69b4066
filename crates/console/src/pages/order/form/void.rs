//! Form that voids a shipment recorded by mistake.

use pressline_domain::order::Order;
use pressline_domain::order::request::ShipmentDraft;

use super::{Form, VERSION, answered};
use crate::shell::{Answer, Fields, FormField, Result, SignedInRequest};

pub(crate) async fn submit(visit: SignedInRequest) -> Answer {
    let fields = visit.form();
    let draft = ShipmentDraft {
        order_id: visit.parameter("number").into(),
        shipment_id: fields.text("shipmentId"),
        version: fields.integer(VERSION),
        reason: fields.text("reason"),
        ..ShipmentDraft::default()
    };
    let (orders, by) = (&visit.services().orders, visit.by());
    let voided = orders.ship.void_shipment(visit.scope(), &draft, &by);
    let result = voided.await.map(|_| "The shipment is void.");
    answered(&visit, result, &[], form).await
}

pub(crate) fn form(_: &SignedInRequest, _: &Order, fields: &Fields) -> Result<Form> {
    let reason = FormField::line("reason", "Reason", fields.get("reason")).required();
    let form = Form {
        is_destructive: true,
        ..Form::new("Void shipment", "shipments/void", vec![reason])
    };
    Ok(form.fixed("shipmentId", fields.get("shipmentId")))
}
