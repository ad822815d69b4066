//! Contrast of colour pairs in use, and size of the assets.

#![expect(
    clippy::unwrap_used,
    reason = "in a test's helpers too, what goes wrong fails the test"
)]

use std::collections::BTreeMap;

const STYLE: &str = include_str!("../assets/style.css");
const SCRIPTS: [&[u8]; 2] = [
    include_bytes!("../assets/console.js"),
    include_bytes!("../assets/htmx.js"),
];

type Colour = [u8; 3];

/// Light and dark value of each CSS variable that uses `light-dark`.
fn colours() -> BTreeMap<String, [Colour; 2]> {
    let mut colours = BTreeMap::new();
    for line in STYLE.lines() {
        let Some((name, rest)) = line.trim().split_once(": light-dark(") else {
            continue;
        };
        let values = rest.strip_suffix(");").unwrap();
        let (light, dark) = values.split_once(", ").unwrap();
        colours.insert(name.to_owned(), [colour(light), colour(dark)]);
    }
    colours
}

fn colour(text: &str) -> Colour {
    let digits = text.strip_prefix('#').unwrap();
    assert_eq!(digits.len(), 6, "{text}");
    [0, 2, 4].map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap())
}

/// Relative luminance as defined by WCAG 2.2, from 0 to 1.
fn luminance(colour: Colour) -> f64 {
    let [red, green, blue] = colour.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(one: Colour, other: Colour) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn every_text_and_every_border_has_enough_contrast() {
    let colours = colours();
    let tints = ["grey", "blue", "violet", "green", "amber", "red"];
    let mut pairs = Vec::new();
    for ground in ["page", "surface", "blue-tint", "grey-tint"] {
        for text in ["text", "muted", "accent", "red"] {
            pairs.push((text.to_owned(), ground.to_owned(), 4.5));
        }
        for line in ["border", "focus"] {
            pairs.push((line.to_owned(), ground.to_owned(), 3.0));
        }
    }
    pairs.push(("on-accent".to_owned(), "accent".to_owned(), 4.5));
    for tint in tints {
        pairs.push((tint.to_owned(), format!("{tint}-tint"), 4.5));
    }
    for (front, back, least) in pairs {
        let (front_values, back_values) = (
            colours[&format!("--{front}")],
            colours[&format!("--{back}")],
        );
        for (theme, (front_value, back_value)) in ["light", "dark"]
            .into_iter()
            .zip(front_values.into_iter().zip(back_values))
        {
            let contrast = contrast(front_value, back_value);
            assert!(
                contrast >= least,
                "{front} on {back}, {theme}: {contrast:.2} < {least}"
            );
        }
    }
}

#[test]
fn colours_are_named_once() {
    let rules = STYLE.lines().filter(|line| !line.contains("light-dark("));
    for line in rules.filter(|line| !line.trim_start().starts_with("/*")) {
        let is_print = line.contains("#fff") || line.contains("#000");
        assert!(is_print || !line.contains(": #"), "{line}");
    }
}

#[test]
fn assets_are_small() {
    let weight = |bytes: &[u8]| pressline_http::asset::gzip(bytes).len();
    assert!(weight(STYLE.as_bytes()) <= 12 * 1024);
    let scripts: usize = SCRIPTS.iter().map(|script| weight(script)).sum();
    assert!(scripts <= 24 * 1024, "{scripts}");
}
