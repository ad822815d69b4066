//! Form that makes items again with a new order, a replacement.

use pressline_domain::check::Field;
use pressline_domain::order::Order;
use pressline_domain::order::request::{ReplaceDraft, UnitsDraft};

use super::{Form, VERSION, by_item, label, refused};
use crate::shell::paths::order::path;
use crate::shell::{Answer, Fields, FormErrors, FormField, Reply, Result, SignedInRequest};

/// Prefix of the names of fields with a number of units to replace or ship. The item's id follows.
pub(super) const UNITS: &str = "quantity.";

pub(crate) async fn submit(visit: SignedInRequest) -> Answer {
    let fields = visit.form();
    let ids: Vec<String> = units(fields).map(|(id, _)| id.to_owned()).collect();
    let items = units(fields).map(|(id, quantity)| {
        Field::Value(UnitsDraft {
            app_item_id: id.into(),
            quantity,
        })
    });
    let draft = ReplaceDraft {
        order_id: visit.parameter("number").into(),
        version: fields.integer(VERSION),
        reason: fields.text("reason"),
        line_items: Field::Value(items.collect()),
        charge: fields.flag("charge"),
    };
    let orders = &visit.services().orders;
    match orders
        .place
        .replace(visit.scope(), &draft, &visit.by())
        .await
    {
        Ok(placed) => {
            let number = placed.order.service_order_id.to_string();
            let text = format!(
                "This order replaces items of {}.",
                visit.parameter("number")
            );
            Ok(Reply::done(path(&number), text))
        }
        Err(error) => refused(&visit, by_item(FormErrors::from_error(error)?, &ids), form).await,
    }
}

/// Leaves out items with a blank number of units, or with 0 units.
pub(super) fn units(fields: &Fields) -> impl Iterator<Item = (&str, Field<i64>)> {
    let quantities = fields.iter().filter_map(|(name, value)| {
        let id = name.strip_prefix(UNITS)?;
        Some((id, name, value))
    });
    let given = quantities.filter(|(.., value)| !matches!(value.trim(), "" | "0"));
    given.map(|(id, name, _)| (id, fields.integer(name)))
}

pub(crate) fn form(_: &SignedInRequest, order: &Order, fields: &Fields) -> Result<Form> {
    let lines = order.content.items.iter();
    let units = lines.map(|line| {
        let name = format!("{UNITS}{}", line.id);
        let label = format!("Units of {}", label(order, line));
        FormField::line(&name, &label, fields.get(&name))
    });
    let mut questions: Vec<FormField> = units.collect();
    questions.push(FormField::line("reason", "Reason", fields.get("reason")).required());
    let charge = "Charge the new order as any other";
    questions.push(FormField::tick("charge", charge, fields.has("charge")));
    Ok(Form::new("Replace items", "replace", questions))
}
