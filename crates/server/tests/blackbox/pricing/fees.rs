//! Fee schedules.

use serde_json::{Value, json};

use super::{RATES, assert_lists, mugs_to, remove};
use crate::common::{Client, Site, label, on_both_databases};

on_both_databases!(
    an_import_replaces_the_schedule_and_an_export_returns_it,
    imported_schedules_decide_the_fees,
    a_stores_schedule_replaces_the_services_schedule,
    removing_a_stores_schedule_restores_the_services_schedule,
    rates_that_lack_a_zone_of_the_fees_are_reported,
    a_store_left_without_a_handling_fee_is_named,
    the_warning_of_a_missing_handling_fee_is_right,
    each_bad_rule_is_reported
);

const HEADER: &str = "store,name,fee,amount,currency,per,orders,skus,zones\n";

const FEES: &str = "\
store,name,fee,amount,currency,per,orders,skus,zones
,Label handling,handling,1.75,USD,order,label,,
,Remote,surcharge,3.00,USD,order,manual,,Islands
,Fragile,other,0.25,USD,unit,,MUG-*,
";

/// The fee rule of a new database.
const FIRST_RULE: &str = ",Label handling,handling,2.50,USD,order,label,,";

/// Returns a fee schedule of the store `prefix`: 0.50 USD for each label order.
fn own_schedule(prefix: &str) -> String {
    format!("{prefix},Labels,handling,0.50,USD,order,label,,\n")
}

#[track_caller]
fn handling(client: &Client, order_id: &str) -> Value {
    client.call("create-label", &label(order_id)).order()["handleFee"].clone()
}

/// Imports `content`, which must change nothing. Returns the number of fee schedules in it.
#[track_caller]
fn unchanged(site: &Site, content: &str) -> Value {
    let report = site.import("fees", content, &[]).json();
    assert_eq!(report["changed"], 0, "{report}");
    report["unchanged"].clone()
}

fn an_import_replaces_the_schedule_and_an_export_returns_it(site: &Site) {
    site.import_catalog();
    let first = site.export("fees");
    assert!(first.contains(&format!("{FIRST_RULE}\n")), "{first}");
    site.import("shipping", RATES, &[]).ok();

    // A dry run changes nothing.
    let report = site
        .import("fees", FEES, &["--dry-run", "--verbose"])
        .json();
    assert_eq!(report["changed"], 1);
    assert_lists(&report, &format!("- {FIRST_RULE}"));
    assert_eq!(site.export("fees"), first);

    let report = site.import("fees", FEES, &[]).json();
    assert_eq!(
        report,
        json!({ "schedules": 1, "rules": 3, "changed": 1, "unchanged": 0 })
    );
    assert_eq!(site.export("fees"), FEES);
}

fn imported_schedules_decide_the_fees(site: &Site) {
    let (_server, client) = site.open();
    assert_eq!(handling(&client, "first"), json!(2.5));
    site.import("shipping", RATES, &[]).ok();
    site.import("fees", FEES, &[]).ok();

    assert_eq!(handling(&client, "imported"), json!(1.75));
    // The surcharge is for islands only; three mugs have 0.25 each.
    for (order_id, province, surcharge) in [("islands", "US-HI", 3), ("mainland", "US-CA", 0)] {
        let made = client.create(&mugs_to(province, order_id, 3));
        assert_eq!(
            (&made["surchargeFee"], &made["otherFee"]),
            (&json!(surcharge), &json!(0.75))
        );
    }
}

fn a_stores_schedule_replaces_the_services_schedule(site: &Site) {
    let (server, client) = site.open();
    let prefix = site.prefix(&client.store);
    site.import("shipping", RATES, &[]).ok();
    site.import("fees", FEES, &[]).ok();
    let own = own_schedule(&prefix);
    site.import("fees", &format!("{HEADER}{own}"), &[]).ok();

    assert_eq!(handling(&client, "own"), json!(0.5));
    // Other stores have the service's schedule.
    let other = site.store(&server, &[]);
    assert_eq!(handling(&other, "another's"), json!(1.75));

    let both = site.export("fees");
    assert_eq!(both, format!("{FEES}{own}"));
    // Importing an export changes nothing, as CSV and as JSON.
    assert_eq!(unchanged(site, &both), 2);
    let json = site.run(&["--json", "fees", "export"]).ok().out;
    assert_eq!(unchanged(site, &json), 2);
}

