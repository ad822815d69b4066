//! Times as pages show them.

use askama::Template;
use askama::filters::HtmlSafe;
use pressline_backoffice::operator::ZoneName;
use pressline_domain::value::Timestamp;

use crate::shell::view::clock_time;

/// Time in the operator's zone: `{{ when }}`.
#[derive(Debug, Template)]
#[template(
    ext = "html",
    source = "<time datetime=\"{{ utc }}\">{{ shown }}</time>"
)]
pub(crate) struct When {
    utc: String,
    shown: String,
}

impl When {
    pub(crate) fn in_zone(moment: Timestamp, zone: &ZoneName) -> Self {
        let utc = moment.to_string();
        let local = clock_time(moment, zone);
        let shown = local.map(|local| local.strftime("%-d %b %Y, %H:%M").to_string());
        Self {
            shown: shown.unwrap_or_else(|| utc.clone()),
            utc,
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.shown
    }
}

impl HtmlSafe for When {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_shown_in_the_zone_and_marked_in_utc() {
        let moment: Timestamp = "2026-11-21T13:05:59.123Z".parse().unwrap();
        let html = |zone: &str| {
            let when = When::in_zone(moment, &zone.parse().unwrap());
            when.render().unwrap()
        };
        assert_eq!(
            html("Europe/Berlin"),
            "<time datetime=\"2026-11-21T13:05:59.123Z\">21 Nov 2026, 14:05</time>"
        );
        assert!(html("Asia/Tokyo").contains("21 Nov 2026, 22:05"));
    }
}
