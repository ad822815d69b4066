//! Status of an item or a shipment: icon, word and tint.

use askama::Template;
use askama::filters::HtmlSafe;
use pressline_backoffice::production::BatchHeader;
use pressline_domain::fulfilment::{ItemStatus, ShipmentStatus};

/// SVG path of the clock icon. All icons are drawn in a square of 12 by 12 units.
const CLOCK: &str = "M6 1a5 5 0 1 0 .01 0M6 3v3l2 2";
const CHECK: &str = "M2 6l3 3 5-6";
const PLAY: &str = "M3 2l7 4-7 4z";
const GEAR: &str = "M6 4a2 2 0 1 0 .01 0M6 1v2M6 9v2M1 6h2M9 6h2";
const BOX: &str = "M1 3l5-2 5 2v6l-5 2-5-2zM1 3l5 2 5-2M6 5v6";
const CROSS: &str = "M2 2l8 8M10 2l-8 8";
const PAUSE: &str = "M4 2v8M8 2v8";
const ASKED: &str = "M4 4a2 2 0 1 1 2 2v2M6 10v1";
const BACK: &str = "M10 6H2M5 3L2 6l3 3";
const FILE: &str = "M3 1h4l2 2v8H3z";

/// Coloured mark for a status, with icon and word. In templates: `{{ chip }}`.
#[derive(Debug, Clone, Copy, Template)]
#[template(
    ext = "html",
    source = "<span class=\"chip {{ tint }}\"><svg viewBox=\"0 0 12 12\" aria-hidden=\"true\"><path d=\"{{ icon }}\"/></svg>{{ word }}</span>"
)]
pub(crate) struct Chip {
    tint: &'static str,
    icon: &'static str,
    word: &'static str,
}

impl HtmlSafe for Chip {}

impl Chip {
    pub(crate) const fn late() -> Self {
        Self::new("red", CLOCK, "late")
    }

    pub(crate) fn test(is_test: bool) -> Option<Self> {
        is_test.then(|| Self::idle("test"))
    }

    pub(crate) const fn good(word: &'static str) -> Self {
        Self::new("green", CHECK, word)
    }

    /// Creates a grey mark for a state that needs no action.
    pub(crate) const fn idle(word: &'static str) -> Self {
        Self::new("grey", PAUSE, word)
    }

    /// Creates an amber mark for a state that waits for a person.
    pub(crate) const fn attention(word: &'static str) -> Self {
        Self::new("amber", ASKED, word)
    }

    pub(crate) const fn bad(word: &'static str) -> Self {
        Self::new("red", CROSS, word)
    }

    const fn new(tint: &'static str, icon: &'static str, word: &'static str) -> Self {
        Self { tint, icon, word }
    }

    pub(crate) fn word(self) -> &'static str {
        self.word
    }
}

impl From<ItemStatus> for Chip {
    fn from(status: ItemStatus) -> Self {
        let (tint, icon) = match status {
            ItemStatus::PendingDesign => ("grey", FILE),
            ItemStatus::CoolingOff => ("grey", CLOCK),
            ItemStatus::Cancelled => ("grey", CROSS),
            ItemStatus::Ready => ("blue", PLAY),
            ItemStatus::InProduction => ("violet", GEAR),
            ItemStatus::Fulfilled => ("green", BOX),
            ItemStatus::Delivered => ("green", CHECK),
            ItemStatus::OnHold => ("amber", PAUSE),
            ItemStatus::Returned => ("red", BACK),
            // The tint for waiting on a person, until the added status has a chip of its own.
            _ => ("amber", ASKED),
        };
        Self::new(tint, icon, status.as_str())
    }
}

impl From<&BatchHeader> for Chip {
    fn from(batch: &BatchHeader) -> Self {
        let (tint, icon, word) = match (batch.is_open(), batch.started) {
            (false, _) => ("grey", CHECK, "closed"),
            (true, Some(_)) => ("violet", GEAR, "started"),
            (true, None) => ("blue", PLAY, "open"),
        };
        Self { tint, icon, word }
    }
}

impl From<ShipmentStatus> for Chip {
    fn from(status: ShipmentStatus) -> Self {
        let (tint, icon) = match status {
            ShipmentStatus::Shipped => ("violet", BOX),
            ShipmentStatus::Delivered => ("green", CHECK),
            ShipmentStatus::Returned => ("red", BACK),
            ShipmentStatus::Void => ("grey", CROSS),
        };
        Self::new(tint, icon, status.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_a_word_an_icon_and_a_tint() {
        for status in ItemStatus::ALL {
            let html = Chip::from(status).render().unwrap();
            assert!(html.contains(&format!("</svg>{status}</span>")), "{html}");
            assert!(html.contains("aria-hidden=\"true\""), "{html}");
        }
        assert_eq!(Chip::from(ItemStatus::RequestChange).tint, "amber");
        assert_eq!(Chip::from(ItemStatus::Returned).tint, "red");
    }
}
