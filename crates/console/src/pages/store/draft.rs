//! Fields of store forms, named as in the operator API.

use pressline_backoffice::store::StoreDraft;
use pressline_domain::check::Field;
use pressline_domain::store::Store;

use crate::shell::form::with_errors;
use crate::shell::view::{duration, duration_text};
use crate::shell::{Fields, FormErrors, FormField};

pub(super) const VERSION: &str = "version";

pub(super) fn draft(fields: &Fields) -> StoreDraft {
    StoreDraft {
        name: fields.text("name"),
        prefix: fields.text("prefix"),
        test: fields.flag("test"),
        currency: fields.text("currency"),
        // Browsers do not send a checkbox that is not ticked.
        strict_catalog: fields.flag("strictCatalog"),
        require_timestamp: fields.flag("requireTimestamp"),
        allow_unsigned_search: fields.flag("allowUnsignedSearch"),
        cooling_off_seconds: duration(fields.get("coolingOffSeconds")),
        ship_by_seconds: duration(fields.get("promiseSeconds")),
        // A blank text removes the note.
        slip_note: match fields.has("slipNote") {
            true => Field::Value(fields.get("slipNote").to_owned()),
            false => Field::Absent,
        },
        version: fields.integer(VERSION),
    }
}

pub(super) fn fields(store: &Store) -> Fields {
    let settings = &store.settings;
    let seconds = |seconds: Option<u32>| seconds.map(duration_text);
    let ticked = |is_on: bool| is_on.then(|| "on".to_owned());
    let fields = [
        ("name", Some(store.name.clone())),
        ("currency", Some(store.currency.to_string())),
        ("strictCatalog", ticked(settings.strict_catalog)),
        ("requireTimestamp", ticked(settings.require_timestamp)),
        (
            "allowUnsignedSearch",
            ticked(settings.allow_unsigned_search),
        ),
        ("coolingOffSeconds", seconds(settings.cooling_off_seconds)),
        ("promiseSeconds", seconds(settings.ship_by_seconds)),
        ("slipNote", settings.slip_note.clone()),
    ];
    let known = fields.into_iter();
    Fields::new(known.filter_map(|(name, value)| Some((name, value?))))
}

pub(super) fn questions(fields: &Fields, errors: Option<&FormErrors>) -> Vec<FormField> {
    let get = |name| fields.get(name);
    let tick = |name, label| FormField::tick(name, label, fields.chooses(name, "on"));
    let questions = vec![
        FormField::line("name", "Name", get("name")).required(),
        FormField::line("currency", "Currency", get("currency"))
            .hint("ISO 4217 code, such as EUR; of orders to come"),
        FormField::line("coolingOffSeconds", "Cooling off", get("coolingOffSeconds"))
            .hint("How long the store may change an order at will, such as 1 h 30 min; empty leaves it as it is"),
        FormField::line("promiseSeconds", "Ship-by time", get("promiseSeconds"))
            .hint("Time from ready to sent, such as 3 d 12 h; 0 h for none"),
        FormField::lines("slipNote", "Note on packing slips", get("slipNote")),
        tick("strictCatalog", "Refuse unknown products and ship classes"),
        tick("requireTimestamp", "Refuse calls without a timestamp"),
        tick("allowUnsignedSearch", "Answer searches without a signature"),
    ];
    with_errors(questions, errors)
}
