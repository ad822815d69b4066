//! What is changed of a store.

use pressline_domain::money::Currency;
use pressline_domain::store::{Store, StoreSettings};

/// What to change of a store. `None` stays.
#[derive(Debug, Clone, Default)]
pub struct StoreChange {
    /// Another name.
    pub name: Option<String>,
    /// Another currency, for orders to come.
    pub currency: Option<Currency>,
    /// Whether unknown products are errors.
    pub strict_catalog: Option<bool>,
    /// Whether calls need a timestamp.
    pub require_timestamp: Option<bool>,
    /// Whether searches need no signature.
    pub allow_unsigned_search: Option<bool>,
    /// The window of orders to come, in seconds; `Some(None)` for that of the configuration.
    pub cooling_off_seconds: Option<Option<u32>>,
    /// Time in which items are sent after they have become ready, in seconds; 0 for no promise, and `Some(None)` for
    /// that of stores that have set none.
    pub promise_seconds: Option<Option<u32>>,
    /// What is printed on its packing slips; `Some(None)` for nothing.
    pub slip_note: Option<Option<String>>,
    /// Whether the store is served at all.
    pub enabled: Option<bool>,
    /// The version that the change was made from: at another one nothing is changed. `None` changes any.
    pub version: Option<u32>,
}

impl StoreChange {
    pub(super) fn apply(&self, store: &mut Store) {
        if let Some(name) = &self.name {
            store.name.clone_from(name);
        }
        store.currency = self.currency.unwrap_or(store.currency);
        store.enabled = self.enabled.unwrap_or(store.enabled);
        self.set(&mut store.settings);
    }

    pub(super) fn set(&self, settings: &mut StoreSettings) {
        settings.strict_catalog = self.strict_catalog.unwrap_or(settings.strict_catalog);
        settings.require_timestamp = self.require_timestamp.unwrap_or(settings.require_timestamp);
        let unsigned = settings.allow_unsigned_search;
        settings.allow_unsigned_search = self.allow_unsigned_search.unwrap_or(unsigned);
        let window = settings.cooling_off_seconds;
        settings.cooling_off_seconds = self.cooling_off_seconds.unwrap_or(window);
        settings.promise_seconds = self.promise_seconds.unwrap_or(settings.promise_seconds);
        if let Some(note) = &self.slip_note {
            settings.slip_note.clone_from(note);
        }
    }

    pub(super) fn fields(&self) -> String {
        let enabled = self
            .enabled
            .map(|enabled| if enabled { "enabled" } else { "disabled" });
        let fields = [
            self.name.as_ref().map(|_| "name"),
            self.currency.map(|_| "currency"),
            self.strict_catalog.map(|_| "strictCatalog"),
            self.require_timestamp.map(|_| "requireTimestamp"),
            self.allow_unsigned_search.map(|_| "allowUnsignedSearch"),
            self.cooling_off_seconds.map(|_| "coolingOffSeconds"),
            self.promise_seconds.map(|_| "promiseSeconds"),
            self.slip_note.as_ref().map(|_| "slipNote"),
            enabled,
        ];
        fields.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}
