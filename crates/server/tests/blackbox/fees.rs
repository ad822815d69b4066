//! Shipping rates and schedules of fees as files: what they decide, what is refused, and what an
//! export gives back.

use serde_json::{Value, json};

use crate::common::{Client, Finished, Site, item, label, on_both_databases, order};

on_both_databases!(
    imported_rates_decide_the_shipping_fee,
    imported_schedules_decide_the_fees,
    a_store_left_without_a_handling_fee_is_named,
    rates_and_fees_are_checked_row_by_row,
    money_follows_the_currency_of_the_store
);

const RATES: &str = "\
zone,places,ship_class,currency,first_unit,further_unit,weight_steps,free_from
Islands,US-HI|IS,Standard,USD,9.00,2.00,1000:3.50|3000:8.00,60.00
Rest,*,Standard,USD,4.00,1.00,,
Rest,*,Express,USD,11.00,2.50,,
";

const FEES: &str = "\
store,name,fee,amount,currency,per,orders,skus,zones
,Label handling,handling,1.75,USD,order,label,,
,Remote,surcharge,3.00,USD,order,manual,,Islands
,Fragile,other,0.25,USD,unit,,MUG-*,
";

fn import(site: &Site, kind: &str, content: &str, options: &[&str]) -> Finished {
    let file = site.file(
        if content.starts_with('[') {
            "file.json"
        } else {
            "file.csv"
        },
        content,
    );
    site.run(&[&["--json", kind, "import", file.to_str().unwrap()], options].concat())
}

fn export(site: &Site, kind: &str) -> String {
    site.run(&[kind, "export"]).ok().out
}

/// An order of some mugs to a province of the United States.
fn mugs(order_id: &str, quantity: u32, province: &str) -> Value {
    let mut body = order(order_id);
    body["line_items"] = json!([item("MUG-11", quantity, 0)]);
    body["shipping_address"]["province_code"] = json!(province);
    body
}

fn shipping(client: &Client, order_id: &str, quantity: u32, province: &str) -> Value {
    client.create(&mugs(order_id, quantity, province))["shippingFee"].clone()
}

