//! Changes to a store.

use pressline_domain::store::{Store, StoreSettings};
use pressline_domain::value::Currency;

/// Changes to a store. `None` leaves a setting unchanged.
#[derive(Debug, Clone, Default)]
pub struct StoreChange {
    /// New name, 1 to 255 characters.
    pub name: Option<String>,
    /// New currency; it applies to future orders only.
    pub currency: Option<Currency>,
    /// Whether unknown SKUs and ship classes, and missing rates, are errors instead of warnings.
    pub strict_catalog: Option<bool>,
    /// Whether each call needs a timestamp, also calls that create, update or search orders.
    pub require_timestamp: Option<bool>,
    /// Whether the store's order searches are accepted without a signature.
    pub allow_unsigned_search: Option<bool>,
    /// Cooling-off time of future orders, in seconds; `Some(None)` applies the configured default.
    pub cooling_off_seconds: Option<Option<u32>>,
    /// Ship-by time, in seconds from the time at which an item becomes ready; 0 disables it, and
    /// `Some(None)` applies the default.
    pub ship_by_seconds: Option<Option<u32>>,
    /// Note on packing slips; `Some(None)` removes it.
    pub slip_note: Option<Option<String>>,
    /// Whether the store is enabled. All requests of a disabled store are refused.
    pub enabled: Option<bool>,
    /// Expected version: the change fails if the store has another version. `None` skips the check.
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
        settings.ship_by_seconds = self.ship_by_seconds.unwrap_or(settings.ship_by_seconds);
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
            self.ship_by_seconds.map(|_| "promiseSeconds"),
            self.slip_note.as_ref().map(|_| "slipNote"),
            enabled,
        ];
        fields.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}
