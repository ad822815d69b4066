//! `pressline catalog import`: the whole file or nothing.

use serde_json::json;

use crate::common::{Site, on_both_databases};

on_both_databases!(catalog_imports_are_atomic,);

fn catalog_imports_are_atomic(site: &Site) {
    let import = |name: &str, content: &str| site.import_as(name, "catalog", content, &[]);
    let counts = |products: u32, added: u32, changed: u32, unchanged: u32| json!({ "products": products, "added": added, "changed": changed, "unchanged": unchanged });
    let two = "\u{feff}SKU,Name,price,area_id,area_name\r\nA-1,\"A, the first\",1.10,f,Front\r\nA-1,\"A, the first\",1.10,b,Back\r\nA-2,Second,,f,Front\r\n";
    assert_eq!(import("two.csv", two).json(), counts(2, 2, 0, 0));
    assert_eq!(import("two.csv", two).json(), counts(2, 0, 0, 2));
    let more = r#"[{"sku":"A-2","name":"Second","price":"2.50","areas":[{"id":"f","name":"Front","sizeWidth":10,"extraFee":0.5}]},
        {"sku":"A-3","name":"Third"}]"#;
    assert_eq!(import("more.JSON", more).json(), counts(2, 1, 1, 0));

    let bad =
        "sku,name,price\nB-1,Good,1.00\nB-2,,1.00\nB-3,Three,cheap\nB-4,Four,-1\nB-5,Five,1.001\n";
    import("bad.csv", bad).fails(
        1,
        &[
            "bad.csv",
            "line 3",
            "name",
            "line 4",
            "price",
            "line 5",
            "line 6",
            "nothing was imported",
        ],
    );
    import("header.csv", "sku,nam,prize\nx,y,1\n").fails(1, &["nam", "prize", "price"]);
    import("empty.csv", "").fails(1, &["empty"]);
    import("bad.json", "[\n{\"sku\":\"B-1\",\"name\":\"Good\"},\n{\"sku\":\"B-2\"},\n{\"sku\":\"B-3\",\"name\":\"x\",\"prise\":1}]")
        .fails(1, &["line 3", "name", "line 4", "prise"]);
    import("broken.json", "[{").fails(1, &["broken.json", "line 1"]);
    import("bytes.csv", "sku,name\nx,\u{0}\n").fails(1, &["line 2", "control character"]);
    import("catalog.xlsx", "x").fails(1, &[".csv", ".json"]);
    site.run(&["catalog", "import", "missing.csv"])
        .fails(1, &["missing.csv"]);
    // No product of the bad file was stored, not even the valid one.
    assert_eq!(
        import("good.csv", "sku,name,price\nB-1,Good,1.00\n").json(),
        counts(1, 1, 0, 0)
    );
}