fn removing_a_stores_schedule_restores_the_services_schedule(site: &Site) {
    let (_server, client) = site.open();
    let first = site.export("fees");
    let prefix = site.prefix(&client.store);
    site.import("shipping", RATES, &[]).ok();
    site.import("fees", &format!("{FEES}{}", own_schedule(&prefix)), &[])
        .ok();
    assert_eq!(handling(&client, "own"), json!(0.5));

    assert_eq!(remove(site, &["fees", "remove", &prefix]), true);
    assert_eq!(handling(&client, "removed"), json!(1.75));
    // There is nothing left to remove.
    assert_eq!(remove(site, &["fees", "remove", &client.store]), false);
    assert_eq!(remove(site, &["fees", "remove", "--service"]), true);
    assert_eq!(site.export("fees"), first);
    assert_eq!(remove(site, &["fees", "remove", "--service"]), false);

    site.run(&["fees", "remove", "NOBODY"])
        .fails(4, &["NOBODY"]);
    site.run(&["fees", "remove"]).fails(2, &[]);
    site.run(&["fees", "remove", &prefix, "--service"])
        .fails(2, &[]);
    // An order keeps the fees that it was stored with.
    assert_eq!(client.stored("own")["handleFee"], 0.5);
}

fn rates_that_lack_a_zone_of_the_fees_are_reported(site: &Site) {
    site.import_catalog();
    site.import("shipping", RATES, &[]).ok();
    site.import("fees", FEES, &[]).ok();
    // These rates have no zone `Islands`.
    let rates = "zone,places,ship_class,first_unit,further_unit\nRest,*,Standard,4,1\n";
    let finished = site.import("shipping", rates, &["--dry-run"]);
    assert!(finished.err.contains("Islands"), "{finished:?}");
    assert_eq!(finished.json()["zonesOnlyInFees"], json!(["Islands"]));
}

/// Rules without a handling fee for every label order: another fee, other orders, some SKUs, some
/// zones.
const NO_HANDLING: &str = ",A,other,1,USD,order,label,,\n,B,handling,1,USD,order,manual,,\n\
    ,C,handling,1,USD,order,label,MUG-*,\n,D,handling,1,USD,order,label,,everywhere\n";

fn a_store_left_without_a_handling_fee_is_named(site: &Site) {
    let (server, client) = site.open();
    let dollars = site.prefix(&client.store);
    let tokyo = site.prefix(&site.store(&server, &["--currency", "JPY"]).store);
    let warning = |currency: &str, names: &str| {
        format!(
            "label orders without a handling fee are refused, and none in {currency} is for all of them: {names}"
        )
    };
    let service = warning("USD", &format!("the service, {dollars}"));
    for (rows, expected) in [
        (
            NO_HANDLING.to_owned(),
            vec![warning("JPY", &tokyo), service],
        ),
        (
            format!("{NO_HANDLING},E,handling,1,USD,order,,,\n"),
            vec![warning("JPY", &tokyo)],
        ),
        (
            format!("{tokyo},Labels,handling,100,JPY,order,label,,\n"),
            vec![],
        ),
        (
            format!("{tokyo},Labels,handling,0,JPY,order,,,\n{dollars},,,,,,,,\n"),
            vec![warning("USD", &dollars)],
        ),
    ] {
        let finished = site.import("fees", &format!("{HEADER}{rows}"), &["--dry-run"]);
        let messages = finished.err.clone();
        let on_stderr: Vec<&str> = messages
            .lines()
            .filter_map(|line| line.strip_prefix("pressline: "))
            .collect();
        assert_eq!(on_stderr, expected, "{rows}");
        let warnings = finished.json()["warnings"].clone();
        let in_json = warnings.as_array().cloned().unwrap_or_default();
        assert_eq!(in_json, expected, "{rows}");
    }
}

fn the_warning_of_a_missing_handling_fee_is_right(site: &Site) {
    let (_server, client) = site.open();
    // An empty schedule of the store.
    let none = format!("{HEADER}{},,,,,,,,\n", site.prefix(&client.store));
    site.import("fees", &none, &[]).ok();
    let response = client.call("create-label", &label("refused")).to_string();
    assert!(
        response.contains("there is no label handling fee in USD"),
        "{response}"
    );
}

fn each_bad_rule_is_reported(site: &Site) {
    site.import_catalog();
    let bad = format!(
        "{HEADER}NOBODY,A,other,1,USD,order,,,\n,B,product,1,USD,order,,,\n,C,other,1.234,USD,order,,,\n\
         ,D,other,1,USD,order,,MUG-12,\n,E,other,1,USD,order,,,Islands\n,F,other,1,USD,each,,,\n"
    );
    site.import("fees", &bad, &[]).fails(
        1,
        &[
            "6 problems; nothing was imported",
            "line 2, store",
            "line 3, fee",
            "line 4, amount",
            "line 5, skus: `MUG-12` is not in the catalog; did you mean `MUG-11`?",
            "line 6, zones: `Islands` is not a zone of the shipping rates, which are everywhere",
            "line 7, per",
        ],
    );
    // Nothing was imported: the header and the default rule are left.
    assert_eq!(site.export("fees").lines().count(), 2);
}
