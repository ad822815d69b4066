//! Recording units that have to be made again.

use pressline_domain::production::{ItemCode, MisprintDraft, OrderProduction};

use super::leads_to;
use super::page::refused;
use super::station::Station;
use crate::form::{Fields, FormErrors, Question, with_errors};
use crate::list::counted;
use crate::message::Message;
use crate::route::Answer;
use crate::visit::Visit;

const ITEM_CODE: &str = "itemCode";

pub(super) async fn submit(visit: &Visit, station: Station) -> Answer {
    let fields = visit.form();
    let draft = MisprintDraft {
        item_code: fields.text(ITEM_CODE),
        units: fields.integer("units"),
        reason: fields.text("reason"),
        ..MisprintDraft::default()
    };
    let (production, by) = (&visit.services().production, visit.by());
    let recorded = match production.misprint(visit.operator(), &draft, &by).await {
        Ok(recorded) => recorded,
        Err(error) => return refused(visit, station, FormErrors::of(error)?).await,
    };
    let (code, units) = (recorded.item.code(), &recorded.item.production.units);
    let text = format!(
        "{code}: misprint recorded. Now at the first step: {}.",
        counted(units.waiting_at(0), "unit")
    );
    let station = match code.parse::<ItemCode>() {
        Ok(code) => station.at_item(&code),
        Err(_) => station,
    };
    leads_to(&station, Message::status(text))
}

/// Empty if no unit can be misprinted.
pub(super) fn questions(
    order: &OrderProduction,
    station: &Station,
    fields: &Fields,
    errors: Option<&FormErrors>,
) -> Vec<Question> {
    let printed = order.at_work();
    let printed = printed.filter(|item| item.production.units.unshipped() > 0);
    let options: Vec<(String, String)> = printed
        .map(|item| {
            let name = item.line.name.as_deref().unwrap_or(&item.line.sku);
            (item.code(), format!("{} {name}", item.code()))
        })
        .collect();
    if options.is_empty() {
        return Vec::new();
    }
    let typed = |name, otherwise| match fields.has(name) {
        true => fields.get(name),
        false => otherwise,
    };
    let questions = vec![
        Question::choice(ITEM_CODE, "Item", typed(ITEM_CODE, &station.item), options),
        Question::line("units", "Misprinted units", typed("units", "1")).required(),
        Question::line("reason", "Reason", fields.get("reason")).required(),
    ];
    with_errors(questions, errors)
}
