//! Unchecked requests of the store administration.

use super::service::checked_name;
use crate::fields::{number, parsed, required};
use crate::store::{NewStore, StoreChange};
use pressline_domain::check::{Field, IssueCode, Path, Report, limits, version};
use pressline_domain::store::{StoreSettings, slip_note};
use pressline_domain::value::{Currency, KeyId, StoreId};

/// Unchecked settings of a new store, or unchecked changes to a store.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StoreDraft {
    /// Display name, 1 to 255 characters.
    pub name: Field<String>,
    /// Prefix of order numbers, such as `DEMO`; by default generated from `name`. New stores only.
    pub prefix: Field<String>,
    /// `true` for a test store: its orders are not produced. New stores only.
    pub test: Field<bool>,
    /// Currency of the orders, as an ISO 4217 code such as `USD`.
    pub currency: Field<String>,
    /// Whether unknown SKUs and ship classes, and missing rates, are errors instead of warnings.
    pub strict_catalog: Field<bool>,
    /// Whether each call needs a timestamp, also calls that create, update or search orders.
    pub require_timestamp: Field<bool>,
    /// Whether the store's order searches are accepted without a signature.
    pub allow_unsigned_search: Field<bool>,
    /// Cooling-off time in which the store may change its orders freely, in seconds.
    pub cooling_off_seconds: Field<i64>,
    /// Ship-by time, in seconds from the time at which an item becomes ready; 0 disables it.
    pub ship_by_seconds: Field<i64>,
    /// Note on packing slips; a blank string removes it.
    pub slip_note: Field<String>,
    /// Expected version of the store; ignored for a new store. If the store has another version,
    /// the change fails with [`StoreError::VersionConflict`](super::StoreError::VersionConflict).
    pub version: Field<i64>,
}

impl StoreDraft {
    /// Gives absent fields the defaults of `pressline store create`. Valid without violations only.
    pub(crate) fn new_store(&self, report: &mut Report) -> NewStore {
        let path = Path::Root.key("name");
        self.name.demand(&path, "a name for people", report);
        let prefix = parsed(&self.prefix, "prefix", report);
        let test = self.test.read(&Path::Root.key("test"), report).copied();
        let change = self.change(report);
        let mut settings = StoreSettings::default();
        change.set(&mut settings);
        NewStore {
            name: change.name.unwrap_or_default(),
            prefix,
            currency: change.currency.unwrap_or(Currency::USD),
            test: test.unwrap_or_default(),
            settings,
        }
    }

    pub(crate) fn change(&self, report: &mut Report) -> StoreChange {
        let mut flag = |field: &Field<bool>, key| field.read(&Path::Root.key(key), report).copied();
        let strict_catalog = flag(&self.strict_catalog, "strictCatalog");
        let require_timestamp = flag(&self.require_timestamp, "requireTimestamp");
        let allow_unsigned_search = flag(&self.allow_unsigned_search, "allowUnsignedSearch");
        let (name, currency) = (self.name(report), self.currency(report));
        let (window_field, promise_field) = (&self.cooling_off_seconds, &self.ship_by_seconds);
        let window = number(
            window_field,
            "coolingOffSeconds",
            (0, limits::COOLING_OFF),
            report,
        );
        let promise = number(
            promise_field,
            "promiseSeconds",
            (0, limits::PROMISE),
            report,
        );
        StoreChange {
            name,
            currency,
            strict_catalog,
            require_timestamp,
            allow_unsigned_search,
            cooling_off_seconds: window.map(Some),
            ship_by_seconds: promise.map(Some),
            slip_note: self.slip_note(report),
            enabled: None,
            version: version(&self.version, &Path::Root.key("version"), report),
        }
    }

    fn slip_note(&self, report: &mut Report) -> Option<Option<String>> {
        let path = Path::Root.key("slipNote");
        match slip_note(self.slip_note.read(&path, report)?) {
            // A blank note removes the stored note.
            Ok(note) => Some(Some(note).filter(|note| !note.is_empty())),
            Err(error) => {
                report.violation(&path, IssueCode::InvalidFormat, error.to_string());
                None
            }
        }
    }

    fn currency(&self, report: &mut Report) -> Option<Currency> {
        let path = Path::Root.key("currency");
        self.currency.read(&path, report)?;
        match Currency::for_store(self.currency.text()?) {
            Ok(currency) => Some(currency),
            Err(error) => {
                report.violation(&path, IssueCode::InvalidFormat, error.to_string());
                None
            }
        }
    }

    fn name(&self, report: &mut Report) -> Option<String> {
        let path = Path::Root.key("name");
        self.name.read(&path, report)?;
        let name = self.name.text()?;
        if let Err(error) = checked_name(name) {
            report.violation(&path, IssueCode::InvalidFormat, error.to_string());
        }
        Some(name.to_owned())
    }
}

/// Request that names a store, and optionally one of its keys.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StoreIdDraft {
    /// Id of the store; required.
    pub store_id: Field<String>,
    /// Id of the key to revoke; other calls ignore it.
    pub key_id: Field<String>,
}

impl StoreIdDraft {
    pub(crate) fn store(&self, report: &mut Report) -> Option<StoreId> {
        required(&self.store_id, "storeId", "the id of a store", report)
    }

    pub(crate) fn key(&self, report: &mut Report) -> Option<KeyId> {
        required(&self.key_id, "keyId", "the id of a key", report)
    }
}
