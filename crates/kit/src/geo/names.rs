//! Finds a country by one of its names.
use std::collections::HashMap;
use std::sync::LazyLock;

use crate::words::fold;

use super::Country;
use super::aliases::aliases;

pub(super) const MAX_NAME_CHARS: usize = 100;

static INDEX: LazyLock<HashMap<String, Country>> = LazyLock::new(|| {
    known_names()
        .map(|(name, country)| (key(&name), country))
        .collect()
});

impl Country {
    /// Returns the country that `name` names, ignoring case, accents and punctuation.
    ///
    /// `name` can be the shown name, a name of ISO, a usual short form (`USA`, `Viet Nam`,
    /// `Holland`), or an alpha-2 or alpha-3 code. Returns `None` for an ambiguous name (`Virgin
    /// Islands`), unless it usually means a particular country (`Korea` is the southern country,
    /// and `Congo` is ISO's own name for the Republic of the Congo).
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > MAX_NAME_CHARS {
            return None;
        }
        if let Some(country) = by_any_code(name) {
            return Some(country);
        }
        let key = key(name);
        // Without a title only last, because `Republic of China` is a name of its own.
        INDEX
            .get(&key)
            .copied()
            .or_else(|| by_any_code(&key))
            .or_else(|| find_untitled(name))
    }
}

/// Returns the country named by `text` without its title, so that `Federal Republic of Germany`
/// needs no entry. `None` without a title, or if no single country has the remaining name.
fn find_untitled(text: &str) -> Option<Country> {
    let text = fold(text);
    let mut words = text.split_whitespace().filter(|word| *word != "the");
    let mut titled = false;
    for word in words.by_ref() {
        if word == "of" {
            break;
        }
        if !TITLES.split(' ').any(|title| title == word) {
            return None;
        }
        titled = true;
    }
    let rest = key(&words.collect::<Vec<_>>().join(" "));
    if !titled || DIVIDED.contains(&rest.as_str()) {
        return None;
    }
    INDEX.get(&rest).copied()
}

/// Words in the titles of states, such as `kingdom`, in lower case and without accents.
const TITLES: &str = "\
    arab bolivarian co-operative commonwealth cooperative democratic duchy \
    eastern federal federated federation federative grand great hashemite independent islamic kingdom \
    multinational oriental people's peoples plurinational principality rep. republic socialist \
    state states sultanate union united";

/// Names shared by two states: the title distinguishes them and must stay.
const DIVIDED: &[&str] = &["china", "congo", "korea"];

fn by_any_code(text: &str) -> Option<Country> {
    if text.len() == 3 && text.is_ascii() {
        let upper = text.to_ascii_uppercase();
        if upper == "XKX" {
            return Country::from_code("XK");
        }
        return rust_iso3166::from_alpha3(&upper).and_then(|iso| Country::from_code(iso.alpha2));
    }
    Country::from_code(text)
}

pub(super) fn known_names() -> impl Iterator<Item = (String, Country)> {
    let shown = Country::all().map(|country| (country.code(), country.name().to_owned()));
    let official = rust_iso3166::ALL
        .iter()
        .flat_map(|iso| iso_variants(iso.name).map(|name| (iso.alpha2, name)));
    let further = aliases().map(|(code, name)| (code, name.to_owned()));
    let names = shown.chain(official).chain(further);
    names.filter_map(|(code, name)| Some((name, Country::from_code(code)?)))
}

/// Returns `name` and, for `Korea (Republic of)`, also `Republic of Korea`.
fn iso_variants(name: &str) -> impl Iterator<Item = String> + use<> {
    let parts = name
        .strip_suffix(')')
        .and_then(|name| name.split_once(" ("));
    let turned = parts.map(|(name, title)| format!("{title} {name}"));
    std::iter::once(name.to_owned()).chain(turned)
}

/// Returns the form of `name` for look-ups.
pub(super) fn key(name: &str) -> String {
    fold(name)
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !matches!(*word, "the" | "and"))
        .map(|word| if word == "st" { "saint" } else { word })
        .collect()
}
