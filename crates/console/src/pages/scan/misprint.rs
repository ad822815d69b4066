//! Records misprints: units that have to be produced again.

use pressline_backoffice::production::{ItemCode, MisprintDraft};

use super::page::{ITEM_CODE, refused};
use super::station::{Station, leads_to};
use crate::shell::{Answer, FormErrors, Message, SignedInRequest, counted};

pub(super) async fn submit(visit: &SignedInRequest, station: Station) -> Answer {
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
        Err(error) => return refused(visit, station, FormErrors::from_error(error)?).await,
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
