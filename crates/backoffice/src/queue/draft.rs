//! Unchecked requests for the order queue, and their validation.

use std::collections::BTreeSet;

use super::StoreFilter;
use pressline_domain::check::{self, Field, Path, Report, flag, text};
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::order::OrderKind;
use pressline_domain::order::search::{SearchDraft, kinds, statuses, time};
use pressline_domain::store::StoreSet;
use pressline_domain::value::page::{ListDigest, PageDraft, search_key};
use pressline_domain::value::{StoreId, Timestamp};
use pressline_kit::geo::Country;
use pressline_kit::words::SearchKey;

type Texts = Field<Vec<Field<String>>>;

/// Unchecked selection of stores in a request of an operator.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StoresDraft {
    /// Store ids; if empty, all stores that the operator has access to.
    pub ids: Texts,
    /// `true` to include test stores; otherwise they are left out.
    pub test: Field<bool>,
}

/// Unchecked search for items in the order queue.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueueDraft {
    /// Statuses of the items to find, such as `ready`; if empty, all statuses of unfinished items.
    pub statuses: Texts,
    /// Stores to include. Test stores are included only if `stores.test` is `true`.
    pub stores: StoresDraft,
    /// SKU of the items to find; absent for any.
    pub sku: Field<String>,
    /// Name of a print area for which the items must have a file, such as `Front`; absent for any.
    pub area: Field<String>,
    /// Ship class of the items to find, such as `Standard`; absent for any. Case is ignored.
    pub ship_class: Field<String>,
    /// Types of the orders to find, such as `manual`; if empty, any type.
    pub types: Texts,
    /// Country codes of the shipping address, such as `DE`; if empty, any country.
    pub countries: Texts,
    /// Exclusive upper bound of the creation time, in milliseconds since 1970; 0 means no bound.
    pub placed_before: Field<i64>,
    /// Words to search for in the order. Each must match the beginning of a word in the order.
    pub search_key: Field<String>,
    /// Size and cursor of the page to return. Page numbers are refused.
    pub paging: PageDraft,
}

/// Unchecked search for orders across stores.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OrdersDraft {
    /// Filters and paging, as in a search within a store. Page numbers are refused.
    pub search: SearchDraft,
    /// Tracking number of a shipment of the order. If absent, orders need no shipment.
    pub tracking_number: Field<String>,
    /// Stores to include. Test stores are included only if `stores.test` is `true`.
    pub stores: StoresDraft,
}

impl StoresDraft {
    /// Returns the named stores, also outside the operator's scope; all stores if none is named.
    pub(crate) fn check(&self, report: &mut Report) -> StoreFilter {
        let path = Path::Root.key("stores");
        let ids: BTreeSet<StoreId> = check::each(&self.ids, &path, report, |name| {
            name.parse()
                .map_err(|_| format!("`{name}` is not the id of a store"))
        });
        let test = flag(&self.test, &Path::Root.key("test"), report);
        StoreFilter {
            set: Some(ids).filter(|ids| !ids.is_empty()),
            with_test: test.unwrap_or_default(),
        }
    }
}

impl StoreFilter {
    pub(crate) fn within(self, stores: &StoreSet) -> Self {
        let set = match (self.set, stores) {
            (None, own) => own.clone(),
            // Stores outside the operator's scope are left out, not refused.
            (Some(set), Some(own)) => Some(own.intersection(&set).copied().collect()),
            (set, None) => set,
        };
        Self { set, ..self }
    }

    pub(crate) fn digest(&self, list: ListDigest) -> ListDigest {
        let ids = self.set.clone().unwrap_or_default();
        let list = list.texts(ids.iter().map(StoreId::to_string));
        if self.with_test {
            list.text("test")
        } else {
            list
        }
    }
}

/// Filter for items of the queue. An item passes if it and its order meet all conditions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueueFilter {
    /// Allowed statuses of the item. Empty allows none.
    pub statuses: BTreeSet<ItemStatus>,
    /// Allowed types of the order; empty allows any.
    pub kinds: BTreeSet<OrderKind>,
    /// SKU of the item; `None` allows any.
    pub sku: Option<String>,
    /// Name of a print area for which the item must have a file; if `None`, the item needs no file.
    pub area: Option<String>,
    /// Ship class of the item, compared without regard to case; `None` allows any.
    pub ship_class: Option<String>,
    /// Allowed country codes of the shipping address; empty allows any.
    pub countries: BTreeSet<String>,
}

pub(super) struct ValidQueue {
    pub(super) stores: StoreFilter,
    pub(super) filter: QueueFilter,
    pub(super) placed_before: Option<Timestamp>,
    pub(super) key: Option<SearchKey>,
}

impl QueueDraft {
    pub(super) fn check_filter(&self, report: &mut Report) -> ValidQueue {
        let root = Path::Root;
        let mut chosen = statuses(&self.statuses, report);
        if chosen.is_empty() {
            // By default, the queue lists everything that is still to be done.
            chosen = ItemStatus::ALL.into_iter().collect();
            chosen.retain(|status| !status.is_done());
        }
        let filter = QueueFilter {
            statuses: chosen,
            kinds: kinds(&self.types, report),
            sku: text(&self.sku, &root.key("sku"), report),
            area: text(&self.area, &root.key("area"), report),
            ship_class: text(&self.ship_class, &root.key("shipClass"), report),
            countries: countries(&self.countries, report),
        };
        ValidQueue {
            stores: self.stores.check(report),
            filter,
            placed_before: time(&self.placed_before, &root.key("placedBefore"), report),
            key: search_key(&self.search_key, report),
        }
    }
}

impl ValidQueue {
    /// Filter fields, for error messages about cursors.
    pub(super) const FIELDS: &str = "statuses, stores, test, sku, area, shipClass, types, countries, placedBefore and searchKey";

    pub(super) fn digest(&self) -> ListDigest {
        let filter = &self.filter;
        let texts = [&filter.sku, &filter.area, &filter.ship_class];
        let digest = ListDigest::new("queue")
            .texts(filter.statuses.iter().map(|status| status.as_str()))
            .texts(filter.kinds.iter().map(|kind| kind.as_str()))
            .texts(texts.iter().map(|text| text.as_deref().unwrap_or_default()))
            .texts(filter.countries.iter())
            .time(self.placed_before)
            .key(self.key.as_ref());
        self.stores.digest(digest)
    }
}

fn countries(field: &Texts, report: &mut Report) -> BTreeSet<String> {
    let path = Path::Root.key("countries");
    check::each(field, &path, report, |code| {
        let country = Country::from_code(&code.to_ascii_uppercase());
        let code = country.map(|country| country.code().to_owned());
        code.ok_or("not the code of a country, such as DE".to_owned())
    })
}
