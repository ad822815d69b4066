//! Form that adds a fee line.

use pressline_domain::order::Order;
use pressline_domain::order::request::FeeLineDraft;
use pressline_domain::pricing::fees::FeeType;

use super::{Form, VERSION, answered, label};
use crate::shell::{Answer, Fields, FormField, Result, SignedInRequest};

pub(crate) async fn submit(visit: SignedInRequest) -> Answer {
    let fields = visit.form();
    let draft = FeeLineDraft {
        order_id: visit.parameter("number").into(),
        version: fields.integer(VERSION),
        fee: fields.text("type"),
        amount: fields.text("amount"),
        reason: fields.text("reason"),
        app_item_id: fields.text("appItemId"),
    };
    let (orders, by) = (&visit.services().orders, visit.by());
    let added = orders.change.correct_fees(visit.scope(), &draft, &by);
    let result = added.await.map(|_| "Fee line added.");
    answered(&visit, result, &[], form).await
}

pub(crate) fn form(_: &SignedInRequest, order: &Order, fields: &Fields) -> Result<Form> {
    let fees = FeeType::ALL.map(|fee| (fee.as_str(), fee.as_str()));
    let lines = order.content.items.iter();
    let items = lines.map(|line| (line.id.to_string(), label(order, line)));
    let whole = [(String::new(), "The order".to_owned())];
    let questions = vec![
        FormField::choice("type", "Fee", fields.get("type"), fees),
        FormField::line("amount", "Amount", fields.get("amount"))
            .hint("In the order's currency, such as 4.50; negative to lower the fee")
            .required(),
        FormField::line("reason", "Reason", fields.get("reason"))
            .hint("The order shows it as the rule of the line")
            .required(),
        FormField::choice(
            "appItemId",
            "For",
            fields.get("appItemId"),
            whole.into_iter().chain(items),
        ),
    ];
    Ok(Form::new("Add fee line", "fee-lines", questions))
}
