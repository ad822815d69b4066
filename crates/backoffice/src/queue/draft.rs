//! Requests about the orders of several stores, as they came in.

use std::collections::BTreeSet;

use super::{QueueFilter, StoreFilter};
use crate::operator::Operator;
use pressline_domain::check::{flag, text};
use pressline_domain::field;
use pressline_domain::field::Field;
use pressline_domain::fulfilment::ItemStatus;
use pressline_domain::id::StoreId;
use pressline_domain::order::search::{SearchDraft, kinds, statuses, time};
use pressline_domain::page;
use pressline_domain::page::{ListDigest, PageDraft};
use pressline_domain::report::{Path, Report};
use pressline_domain::store::StoreSet;
use pressline_domain::time::Timestamp;
use pressline_kit::geo::Country;
use pressline_kit::words::SearchKey;

type Texts = Field<Vec<Field<String>>>;

/// Which stores a request is about, as it came in.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StoresDraft {
    /// Ids of stores; empty for all that the operator reaches.
    pub ids: Texts,
    /// Whether test stores are included.
    pub test: Field<bool>,
}

/// A search for items that wait.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueueDraft {
    /// Statuses; without any, all that are not done.
    pub statuses: Texts,
    /// Of which stores.
    pub stores: StoresDraft,
    /// The SKU.
    pub sku: Field<String>,
    /// Name of a print area that has a file.
    pub area: Field<String>,
    /// The ship class.
    pub ship_class: Field<String>,
    /// Types of orders; empty for any.
    pub types: Texts,
    /// Codes of countries of destination; empty for any.
    pub countries: Texts,
    /// The order was created before this time, milliseconds; 0 is open.
    pub placed_before: Field<i64>,
    /// Beginnings of words of the order.
    pub search_key: Field<String>,
    /// Which page, by cursor only.
    pub paging: PageDraft,
}

/// A request for the number of items in each status.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CountsDraft {
    /// Of which stores.
    pub stores: StoresDraft,
}

/// A search for orders of several stores.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OrdersDraft {
    /// What a search of a store has, by cursor only.
    pub search: SearchDraft,
    /// The tracking number of a shipment of the order.
    pub tracking_number: Field<String>,
    /// Of which stores.
    pub stores: StoresDraft,
}

pub(crate) struct NamedStores {
    /// Their ids; empty if it names none.
    ids: BTreeSet<StoreId>,
    with_test: bool,
}

impl StoresDraft {
    pub(crate) fn check(&self, report: &mut Report) -> NamedStores {
        let path = Path::Root.key("stores");
        let ids = field::each(&self.ids, &path, report, |name| {
            name.parse()
                .map_err(|_| format!("`{name}` is not the id of a store"))
        });
        let test = flag(&self.test, &Path::Root.key("test"), report);
        NamedStores {
            ids,
            with_test: test.unwrap_or_default(),
        }
    }
}

impl NamedStores {
    pub(crate) fn reached_by(self, operator: &Operator) -> StoreFilter {
        self.within(&operator.stores)
    }

    pub(super) fn within(self, stores: &StoreSet) -> StoreFilter {
        let set = match stores {
            own if self.ids.is_empty() => own.clone(),
            Some(own) => Some(own.intersection(&self.ids).copied().collect()),
            None => Some(self.ids),
        };
        StoreFilter {
            set,
            with_test: self.with_test,
        }
    }

    pub(crate) fn digest(&self, list: ListDigest) -> ListDigest {
        let list = list.texts(self.ids.iter().map(StoreId::to_string));
        if self.with_test {
            list.text("test")
        } else {
            list
        }
    }
}

pub(super) struct ValidQueue {
    pub(super) stores: NamedStores,
    pub(super) filter: QueueFilter,
    pub(super) placed_before: Option<Timestamp>,
    pub(super) key: Option<SearchKey>,
}

impl QueueDraft {
    pub(super) fn check_filter(&self, report: &mut Report) -> ValidQueue {
        let root = Path::Root;
        let mut chosen = statuses(&self.statuses, report);
        if chosen.is_empty() {
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
            key: page::search_key(&self.search_key, report),
        }
    }
}

impl ValidQueue {
    /// Names of the filters, for messages about cursors.
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
    field::each(field, &path, report, |code| {
        let country = Country::from_code(&code.to_ascii_uppercase());
        let code = country.map(|country| country.code().to_owned());
        code.ok_or("not the code of a country, such as DE".to_owned())
    })
}
