//! List of stores.

use askama::Template;
use pressline_domain::store::{Store, StoreRecord};
use pressline_domain::value::Timestamp;
use pressline_http::request_error::RequestError;

use super::reached::{STORES, administered, path};
use crate::shell::list;
use crate::shell::{Answer, Chip, FormField, Frame, PageLinks, Paging, Reply, SignedInRequest};

#[derive(Template)]
#[template(path = "store/list.html")]
struct StoresPage {
    frame: Frame,
    search: FormField,
    is_filtered: bool,
    may_create: bool,
    records: Vec<StoreRecord>,
    links: PageLinks,
}

/// Shows the oldest store first.
pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    let query = visit.query();
    let paging = Paging::from_query(query)?;
    let key = query.get("searchKey").trim().to_lowercase();
    let mut records = administered(&visit).list().await?;
    records.retain(|record| matches(record, &key));
    let id = |record: &StoreRecord| record.store.id.to_string();
    let page = |draft| std::future::ready(list::page_of(&records, &draft, id));
    let listed = paging.read::<_, RequestError, _>(page).await?;
    let page = StoresPage {
        frame: visit.frame(&["Stores"])?,
        search: FormField::search("searchKey", "Name, prefix or id", query.get("searchKey")),
        is_filtered: !key.is_empty(),
        may_create: visit.operator().stores.is_none(),
        links: paging.links(STORES, query, listed.next_cursor.as_deref()),
        records: listed.entries,
    };
    Reply::page(&page)
}

/// Matches the name, or the beginning of prefix or id. `key` must be in lower case.
fn matches(record: &StoreRecord, key: &str) -> bool {
    let store = &record.store;
    let prefix = store.prefix.as_str().to_lowercase();
    store.name.to_lowercase().contains(key)
        || prefix.starts_with(key)
        || store.id.to_string().starts_with(key)
}

fn last_call(record: &StoreRecord) -> Option<Timestamp> {
    record.keys.iter().filter_map(|key| key.last_used_at).max()
}

pub(super) fn chips(store: &Store) -> Vec<Chip> {
    let state = match store.enabled {
        true => Chip::good("enabled"),
        false => Chip::idle("disabled"),
    };
    [state].into_iter().chain(Chip::test(store.test)).collect()
}
