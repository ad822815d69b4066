//! Rules of print areas for their files, in responses.

use pressline_domain::catalog::{AlphaRule, PrintAreaParts, VariantParts};
use pressline_domain::value::{ColourModel, FileFormat, Tenths};
use serde_json::{Map, Value, json};

use crate::common::*;

const SKU: &str = "MUG-11OZ-WHITE";

/// The keys of an area that a response shows only if they differ from their defaults.
const KEYS: [&str; 10] = [
    "formats",
    "maxBytes",
    "widthMm",
    "heightMm",
    "dpi",
    "minDpi",
    "aspectTolerance",
    "alpha",
    "colours",
    "bleedMm",
];

fn strict() -> PrintAreaParts {
    PrintAreaParts {
        formats: vec![FileFormat::Png, FileFormat::Pdf],
        max_mb: Some(50),
        width_mm: Some(Tenths::whole(210)),
        height_mm: Some(Tenths::new(995)),
        dpi: Some(150),
        min_dpi: Some(100),
        aspect_tolerance: Some(Tenths::new(0)),
        alpha: AlphaRule::Required,
        colours: vec![ColourModel::Rgb],
        bleed_mm: Some(Tenths::new(25)),
        ..PrintAreaParts::named("wrap", "Wrap")
    }
}

/// A shop whose mug has the area of [`strict`] and a plain one.
async fn world() -> World {
    let mug = VariantParts {
        price: Some(usd("4")),
        areas: vec![valid(strict()), valid(PrintAreaParts::named("lid", "Lid"))],
        ..VariantParts::single(SKU, "Mug")
    };
    let shop = Shop {
        variants: vec![valid(mug)],
        ..Shop::default()
    };
    World::from_shop(shop).await
}

/// The file rules of `area`, a member of `files` or `fileRequirements`.
fn rules(area: &Value) -> Value {
    let area = area.as_object().unwrap().iter();
    let rules = area.filter(|(key, _)| KEYS.contains(&key.as_str()));
    let rules: Map<String, Value> = rules.map(|(k, v)| (k.clone(), v.clone())).collect();
    rules.into()
}

#[actix_web::test]
async fn orders_and_products_show_rules_that_differ_from_the_defaults() {
    let world = world().await;
    let shown = json!({
        "formats": ["png", "pdf"], "maxBytes": 50_000_000, "widthMm": 210, "heightMm": 99.5, "dpi": 150,
        "minDpi": 100, "aspectTolerance": 0, "alpha": "required", "colours": ["rgb"], "bleedMm": 2.5
    });
    let mut cart = order("1");
    cart["line_items"] =
        json!([{ "sku": SKU, "quantity": 1, "fileUrls": ["https://cdn.example/a.png"] }]);
    let created = world.post(CREATE, &cart).await.json();
    let found = world.post(SEARCH, "{}").await.json();
    let products = world.post(PRODUCTS, "{}").await.json();
    for areas in [
        &created["data"]["childDetails"][0]["files"],
        &found["data"][0]["childDetails"][0]["files"],
        &products["data"][0]["variants"][0]["fileRequirements"],
    ] {
        assert_eq!(rules(&areas[0]), shown, "{areas}");
        assert_eq!(rules(&areas[1]), json!({}), "{areas}");
    }
    let mut schemas = DocumentSchemas::closed();
    for (name, area) in [
        (
            "FileRequirement",
            &created["data"]["childDetails"][0]["files"][0],
        ),
        (
            "PrintArea",
            &products["data"][0]["variants"][0]["fileRequirements"][0],
        ),
    ] {
        assert_eq!(schemas.problem(name, area), None);
    }
}
