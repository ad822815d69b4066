//! The catalog, and price estimates of a cart.

use pressline_backoffice::import::catalog::{Content, ImportSettings, Mode};
use pressline_tabular::Format;

use crate::shop::store;
use crate::world::World;

const CATALOG: &str = "/console/catalog";
const PRODUCTS: &str = "sku,name,price,currency,area_id,area_name,extra_fee\n\
                        MUG,Mug <b>white</b>,4.25,USD,front,Front,\n\
                        TEE,Tee black,8.50,USD,front,Front,\n\
                        TEE,Tee black,8.50,USD,back,Back,1.50\n";
const PRICES: &str = "store,sku,price,currency,valid_from\n\
                      ,MUG,4.00,USD,2026-01-01\n\
                      SUN,MUG,3.75,USD,2026-02-01\n\
                      MOON,TEE,7.11,USD,2026-02-01\n";
const SHIPPING: &str = "zone,places,ship_class,currency,first_unit,further_unit\n\
                        World,*,Standard,USD,4.00,1.25\n\
                        World,*,Express,USD,9.00,2.00\n";
const FEES: &str = "store,name,fee,amount,currency,per\n\
                    ,Packing,handling,0.50,USD,order\n\
                    MOON,Moon dust,handling,0.75,USD,order\n";

async fn world() -> World {
    let world = World::new().await;
    for (text, content) in [
        (PRODUCTS, Content::Variants),
        (PRICES, Content::Prices),
        (SHIPPING, Content::Shipping),
        (FEES, Content::Fees),
    ] {
        let rows = pressline_tabular::read(text.as_bytes(), Format::Csv, content).unwrap();
        let settings = ImportSettings {
            mode: Mode::Apply,
            ..ImportSettings::default()
        };
        world.imports.import(rows, &settings).await.unwrap();
    }
    world
}

#[actix_web::test]
async fn products_are_found_with_the_prices_of_a_store() {
    let world = world().await;
    let mut browser = world.signed_in("vera").await;
    let page = browser.open(CATALOG).await;
    page.shows("Products: 2")
        .shows("Mug &#60;b&#62;white")
        .shows("3.75 USD")
        .shows("Front, Back")
        .shows("aria-current=\"page\">Products</a>");
    let moon = format!("stores={}", store("MOON").id);
    browser
        .filters(
            CATALOG,
            &[
                ("searchKey=tee", "Tee black", "Mug"),
                ("searchKey=nothing", "No product has these words.", "Mug"),
                (&moon, "4.00 USD", "3.75 USD"),
                (&moon, "7.11 USD", "3.75 USD"),
                ("size=1", "rel=\"next\"", "Tee black"),
            ],
        )
        .await;
    let mut bound = world.signed_in("bert").await;
    let page = bound.get(&format!("{CATALOG}?{moon}")).await;
    page.is(400).hides("7.11");
}

#[actix_web::test]
async fn prices_are_listed_with_their_price_lists_and_validity() {
    let world = world().await;
    let mut browser = world.signed_in("vera").await;
    let page = browser.open("/console/catalog/prices?searchKey=mug").await;
    page.shows("the store&#39;s list")
        .shows("the service&#39;s list")
        .shows("the catalog")
        .hides("7.11");
    assert_eq!(page.body.matches("in force").count(), 1, "{}", page.body);
}

#[actix_web::test]
async fn shipping_and_fees_are_listed_as_in_their_files() {
    let world = world().await;
    let mut browser = world.signed_in("vera").await;
    let page = browser
        .open("/console/catalog/shipping?searchKey=expr")
        .await;
    page.shows("First unit").shows("9.00").hides("4.00");
    let page = browser.open("/console/catalog/shipping?size=1").await;
    page.shows("cursor=1").shows("Rows: 2");
    browser
        .get("/console/catalog/shipping?cursor=x")
        .await
        .is(400);
    let page = browser.open("/console/catalog/fees").await;
    page.shows("Packing").shows("Moon dust");
    let mut bound = world.signed_in("bert").await;
    let page = bound.open("/console/catalog/fees").await;
    page.shows("Packing").hides("Moon dust");
}