#[expect(clippy::too_many_lines, reason = "its cases read best in one piece")]
fn imported_rates_decide_the_shipping_fee(site: &Site) {
    let (_server, client) = site.open();
    // Until then the rates of a new database hold.
    assert_eq!(shipping(&client, "first", 2, "US-HI"), json!(6.49));
    let first = export(site, "shipping");
    assert!(
        first.contains("everywhere,*,Standard,USD,4.99,1.50,,\n"),
        "{first}"
    );

    let told = import(site, "shipping", RATES, &["--dry-run", "--verbose"]).json();
    assert_eq!(
        (&told["changed"], &told["dryRun"]),
        (&json!(true), &json!(true))
    );
    assert!(
        told["changes"]
            .as_array()
            .unwrap()
            .contains(&json!("+ Rest,*,Express,USD,11.00,2.50,,")),
        "{told}"
    );
    assert!(
        told["changes"]
            .as_array()
            .unwrap()
            .contains(&json!("- everywhere,*,Standard,USD,4.99,1.50,,")),
        "{told}"
    );
    assert_eq!(export(site, "shipping"), first);
    let done = import(site, "shipping", RATES, &[]).json();
    assert_eq!(done, json!({ "zones": 2, "rates": 3, "changed": true }));
    assert_eq!(
        import(site, "shipping", RATES, &[]).json()["changed"],
        false
    );
    assert_eq!(export(site, "shipping"), RATES);
    let json = site.run(&["--json", "shipping", "export"]).ok().out;
    assert_eq!(
        import(site, "shipping", &json, &[]).json()["changed"],
        false
    );

    assert_eq!(shipping(&client, "rest", 3, "US-CA"), json!(6));
    assert_eq!(shipping(&client, "islands", 3, "US-HI"), json!(13));
    let catalog = "sku,name,price,weight_g\nMUG-11,\"Mug, 11 oz\",5.20,340\n";
    let catalog = site.file("weights.csv", catalog);
    site.run(&["catalog", "import", catalog.to_str().unwrap()])
        .ok();
    assert_eq!(
        shipping(&client, "heavy", 3, "US-HI"),
        json!(16.5),
        "1020 g"
    );
    assert_eq!(
        shipping(&client, "not-heavy", 2, "US-HI"),
        json!(11),
        "680 g"
    );
    assert_eq!(
        shipping(&client, "free", 12, "US-HI"),
        json!(0),
        "62.40 of products"
    );

    // All rates are replaced: a class that is gone is no class any more.
    let less =
        "zone,places,ship_class,currency,first_unit,further_unit\nOnly,US-HI,Standard,USD,1,1\n";
    import(site, "shipping", less, &[]).ok();
    let answer = client.call("create", &mugs("nowhere", 1, "US-CA")).ok();
    assert_eq!(answer["data"]["shippingFee"], Value::Null);
    let codes: Vec<&Value> = answer["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| &w["code"])
        .collect();
    assert!(codes.contains(&&json!("no_shipping_rate")), "{answer}");
    import(
        site,
        "shipping",
        "zone,places,ship_class,first_unit,further_unit\n",
        &[],
    )
    .fails(2, &["no rates"]);
    let removed = site.run(&["--json", "shipping", "remove"]).json();
    assert_eq!(removed, json!({ "removed": true }));
    assert_eq!(export(site, "shipping"), first);
    assert_eq!(shipping(&client, "removed", 2, "US-HI"), json!(6.49));
    let again = site.run(&["--json", "shipping", "remove"]).json();
    assert_eq!(again, json!({ "removed": false }));
}

#[expect(clippy::too_many_lines, reason = "its cases read best in one piece")]
fn imported_schedules_decide_the_fees(site: &Site) {
    let (server, client) = site.open();
    let handling = |client: &Client, order_id: &str| {
        client.call("create-label", &label(order_id)).order()["handleFee"].clone()
    };
    assert_eq!(handling(&client, "first"), json!(2.5));
    let first = export(site, "fees");
    assert!(
        first.contains(",Label handling,handling,2.50,USD,order,label,,\n"),
        "{first}"
    );
    import(site, "shipping", RATES, &[]).ok();
    let told = import(site, "fees", FEES, &["--dry-run", "--verbose"]).json();
    assert_eq!(told["changed"], 1);
    let gone = json!("- ,Label handling,handling,2.50,USD,order,label,,");
    assert!(
        told["changes"].as_array().unwrap().contains(&gone),
        "{told}"
    );
    assert_eq!(export(site, "fees"), first);
    let done = import(site, "fees", FEES, &[]).json();
    assert_eq!(
        done,
        json!({ "schedules": 1, "rules": 3, "changed": 1, "unchanged": 0 })
    );
    assert_eq!(export(site, "fees"), FEES);
    assert_eq!(handling(&client, "imported"), json!(1.75));
    let made = client.create(&mugs("islands", 3, "US-HI"));
    assert_eq!(
        (&made["surchargeFee"], &made["otherFee"]),
        (&json!(3), &json!(0.75))
    );
    let made = client.create(&mugs("mainland", 3, "US-CA"));
    assert_eq!(
        (&made["surchargeFee"], &made["otherFee"]),
        (&json!(0), &json!(0.75))
    );

    // A store's own schedule takes the place of the service's, until it is removed.
    let shown = site.run(&["--json", "store", "show", &client.store]).json();
    let prefix = shown["prefix"].as_str().unwrap();
    let own = format!(
        "store,name,fee,amount,currency,per,orders,skus,zones\n{prefix},Labels,handling,0.50,USD,order,label,,\n"
    );
    import(site, "fees", &own, &[]).ok();
    assert_eq!(handling(&client, "own"), json!(0.5));
    assert_eq!(
        handling(&site.store(&server, &[]), "another's"),
        json!(1.75)
    );
    let both = export(site, "fees");
    assert_eq!(both, format!("{FEES}{}\n", own.lines().nth(1).unwrap()));
    assert_eq!(import(site, "fees", &both, &[]).json()["unchanged"], 2);
    let json = site.run(&["--json", "fees", "export"]).ok().out;
    assert_eq!(import(site, "fees", &json, &[]).json()["unchanged"], 2);
    // Rates that lack a zone which fees name are a mistake worth a word.
    let lacking = "zone,places,ship_class,first_unit,further_unit\nRest,*,Standard,4,1\n";
    let told = import(site, "shipping", lacking, &["--dry-run"]);
    assert!(told.err.contains("Islands"), "{told:?}");
    assert_eq!(told.json()["zonesOnlyInFees"], json!(["Islands"]));

    assert_eq!(
        site.run(&["--json", "fees", "remove", prefix]).json(),
        json!({ "removed": true })
    );
    assert_eq!(handling(&client, "removed"), json!(1.75));
    assert_eq!(
        site.run(&["--json", "fees", "remove", &client.store])
            .json(),
        json!({ "removed": false })
    );
    assert_eq!(
        site.run(&["--json", "fees", "remove", "--service"]).json(),
        json!({ "removed": true })
    );
    assert_eq!(export(site, "fees"), first);
    assert_eq!(
        site.run(&["--json", "fees", "remove", "--service"]).json(),
        json!({ "removed": false })
    );
    site.run(&["fees", "remove", "NOBODY"])
        .fails(4, &["NOBODY"]);
    site.run(&["fees", "remove"]).fails(2, &[]);
    site.run(&["fees", "remove", prefix, "--service"])
        .fails(2, &[]);
    // What is stored stays.
    assert_eq!(client.stored("own")["handleFee"], 0.5);
}

fn a_store_left_without_a_handling_fee_is_named(site: &Site) {
    let (server, client) = site.open();
    let prefix =
        |store: &str| site.run(&["--json", "store", "show", store]).json()["prefix"].clone();
    let dollars = prefix(&client.store).as_str().unwrap().to_owned();
    let yen = site.store(&server, &["--currency", "JPY"]);
    let tokyo = prefix(&yen.store).as_str().unwrap().to_owned();
    let header = "store,name,fee,amount,currency,per,orders,skus,zones\n";
    // Neither another fee, nor that of other orders, nor that of some SKUs or zones is the handling
    // of every label.
    let none = ",A,other,1,USD,order,label,,\n,B,handling,1,USD,order,manual,,\n\
                ,C,handling,1,USD,order,label,MUG-*,\n,D,handling,1,USD,order,label,,everywhere\n";
    let warning = |currency: &str, names: &str| {
        format!(
            "label orders without a handling fee are refused, and none in {currency} is for all of them: {names}"
        )
    };
    let service = warning("USD", &format!("the service, {dollars}"));
    for (rows, expected) in [
        (none.to_owned(), vec![warning("JPY", &tokyo), service]),
        (
            format!("{none},E,handling,1,USD,order,,,\n"),
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
        let told = import(site, "fees", &format!("{header}{rows}"), &["--dry-run"]);
        let err = told.err.clone();
        let on_stderr: Vec<&str> = err
            .lines()
            .filter_map(|line| line.strip_prefix("pressline: "))
            .collect();
        assert_eq!(on_stderr, expected, "{rows}");
        assert_eq!(
            told.json()["warnings"]
                .as_array()
                .cloned()
                .unwrap_or_default(),
            expected,
            "{rows}"
        );
    }
    // The warning tells the truth.
    import(site, "fees", &format!("{header}{dollars},,,,,,,,\n"), &[]).ok();
    let answer = client.call("create-label", &label("refused"));
    assert!(
        answer
            .to_string()
            .contains("there is no label handling fee in USD"),
        "{answer}"
    );
}

fn rates_and_fees_are_checked_row_by_row(site: &Site) {
    site.import_catalog();
    let header = "zone,places,ship_class,currency,first_unit,further_unit,weight_steps,free_from\n";
    let bad = format!(
        "{header}A,US-XX,Standard,USD,1,1,,\nB,*|US,Standard,USD,1,1,,\nC,CA,Standard,JPY,1.5,1,,\n\
         D,MX,Standard,USD,1,1,2000:1|1000:2,\nE,FR,Standard,USD,1,1,,\nE,DE,Express,USD,1,1,,\nE,FR,Standard,USD,2,1,,\n"
    );
    import(site, "shipping", &bad, &[]).fails(
        1,
        &[
            "6 problems; nothing was imported",
            "line 2, places",
            "line 3, places",
            "line 4, first_unit",
            "line 5, weight_steps",
            "line 7, places: zone `E` has other places in line 6",
            "line 8, ship_class",
        ],
    );
    let bad = "store,name,fee,amount,currency,per,orders,skus,zones\n\
               NOBODY,A,other,1,USD,order,,,\n,B,product,1,USD,order,,,\n,C,other,1.234,USD,order,,,\n\
               ,D,other,1,USD,order,,MUG-12,\n,E,other,1,USD,order,,,Islands\n,F,other,1,USD,each,,,\n";
    import(site, "fees", bad, &[]).fails(
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
    assert!(
        export(site, "fees").lines().count() == 2
            && export(site, "shipping").contains("everywhere")
    );
}

fn money_follows_the_currency_of_the_store(site: &Site) {
    let catalog = "sku,name,price,currency,area_id,area_name,extra_fee\nYEN,Yukata,1250,JPY,front,Front,300\n\
                   DINAR,Dishdasha,2.125,KWD,front,Front,0.375\n";
    let catalog = site.file("catalog.csv", catalog);
    site.run(&["catalog", "import", catalog.to_str().unwrap()])
        .ok();
    let rates = "zone,places,ship_class,currency,first_unit,further_unit\nAll,*,Standard,JPY,800,120\nAll,*,Standard,KWD,1.505,0.25\n";
    import(site, "shipping", rates, &[]).ok();
    let server = site.serve();
    for (currency, sku, expected) in [
        ("JPY", "YEN", [2500.0, 600.0, 920.0, 4020.0]),
        ("KWD", "DINAR", [4.25, 0.75, 1.755, 6.755]),
    ] {
        let client = site.store(&server, &["--currency", currency]);
        let mut body = order("one");
        body["line_items"] = json!([item(sku, 2, 1)]);
        let made = client.create(&body);
        let fees = ["productCost", "surchargeFee", "shippingFee", "totalCost"]
            .map(|fee| made[fee].as_f64().unwrap());
        assert_eq!(
            (made["currency"].as_str(), fees),
            (Some(currency), expected),
            "{made}"
        );
    }
}
