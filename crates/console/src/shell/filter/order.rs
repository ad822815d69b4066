//! Filters of the order list, named as in the operator API.

use pressline_backoffice::operator::ZoneName;
use pressline_backoffice::queue::OrdersDraft;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::OrderKind;
use pressline_domain::order::search::SearchDraft;
use pressline_domain::value::page::PageDraft;

use super::stores::{StoreNames, store_question, stores_draft};
use crate::shell::form::{CheckboxGroup, Fields, FormErrors, FormField};
use crate::shell::view::{day_end, day_start};

pub(crate) fn draft(query: &Fields, zone: &ZoneName, paging: PageDraft) -> OrdersDraft {
    OrdersDraft {
        search: SearchDraft {
            from_time: day_start(query.get("fromTime"), zone),
            to_time: day_end(query.get("toTime"), zone),
            search_key: query.text("searchKey"),
            statuses: query.texts("statuses"),
            types: query.texts("types"),
            paging,
        },
        tracking_number: query.text("trackingNumber"),
        stores: stores_draft(query),
    }
}

pub(crate) fn questions(query: &Fields, stores: &StoreNames) -> Vec<FormField> {
    let get = |name| query.get(name);
    vec![
        FormField::search("searchKey", "Search for", get("searchKey")),
        FormField::line("trackingNumber", "Tracking number", get("trackingNumber")),
        FormField::day("fromTime", "Placed from", get("fromTime")),
        FormField::day("toTime", "Placed to", get("toTime")),
        store_question(query, stores),
    ]
}

pub(crate) fn statuses(query: &Fields, errors: Option<&FormErrors>) -> CheckboxGroup {
    let values = ItemStatus::ALL.map(ItemStatus::as_str);
    CheckboxGroup::plain("statuses", "Statuses", values, query).errors(errors)
}

pub(crate) fn types(query: &Fields, errors: Option<&FormErrors>) -> CheckboxGroup {
    let values = OrderKind::ALL.map(OrderKind::as_str);
    CheckboxGroup::plain("types", "Types", values, query).errors(errors)
}
