//! The ship classes that an estimate offers: choice, order and price.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use pressline_domain::catalog::{
    Catalog, CatalogVersion, Offer, ProductMatches, ProductQuery, VariantParts,
};
use pressline_domain::error::RepositoryError;
use pressline_domain::memory::MemoryCatalog;
use pressline_domain::order::request::{LineItemDraft, OrderDraft};
use pressline_domain::order::{DryRunOrder, OrderKind, OrderService};
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::pricing::tariff::{ShippingRate, ShippingRateParts, Tariff, WeightStep};
use pressline_domain::value::{Amount, MAX_MINOR_UNITS, StoreId};
use proptest::prelude::*;

use super::*;

/// Returns class, shipping fee and total of each option.
fn shown(estimated: &DryRun) -> Option<Vec<(String, String, String)>> {
    let text = |amount: Amount| amount.decimal(currency("USD")).to_string();
    let options = estimated.shipping_options.as_ref()?.iter();
    Some(
        options
            .map(|one| {
                (
                    one.ship_class.clone(),
                    text(one.shipping_fee),
                    text(one.total),
                )
            })
            .collect(),
    )
}

fn names(estimated: &DryRun) -> Vec<String> {
    shown(estimated)
        .unwrap()
        .into_iter()
        .map(|(class, ..)| class)
        .collect()
}

async fn shop_of(of_classes: Vec<ShippingRate>) -> Shop {
    let zones = vec![zone("States", &["US"])];
    let tariff = Tariff {
        shipping: fitting_rates(zones, of_classes),
        fees: tariff().fees,
    };
    let shop = Shop::with(tariff, currency("USD")).await;
    let only = |sku: &str, classes: &[&str]| {
        let change = |variant: &mut VariantParts| {
            variant.ship_classes = classes.iter().map(|class| (*class).to_owned()).collect();
            variant.weight_grams = 300;
        };
        let plain = product(sku, "USD", Some("10"), &[("Front", "0")]);
        plain.changed(change).unwrap()
    };
    let products = [
        only("RUG-2", &["freight", "Express"]),
        only("LAMP", &["Freight"]),
    ];
    shop.import(&products).await;
    shop
}

/// Standard, Express, Freight and Bike everywhere; Slow in the United States only; Snail in euros
/// only.
fn classes() -> Vec<ShippingRate> {
    vec![
        rate("Standard", "USD", "4", "1"),
        rate("Freight", "USD", "9", "2"),
        rate("Express", "USD", "9", "2"),
        rate("Bike", "USD", "20", "0"),
        rate_to("States", "Slow", "USD", "1", "0.50"),
        // A class of the list again, in another zone and spelling.
        rate_to("States", "EXPRESS", "USD", "8", "2"),
        rate("Snail", "EUR", "1", "1"),
    ]
}

#[tokio::test]
async fn the_cheapest_comes_first_and_equal_ones_go_by_name() {
    let shop = shop_of(classes()).await;
    let estimated = estimate(&shop, &cart_of(to("VN", ""), vec![item("MUG-11", 2)]))
        .await
        .unwrap();
    let option =
        |class: &str, fee: &str, total: &str| (class.to_owned(), fee.to_owned(), total.to_owned());
    let wanted = vec![
        option("Standard", "5", "15"),
        option("Express", "11", "21"),
        option("Freight", "11", "21"),
        option("Bike", "20", "30"),
    ];
    assert_eq!(shown(&estimated), Some(wanted));
    // The order in the estimate is priced as Standard, as in a create request.
    assert_eq!(priced(&estimated).bill.total(), usd("15"));
    let estimated = estimate(&shop, &cart_of(to("US", "IL"), vec![item("MUG-11", 2)]))
        .await
        .unwrap();
    assert_eq!(
        names(&estimated),
        ["Slow", "Standard", "EXPRESS", "Freight", "Bike"]
    );
}

#[tokio::test]
async fn a_class_must_suit_all_items() {
    let shop = shop_of(classes()).await;
    for (skus, wanted) in [
        (vec!["RUG-2"], vec!["Express", "Freight"]),
        (vec!["RUG-2", "LAMP", "MUG-11"], vec!["Freight"]),
        // An unknown product is possible in every class.
        (vec!["RUG-2", "NO-SUCH"], vec!["Express", "Freight"]),
    ] {
        let list = skus.iter().map(|sku| item(sku, 1)).collect();
        let estimated = estimate(&shop, &cart_of(to("VN", ""), list)).await.unwrap();
        assert_eq!(names(&estimated), wanted, "{skus:?}");
    }
}

