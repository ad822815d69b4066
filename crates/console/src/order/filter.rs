//! The filters of the list of orders, named as in the operator API.

use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::operator::ZoneName;
use pressline_domain::order::OrderKind;
use pressline_domain::order::queue::{OrdersDraft, StoresDraft};
use pressline_domain::order::search::SearchDraft;
use pressline_domain::page::PageDraft;
use pressline_domain::store::StoreError;

use crate::form::{Fields, FormErrors, Question};
use crate::view::{day_end, day_start};
use crate::visit::Visit;

/// The fields of a list that choose a page of it.
const PAGE_FIELDS: [&str; 4] = ["cursor", "before", "deep", "size"];

/// A value of a filter that has several, as a checkbox.
pub(crate) struct Tick {
    pub(crate) value: &'static str,
    pub(crate) is_ticked: bool,
}

/// Returns the search that an address asks for.
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

/// Returns the stores that an address asks for.
pub(crate) fn stores_draft(query: &Fields) -> StoresDraft {
    StoresDraft {
        ids: query.texts("stores"),
        test: query.flag("test"),
    }
}

/// Returns the fields of the filters that have one value.
pub(super) fn questions(
    query: &Fields,
    stores: &[(String, String)],
    errors: Option<&FormErrors>,
) -> Vec<Question> {
    let get = |name| query.get(name);
    let questions = [
        Question::search("searchKey", "Search for", get("searchKey")),
        Question::line("trackingNumber", "Tracking number", get("trackingNumber")),
        Question::day("fromTime", "Placed from", get("fromTime")),
        Question::day("toTime", "Placed to", get("toTime")),
        store_question(query, stores),
    ];
    let questions = questions.into_iter();
    questions.map(|question| question.errors(errors)).collect()
}

/// Returns the choice of a store.
pub(crate) fn store_question(query: &Fields, stores: &[(String, String)]) -> Question {
    let all = [(String::new(), "All stores".to_owned())];
    let options = all.into_iter().chain(stores.iter().cloned());
    Question::choice("stores", "Store", query.get("stores"), options)
}

/// Returns the ids and names of the stores that the operator reaches.
///
/// # Errors
/// As the directory of stores fails.
pub(crate) async fn stores(visit: &Visit) -> Result<Vec<(String, String)>, StoreError> {
    let records = visit.services().stores.list().await?;
    let stores = records.into_iter().map(|record| record.store);
    let reached = stores.filter(|store| visit.operator().reaches(store.id));
    let named = reached.map(|store| {
        let name = format!("{} ({})", store.name, store.prefix);
        (store.id.to_string(), name)
    });
    Ok(named.collect())
}

/// Returns a checkbox for each status.
pub(crate) fn statuses(query: &Fields) -> Vec<Tick> {
    ticks("statuses", ItemStatus::ALL.map(ItemStatus::as_str), query)
}

/// Returns a checkbox for each type of order.
pub(crate) fn types(query: &Fields) -> Vec<Tick> {
    ticks("types", OrderKind::ALL.map(OrderKind::as_str), query)
}

/// Returns a checkbox for each value of a filter.
pub(crate) fn ticks(
    name: &str,
    values: impl IntoIterator<Item = &'static str>,
    query: &Fields,
) -> Vec<Tick> {
    let values = values.into_iter();
    values
        .map(|value| Tick {
            value,
            is_ticked: query.chooses(name, value),
        })
        .collect()
}

/// Returns whether an address has a filter.
pub(crate) fn is_filtered(query: &Fields) -> bool {
    !query.without(&PAGE_FIELDS).is_empty()
}