#[actix_web::test]
async fn exports_equal_the_files_of_the_command_line() {
    let world = world().await;
    let mut browser = world.signed_in("vera").await;
    for (name, content) in [
        ("products", Content::Variants),
        ("prices", Content::Prices),
        ("shipping", Content::Shipping),
        ("fees", Content::Fees),
    ] {
        let file = browser.get(&format!("/console/catalog/{name}.csv")).await;
        let sheet = world.imports.export(content).await.unwrap();
        let written = pressline_tabular::write(&sheet, Format::Csv).unwrap();
        let written = pressline_tabular::for_spreadsheets(written);
        assert_eq!(file.is(200).body.as_bytes(), written);
        let disposition = format!("attachment; filename=\"{name}.csv\"");
        assert_eq!(file.header("content-disposition"), disposition);
    }
}

#[actix_web::test]
async fn cart_prices_name_the_rule_of_each_line() {
    let world = world().await;
    let mut browser = world.signed_in("vera").await;
    browser
        .open("/console/catalog/price-check")
        .await
        .shows("Line 4");
    let cart = format!(
        "/console/catalog/price-check?stores={}&country_code=US&province_code=US-NY\
         &sku=TEE&quantity=1&shipClass=&areas=1,2&sku=&quantity=&shipClass=&areas=\
         &sku=MUG&quantity=2&shipClass=&areas=",
        store("SUN").id
    );
    let page = browser.open(&cart).await;
    page.shows("TEE: 1 x 8.50 USD by the catalog")
        .shows("MUG: 2 x 3.75 USD")
        .shows("1 x 1.50 USD for print area Back")
        .shows("2: MUG")
        .shows("Ship classes to choose from")
        .shows("Express");
    let wrong = cart.replace("quantity=2", "quantity=0");
    let page = browser.get(&wrong).await;
    page.is(400)
        .shows("href=\"#field-line_items-1--quantity\"")
        .shows("id=\"field-line_items-1--quantity\"")
        .shows("aria-invalid=\"true\"");
    let page = browser
        .get("/console/catalog/price-check?stores=x&sku=MUG")
        .await;
    page.is(400).shows("choose a store");
    let mut bound = world.signed_in("bert").await;
    let moon = cart.replace(&store("SUN").id.to_string(), &store("MOON").id.to_string());
    bound.get(&moon).await.is(400).shows("choose a store");
}

#[actix_web::test]
async fn a_file_is_checked_and_imported_by_admins_only() {
    const IMPORT: &str = "/console/catalog/import";
    let world = world().await;
    let mut browser = world.signed_in("otto").await;
    browser.get(IMPORT).await.is(403);
    let mut browser = world.signed_in("ana").await;
    browser.get("/console/catalog").await.shows(IMPORT);
    browser.open(IMPORT).await.shows("Choose file");
    let prices = "store,sku,price,currency,valid_from\nSUN,MUG,3.50,USD,2026-02-01\n";
    let content = [("content", "prices")];
    let sent = browser.upload(IMPORT, &content, prices.as_bytes()).await;
    let path = sent.is(303).header("location").to_owned();
    let page = browser.open(&path).await;
    page.shows("1 prices: 0 new, 1 changed")
        .shows("3.50")
        .shows("3.75");
    let (_, id) = path.split_once("file=").unwrap();
    let id = id.split('&').next().unwrap();
    let run = [("file", id), ("content", "prices")];
    browser
        .submit("/console/catalog/import/run", &run, "/console/catalog")
        .await
        .shows("3.50 USD");
    let wrong = "store,sku,price,currency,valid_from\nMARS,MUG,x,USD,2026-02-01\n";
    let sent = browser.upload(IMPORT, &content, wrong.as_bytes()).await;
    let page = browser.open(sent.is(303).header("location")).await;
    page.shows("nothing can be imported").hides("Import 1 row");
}
