//! The filters of the list of parcels, named as in the operator API.

use pressline_domain::fulfilment::ShipmentStatus;
use pressline_domain::operator::ZoneName;
use pressline_domain::order::ParcelsDraft;
use pressline_domain::page::PageDraft;

use crate::form::{Fields, FormErrors, Question, Ticks};
use crate::order::filter::{store_question, stores_draft};
use crate::view::{day_end, day_start};

pub(super) fn draft(query: &Fields, zone: &ZoneName, paging: PageDraft) -> ParcelsDraft {
    ParcelsDraft {
        tracking_number: query.text("trackingNumber"),
        carrier: query.text("carrier"),
        statuses: query.texts("statuses"),
        from_time: day_start(query.get("fromTime"), zone),
        to_time: day_end(query.get("toTime"), zone),
        stores: stores_draft(query),
        paging,
    }
}

pub(super) fn questions(
    query: &Fields,
    stores: &[(String, String)],
    errors: Option<&FormErrors>,
) -> Vec<Question> {
    let get = |name| query.get(name);
    let questions = [
        Question::search("trackingNumber", "Tracking number", get("trackingNumber")),
        Question::line("carrier", "Carrier", get("carrier")),
        Question::day("fromTime", "Shipped from", get("fromTime")),
        Question::day("toTime", "Shipped to", get("toTime")),
        store_question(query, stores),
    ];
    let questions = questions.into_iter();
    questions.map(|question| question.errors(errors)).collect()
}

pub(super) fn statuses(query: &Fields, errors: Option<&FormErrors>) -> Ticks {
    let values = ShipmentStatus::ALL.map(ShipmentStatus::as_str);
    Ticks::plain("statuses", "Statuses", values, query).errors(errors)
}
