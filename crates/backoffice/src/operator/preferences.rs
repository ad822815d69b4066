//! Preferences of an operator for the console.

use std::fmt;
use std::str::FromStr;

use jiff::tz::TimeZoneDatabase;

use crate::fields::parsed;
use pressline_domain::check::{Field, IssueCode, Path, Report};

pressline_kit::named! {
    /// Paper size for packing slips and tickets.
    #[derive(Default)]
    pub enum Paper {
        /// 210 x 297 mm.
        #[default]
        A4 = "a4",
        /// 8.5 x 11 in.
        Letter = "letter",
        /// 4 x 6 in, for label printers.
        Label = "4x6",
    }
}

pressline_kit::named! {
    /// Colour scheme of the console.
    #[derive(Default)]
    pub enum Theme {
        /// The scheme of the operating system.
        #[default]
        Auto = "auto",
        /// Dark text on a light page.
        Light = "light",
        /// Light text on a dark page.
        Dark = "dark",
    }
}

/// Name of a time zone in the IANA database, as bundled with jiff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZoneName(String);

impl ZoneName {
    /// Returns the name, such as `Europe/Berlin`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the names of all time zones, such as `Europe/Berlin`, in alphabetical order.
    pub fn all() -> Vec<String> {
        let mut names: Vec<String> = TimeZoneDatabase::bundled()
            .available()
            .map(|name| name.to_string())
            .collect();
        names.sort_unstable();
        names
    }
}

impl Default for ZoneName {
    fn default() -> Self {
        Self("UTC".to_owned())
    }
}

impl fmt::Display for ZoneName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ZoneName {
    type Err = InvalidZone;

    /// Reads a time zone name in upper or lower case. The result has the database's spelling.
    fn from_str(text: &str) -> Result<Self, InvalidZone> {
        let zone = TimeZoneDatabase::bundled()
            .get(text)
            .map_err(|_| InvalidZone)?;
        let name = zone.iana_name().ok_or(InvalidZone)?;
        Ok(Self(name.to_owned()))
    }
}

/// Error: the string is not the name of a time zone in the IANA database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a known time zone: expected a name such as `Europe/Berlin`, `America/New_York` or `UTC`"
)]
pub struct InvalidZone;

/// Settings that an operator has chosen for the console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preferences {
    /// Time zone in which the console shows times.
    pub time_zone: ZoneName,
    /// Paper size for printing packing slips and tickets.
    pub paper: Paper,
    /// Colour scheme of the console's pages.
    pub theme: Theme,
    /// `true` if a scan plays a sound.
    pub sounds: bool,
    /// `true` if keyboard shortcuts that consist of a single key are enabled.
    pub keys: bool,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            time_zone: ZoneName::default(),
            paper: Paper::default(),
            theme: Theme::default(),
            sounds: true,
            keys: true,
        }
    }
}

/// Unchecked change of preferences. An absent field leaves its preference unchanged.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PreferencesDraft {
    /// New time zone, in the request field `timeZone`: an IANA name such as `Europe/Berlin`.
    pub time_zone: Field<String>,
    /// New paper size, in the request field `paper`: `a4`, `letter` or `4x6`.
    pub paper: Field<String>,
    /// New colour scheme, in the request field `theme`: `auto`, `light` or `dark`.
    pub theme: Field<String>,
    /// `true` to play a sound at each scan, `false` for no sound; request field `sounds`.
    pub sounds: Field<bool>,
    /// `true` to enable keyboard shortcuts of a single key, `false` to disable them; field `keys`.
    pub keys: Field<bool>,
}

impl PreferencesDraft {
    /// Returns `current` with the draft's changes. Invalid values are violations, and left out.
    pub fn change(&self, current: &Preferences, report: &mut Report) -> Preferences {
        let paper = named_value(&self.paper, "paper", Paper::from_name, report);
        let theme = named_value(&self.theme, "theme", Theme::from_name, report);
        let mut flag = |field: &Field<bool>, key| field.read(&Path::Root.key(key), report).copied();
        let sounds = flag(&self.sounds, "sounds");
        let keys = flag(&self.keys, "keys");
        let zone = parsed(&self.time_zone, "timeZone", report);
        Preferences {
            time_zone: zone.unwrap_or_else(|| current.time_zone.clone()),
            paper: paper.unwrap_or(current.paper),
            theme: theme.unwrap_or(current.theme),
            sounds: sounds.unwrap_or(current.sounds),
            keys: keys.unwrap_or(current.keys),
        }
    }
}

/// Returns `None` for an absent, blank or unknown string. An unknown string is a violation.
fn named_value<T>(
    field: &Field<String>,
    key: &str,
    from_name: fn(&str) -> Option<T>,
    report: &mut Report,
) -> Option<T> {
    let path = Path::Root.key(key);
    field.read(&path, report)?;
    let name = field.text()?;
    let value = from_name(name);
    if value.is_none() {
        let message = format!("`{name}` is not a value of this field");
        report.violation(&path, IssueCode::InvalidFormat, message);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_zone_is_known_by_its_name_in_any_case() {
        let zone = |text: &str| text.parse::<ZoneName>().map(|zone| zone.to_string());
        assert_eq!(zone("Europe/Berlin").as_deref(), Ok("Europe/Berlin"));
        assert_eq!(zone("america/new_york").as_deref(), Ok("America/New_York"));
        assert_eq!(zone("UTC").as_deref(), Ok("UTC"));
        for wrong in ["", "Berlin", "Europe/Nowhere", "+02:00", "../etc/passwd"] {
            assert_eq!(zone(wrong), Err(InvalidZone), "{wrong}");
        }
    }

    #[test]
    fn every_time_zone_that_is_offered_can_be_chosen() {
        let all = ZoneName::all();
        assert!(all.len() > 400, "{}", all.len());
        for name in all {
            assert!(name.parse::<ZoneName>().is_ok(), "{name}");
        }
    }

    #[test]
    fn only_the_fields_of_a_draft_are_changed() {
        let mut report = Report::default();
        let draft = PreferencesDraft {
            theme: "dark".into(),
            sounds: false.into(),
            paper: " ".into(),
            ..PreferencesDraft::default()
        };
        let changed = draft.change(&Preferences::default(), &mut report);
        assert!(report.violations.is_empty());
        let expected = Preferences {
            theme: Theme::Dark,
            sounds: false,
            ..Preferences::default()
        };
        assert_eq!(changed, expected);
    }

    #[test]
    fn all_wrong_fields_of_a_draft_are_reported() {
        let mut report = Report::default();
        let draft = PreferencesDraft {
            time_zone: "Mars".into(),
            paper: "a5".into(),
            theme: "pink".into(),
            ..PreferencesDraft::default()
        };
        let _ = draft.change(&Preferences::default(), &mut report);
        let fields: Vec<_> = report
            .violations
            .iter()
            .map(|violation| &violation.field)
            .collect();
        assert_eq!(fields, ["paper", "theme", "timeZone"]);
    }
}