#[tokio::test]
async fn a_cart_with_a_class_and_a_dry_run_have_no_options() {
    let shop = shop_of(classes()).await;
    let one = vec![item("MUG-11", 1), in_class(item("MUG-11", 1), "Express")];
    let estimated = estimate(&shop, &cart_of(to("VN", ""), one)).await.unwrap();
    assert_eq!(estimated.shipping_options, None);
    let blank = vec![in_class(item("MUG-11", 1), " ")];
    let estimated = estimate(&shop, &cart_of(to("VN", ""), blank))
        .await
        .unwrap();
    assert_eq!(
        names(&estimated),
        ["Standard", "Express", "Freight", "Bike"]
    );
    let dry = shop
        .service
        .place
        .dry_run_create(&shop.store, &order("T-1"), OrderKind::Manual)
        .await
        .unwrap();
    assert_eq!(dry.shipping_options, None);
}

#[tokio::test]
async fn a_destination_without_a_rate_has_an_empty_list() {
    let shop = shop_of(vec![rate_to("States", "Standard", "USD", "1", "0.50")]).await;
    let draft = cart_of(to("VN", ""), vec![item("MUG-11", 1)]);
    let estimated = estimate(&shop, &draft).await.unwrap();
    assert_eq!(estimated.shipping_options, Some(Vec::new()));
    let wanted = [
        ("line_items[0].shipClass", "no_shipping_rate"),
        ("totalCost", "total_incomplete"),
    ];
    assert_eq!(listed(&estimated.warnings), wanted);
    let strict = shop.service.place.estimate(&shop.strict(), &draft).await;
    expect("strict", strict, &wanted[..1]);
}

/// A cart without a class has not chosen Standard, so a strict store refuses it only if no class is
/// possible.
#[tokio::test]
async fn a_strict_store_offers_the_classes_that_do() {
    let step = WeightStep {
        above_grams: 500,
        extra: usd("2"),
    };
    let by_weight = rate("Weighty", "USD", "3", "1").changed(|rate| rate.steps = vec![step]);
    let by_weight = by_weight.unwrap();
    let shop = shop_of(classes().into_iter().chain([by_weight]).collect()).await;
    let rug = cart_of(to("VN", ""), vec![item("RUG-2", 1)]);
    let estimated = shop
        .service
        .place
        .estimate(&shop.strict(), &rug)
        .await
        .unwrap();
    assert_eq!(names(&estimated), ["Express", "Freight"]);
    assert_eq!(
        listed(&estimated.warnings),
        [("line_items[0].shipClass", "ship_class_not_offered")]
    );
    // A create request would be refused, because the mug's weight is unknown.
    let mug = cart_of(to("VN", ""), vec![item("MUG-11", 1)]);
    assert_eq!(names(&estimate(&shop, &mug).await.unwrap())[0], "Weighty");
    let strict = shop
        .service
        .place
        .estimate(&shop.strict(), &mug)
        .await
        .unwrap();
    assert_eq!(names(&strict)[0], "Standard");
    // A problem in every class is refused as usual.
    let unknown = cart_of(to("VN", ""), vec![item("RUG-2", 1), item("NO-SUCH", 1)]);
    let refused = shop.service.place.estimate(&shop.strict(), &unknown).await;
    expect(
        "an unknown SKU",
        refused,
        &[("line_items[1].sku", "unknown_sku")],
    );
    let chosen = cart_of(to("VN", ""), vec![in_class(item("RUG-2", 1), "Standard")]);
    let refused = shop.service.place.estimate(&shop.strict(), &chosen).await;
    expect(
        "chosen",
        refused,
        &[("line_items[0].shipClass", "ship_class_not_offered")],
    );
}

#[tokio::test]
async fn thresholds_count_the_products_of_the_cart() {
    let mut of_classes = classes();
    let freight = of_classes[1].changed(|rate| rate.free_from = Some(usd("20")));
    of_classes[1] = freight.unwrap();
    let shop = shop_of(of_classes).await;
    for (quantity, wanted) in [(3, ["Standard", "Express"]), (4, ["Freight", "Standard"])] {
        let estimated = estimate(
            &shop,
            &cart_of(to("VN", ""), vec![item("MUG-11", quantity)]),
        )
        .await
        .unwrap();
        assert_eq!(names(&estimated)[..2], wanted, "{quantity}");
    }
}

#[tokio::test]
async fn an_option_whose_total_does_not_fit_is_left_out() {
    let most = Amount::from_minor(MAX_MINOR_UNITS).unwrap();
    let dear = rate("Rocket", "USD", "0", "0").changed(|rate| rate.first = most);
    let shop = shop_of(vec![dear.unwrap(), rate("Standard", "USD", "4", "1")]).await;
    let estimated = estimate(&shop, &cart_of(to("VN", ""), vec![item("MUG-11", 1)]))
        .await
        .unwrap();
    assert_eq!(names(&estimated), ["Standard"]);
}

/// A catalog that counts its reads of offers.
struct Counting(Arc<MemoryCatalog>, AtomicUsize);

#[async_trait]
impl Catalog for Counting {
    async fn offer(
        &self,
        store: StoreId,
        skus: &[&str],
        have: Option<CatalogVersion>,
    ) -> Result<Offer, RepositoryError> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.offer(store, skus, have).await
    }

    async fn suggest(&self, sku: &str, limit: usize) -> Result<Vec<String>, RepositoryError> {
        self.0.suggest(sku, limit).await
    }

    async fn search(
        &self,
        store: StoreId,
        query: &ProductQuery,
    ) -> Result<ProductMatches, RepositoryError> {
        self.0.search(store, query).await
    }
}

