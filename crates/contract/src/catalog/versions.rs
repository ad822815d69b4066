//! Cases about the catalog version.

use pressline_domain::catalog::{
    ImportOptions, ImportSummary, ListPrice, ListPriceParts, PrintAreaParts, Variant, VariantParts,
};
use pressline_domain::pricing::tariff::{FeeSchedule, ShippingRates};
use pressline_domain::value::Currency;

use super::Shop;
use crate::check::{holds, same};
use crate::samples::{edit, valid};
use crate::{Adapters, Case, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![the_version_changes_with_what_is_priced_with];

/// Sets something that affects prices.
enum Change {
    Variants(Vec<Variant>, ImportOptions),
    Prices(Vec<ListPrice>, ImportOptions),
    Shipping(ShippingRates),
    Fees(bool, Option<FeeSchedule>),
}

impl Change {
    /// Makes the change; returns whether it had an effect.
    async fn make(&self, shop: &Shop) -> Result<bool, crate::CaseError> {
        let some = |imported: ImportSummary| !imported.changes.is_empty();
        Ok(match self {
            Self::Variants(variants, options) => some(shop.admin.import(variants, options).await?),
            Self::Prices(prices, options) => some(shop.admin.set_prices(prices, options).await?),
            Self::Shipping(rates) => shop.admin.set_shipping(rates).await?,
            Self::Fees(own, schedule) => {
                shop.admin
                    .set_fees(&[(own.then_some(shop.one), schedule.as_ref())])
                    .await?
                    > 0
            }
        })
    }
}

type Edit = fn(&mut VariantParts);

/// Returns a change of every kind. They must be made in this order.
fn changes(shop: &mut Shop) -> Vec<(&'static str, Change)> {
    let plain = ImportOptions::default;
    let mut variants = vec![
        valid(VariantParts::single("ONE", "One")),
        valid(VariantParts::single("TWO", "Two")),
    ];
    let mut list = vec![("new variants", Change::Variants(variants.clone(), plain()))];
    let edits: [(&str, Edit); 12] = [
        ("a name", |variant| variant.name.push('!')),
        ("a product", |variant| variant.product.id.push('!')),
        ("a product's name", |variant| {
            variant.product.name = Some("Renamed".to_owned())
        }),
        ("options", |variant| {
            variant.options.push(("size".to_owned(), "M".to_owned()))
        }),
        ("a price", |variant| {
            variant.price = Some(pressline_domain::value::Amount::ZERO)
        }),
        ("a currency", |variant| {
            variant.currency = "EUR".parse().unwrap_or(Currency::USD)
        }),
        ("ship classes", |variant| {
            variant.ship_classes.push("Express".to_owned())
        }),
        ("a weight", |variant| variant.weight_grams = 250),
        ("an area", |variant| {
            variant
                .areas
                .push(valid(PrintAreaParts::named("b", "Main")))
        }),
        ("what an area asks of its files", |variant| {
            for area in &mut variant.areas {
                edit(area, |parts| parts.dpi = Some(150));
            }
        }),
        ("the order of areas", |variant| variant.areas.reverse()),
        ("retired", |variant| variant.retired = true),
    ];
    for (what, change) in edits {
        for variant in variants.iter_mut().take(1) {
            edit(variant, change);
        }
        list.push((what, Change::Variants(variants.clone(), plain())));
    }
    let retiring = ImportOptions {
        retire_missing: true,
        ..plain()
    };
    list.push((
        "missing",
        Change::Variants(variants.drain(..1).collect(), retiring.clone()),
    ));
    list.extend(changes_of_prices(shop, &retiring));
    list.extend(changes_of_documents(shop));
    list
}

fn changes_of_prices(shop: &mut Shop, retiring: &ImportOptions) -> Vec<(&'static str, Change)> {
    let plain = ImportOptions::default;
    let (mine, price) = (Some(shop.one), shop.random.list_price(None, "ONE"));
    let parts = || (*price).clone();
    let dearer = valid(ListPriceParts {
        amount: price.amount.plus(price.amount).unwrap_or_default(),
        ..parts()
    });
    let own = valid(ListPriceParts {
        store: mine,
        ..parts()
    });
    let later = valid(ListPriceParts {
        valid_from: pressline_domain::value::Timestamp::from_millis(1),
        ..parts()
    });
    vec![
        ("a list price", Change::Prices(vec![price], plain())),
        (
            "another amount",
            Change::Prices(vec![dearer.clone()], plain()),
        ),
        ("a store's price", Change::Prices(vec![own], plain())),
        (
            "a price of another time",
            Change::Prices(vec![later], plain()),
        ),
        (
            "a price taken out",
            Change::Prices(vec![dearer], retiring.clone()),
        ),
    ]
}

fn changes_of_documents(shop: &mut Shop) -> Vec<(&'static str, Change)> {
    let (rates, other_rates) = (shop.random.shipping(), shop.random.shipping());
    let (fees, other_fees) = (shop.random.fee_schedule(), shop.random.fee_schedule());
    vec![
        ("rates", Change::Shipping(rates)),
        ("other rates", Change::Shipping(other_rates)),
        ("fees", Change::Fees(false, Some(fees.clone()))),
        ("other fees", Change::Fees(false, Some(other_fees))),
        ("a store's fees", Change::Fees(true, Some(fees))),
        ("no fees of the store's", Change::Fees(true, None)),
    ]
}

async fn the_version_changes_with_what_is_priced_with(adapters: Adapters) -> CaseResult {
    let mut shop = Shop::open(adapters).await?;
    let mut version = shop.version().await?;
    for (what, change) in changes(&mut shop) {
        holds(
            &format!("{what}: said to change nothing"),
            change.make(&shop).await?,
        )?;
        let after = shop.version().await?;
        holds(&format!("{what}: left the version"), after > version)?;
        // Repeating a change must not raise the version.
        holds(
            &format!("{what}, again: said to change something"),
            !change.make(&shop).await?,
        )?;
        same(
            &format!("the version after {what} again"),
            &shop.version().await?,
            &after,
        )?;
        version = after;
    }
    Ok(())
}
