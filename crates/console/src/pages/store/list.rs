//! List of stores.

use askama::Template;
use pressline_domain::store::StoreRecord;
use pressline_http::request_error::RequestError;

use super::reached::{STORES, administered, path};
use crate::shell::form::FormField;
use crate::shell::frame::Frame;
use crate::shell::list::{self, PageLinks, Paging};
use crate::shell::reply::Reply;
use crate::shell::request::SignedInRequest;
use crate::shell::route::Answer;
use crate::shell::time::When;
use crate::shell::view::Chip;

#[derive(Template)]
#[template(path = "store/list.html")]
struct StoresPage {
    frame: Frame,
    search: FormField,
    is_filtered: bool,
    may_create: bool,
    rows: Vec<StoreRow>,
    links: PageLinks,
}

struct StoreRow {
    path: String,
    name: String,
    prefix: String,
    currency: String,
    chips: Vec<Chip>,
    keys: usize,
    last_call: Option<When>,
}

/// Shows the stores that match the search key, oldest first.
pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    let query = visit.query();
    let paging = Paging::from_query(query)?;
    let key = query.get("searchKey").trim().to_lowercase();
    let mut records = administered(&visit).list().await?;
    records.retain(|record| matches(record, &key));
    let id = |record: &StoreRecord| record.store.id.to_string();
    let page = |draft| std::future::ready(list::page_of(&records, &draft, id));
    let listed = paging.read::<_, RequestError, _>(page).await?;
    let rows = listed.entries.iter().map(|record| row(record, &visit));
    let page = StoresPage {
        frame: visit.frame(&["Stores"])?,
        search: FormField::search("searchKey", "Name, prefix or id", query.get("searchKey")),
        is_filtered: !key.is_empty(),
        may_create: visit.operator().stores.is_none(),
        rows: rows.collect(),
        links: paging.links(STORES, query, listed.next_cursor.as_deref()),
    };
    Reply::page(&page)
}

/// Matches `key` with any part of the name, or with the beginning of the prefix or id.
fn matches(record: &StoreRecord, key: &str) -> bool {
    let store = &record.store;
    let prefix = store.prefix.as_str().to_lowercase();
    store.name.to_lowercase().contains(key)
        || prefix.starts_with(key)
        || store.id.to_string().starts_with(key)
}

fn row(record: &StoreRecord, visit: &SignedInRequest) -> StoreRow {
    let store = &record.store;
    let last_call = record.keys.iter().filter_map(|key| key.last_used_at).max();
    StoreRow {
        path: path(store.id),
        name: store.name.clone(),
        prefix: store.prefix.to_string(),
        currency: store.currency.to_string(),
        chips: chips(store.enabled, store.test),
        keys: record.keys.len(),
        last_call: last_call.map(|minute| When::in_zone(minute, visit.zone())),
    }
}

pub(super) fn chips(is_enabled: bool, is_test: bool) -> Vec<Chip> {
    let state = match is_enabled {
        true => Chip::good("enabled"),
        false => Chip::idle("disabled"),
    };
    [state].into_iter().chain(Chip::test(is_test)).collect()
}
