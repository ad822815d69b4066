//! The filters of the list of orders, named as in the operator API.

use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::operator::ZoneName;
use pressline_domain::order::OrderKind;
use pressline_domain::order::queue::{OrdersDraft, StoresDraft};
use pressline_domain::order::search::SearchDraft;
use pressline_domain::page::PageDraft;
use pressline_domain::store::StoreError;

use crate::catalog::{named, reached_stores};
use crate::form::{Fields, FormErrors, Question, Ticks, with_errors};
use crate::list::PAGE_FIELDS;
use crate::view::{day_end, day_start};
use crate::visit::Visit;

pub(super) fn draft(query: &Fields, zone: &ZoneName, paging: PageDraft) -> OrdersDraft {
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

pub(crate) fn stores_draft(query: &Fields) -> StoresDraft {
    StoresDraft {
        ids: query.texts("stores"),
        test: query.flag("test"),
    }
}

pub(super) fn questions(
    query: &Fields,
    stores: &[(String, String)],
    errors: Option<&FormErrors>,
) -> Vec<Question> {
    let get = |name| query.get(name);
    let questions = vec![
        Question::search("searchKey", "Search for", get("searchKey")),
        Question::line("trackingNumber", "Tracking number", get("trackingNumber")),
        Question::day("fromTime", "Placed from", get("fromTime")),
        Question::day("toTime", "Placed to", get("toTime")),
        store_question(query, stores),
    ];
    with_errors(questions, errors)
}

pub(crate) fn store_question(query: &Fields, stores: &[(String, String)]) -> Question {
    let all = [(String::new(), "All stores".to_owned())];
    let options = all.into_iter().chain(stores.iter().cloned());
    Question::choice("stores", "Store", query.get("stores"), options)
}

/// Ids and names of the stores that the operator reaches.
pub(crate) async fn stores(visit: &Visit) -> Result<Vec<(String, String)>, StoreError> {
    let stores = reached_stores(visit).await?.into_iter();
    let named = stores.map(|store| (store.id.to_string(), named(&store)));
    Ok(named.collect())
}

pub(crate) fn statuses(query: &Fields, errors: Option<&FormErrors>) -> Ticks {
    let values = ItemStatus::ALL.map(ItemStatus::as_str);
    Ticks::plain("statuses", "Statuses", values, query).errors(errors)
}

pub(crate) fn types(query: &Fields, errors: Option<&FormErrors>) -> Ticks {
    let values = OrderKind::ALL.map(OrderKind::as_str);
    Ticks::plain("types", "Types", values, query).errors(errors)
}

pub(crate) fn is_filtered(query: &Fields) -> bool {
    !filters(query).is_empty()
}

/// Without the fields that choose a page.
pub(crate) fn filters(query: &Fields) -> Fields {
    query.without(&PAGE_FIELDS)
}