#[tokio::test]
async fn all_options_come_from_one_look_at_the_catalog() {
    let shop = shop_of(classes()).await;
    let catalog = Arc::new(Counting(shop.catalog.clone(), AtomicUsize::new(0)));
    let service = OrderService::new(
        shop.orders.clone(),
        catalog.clone(),
        shop.clock.clone(),
        Arc::new(CountedIds::default()),
    );
    let draft = cart_of(
        to("VN", ""),
        vec![item("MUG-11", 1), item("TEE-M", 2), item("NO-SUCH", 1)],
    );
    let estimated = service.place.estimate(&shop.store, &draft).await.unwrap();
    assert_eq!(names(&estimated).len(), 4);
    assert_eq!(catalog.1.load(Ordering::Relaxed), 1);
}

fn any_line() -> impl Strategy<Value = LineItemDraft> {
    let skus = vec![
        "MUG-11", "TEE-M", "POSTER", "RUG-2", "LAMP", "NO-SUCH", "BOOK",
    ];
    let quantity = prop_oneof![9 => 1_i64..8, 1 => 1_i64..=1000];
    (proptest::sample::select(skus), quantity, 0_usize..4)
        .prop_map(|(sku, quantity, files)| with_files(item(sku, quantity), files))
}

fn any_rates() -> impl Strategy<Value = Vec<ShippingRate>> {
    let rate = |class: &'static str| {
        let step = proptest::option::of((1_u64..5000, 0_i64..500));
        let of = (
            0_i64..2000,
            0_i64..300,
            step,
            proptest::option::of(0_i64..10_000),
            any::<bool>(),
        );
        let amount = |units: i64| Amount::from_minor(units).unwrap();
        of.prop_map(move |(first, further, step, free_from, states)| {
            let step = step.map(|(above_grams, extra)| WeightStep {
                above_grams,
                extra: amount(extra),
            });
            let change = |rate: &mut ShippingRateParts| {
                (rate.first, rate.further) = (amount(first), amount(further));
                rate.steps = step.into_iter().collect();
                rate.free_from = free_from.map(amount);
            };
            let zone = if states { "States" } else { "Everywhere" };
            let plain = rate_to(zone, class, "USD", "0", "0");
            plain.changed(change).unwrap()
        })
    };
    (
        rate("Standard"),
        rate("Express"),
        rate("Freight"),
        rate("express"),
    )
        .prop_map(|(standard, express, freight, again)| vec![standard, express, freight, again])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    /// The price of an option is that of a create request with this class on every item, and every
    /// class that a create request accepts without a warning is an option.
    #[test]
    fn every_option_costs_what_create_then_charges(
        list in proptest::collection::vec(any_line(), 1..5),
        of_classes in any_rates(),
        abroad in any::<bool>(),
        strict in any::<bool>(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let mut shop = shop_of(of_classes).await;
            if strict {
                shop.store = shop.strict();
            }
            let destination = if abroad { to("VN", "") } else { to("US", "IL") };
            let Ok(estimated) = estimate(&shop, &cart_of(destination.clone(), list.clone())).await else {
                return Ok(());
            };
            let options = estimated.shipping_options.clone().unwrap();
            let address = pressline_domain::order::request::AddressDraft {
                country_code: destination.country_code,
                province_code: destination.province_code,
                ..address()
            };
            for (number, class) in ["Standard", "Express", "Freight"].into_iter().enumerate() {
                let chosen = list.iter().map(|line| in_class(line.clone(), class)).collect();
                let draft = OrderDraft {
                    shipping_address: address.clone().into(),
                    ..order_of(&format!("T-{number}"), chosen)
                };
                let option = options.iter().find(|one| one.ship_class.eq_ignore_ascii_case(class));
                match (shop.create(&draft).await, option) {
                    (Ok(placed), Some(option)) => {
                        prop_assert_eq!(placed.order.parts().bill.fee(FeeType::Shipping), Some(option.shipping_fee));
                        prop_assert_eq!(placed.order.parts().bill.total(), option.total);
                        if class == "Standard" {
                            prop_assert_eq!(priced(&estimated).bill.fees(), placed.order.parts().bill.fees());
                        }
                    }
                    (Ok(placed), None) => {
                        let codes = ["no_shipping_rate", "ship_class_not_offered"];
                        prop_assert!(placed.warnings.iter().any(|one| codes.contains(&one.code.as_str())));
                    }
                    (Err(_), None) => {}
                    (Err(error), Some(option)) => prop_assert!(false, "{:?}: {:?}", option, error),
                }
            }
            prop_assert!(matches!(estimated.order, DryRunOrder::New(_)));
            Ok(())
        })?;
    }
}
