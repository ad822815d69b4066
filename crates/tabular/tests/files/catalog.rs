//! Catalog files.

use pressline_backoffice::import::catalog::{read_variants, variant_sheet};
use pressline_domain::catalog::{PrintArea, Variant, VariantParts};

use super::*;

const OLD: &str = "\
sku,name,price,currency,area_id,area_name,size,note,size_width,size_height,requirement,require_for,extra_fee
TEE-M,\"Tee, M\",9.50,USD,front,Front,4500x5400px,PNG,4500,5400,,,
TEE-M,\"Tee, M\",9.50,USD,back,Back,4500x5400px,PNG,4500,5400,optional,a|b,3.25
STICKER,Sticker,,,,,,,,,,,
";

const WHOLE: &str = "\
sku,product,product_name,name,options,price,currency,ship_classes,weight_g,state,area_id,area_name,size,note,size_width,size_height,requirement,require_for,extra_fee
HOODIE,,,Hoodie,,1250,JPY,,,retired,main,Main,,,,,,,
TEE-L,TEE,Tee,\"Tee, L\",size=L|colour=black,9.50,USD,Standard,180,active,front,Front,4500x5400px,\"PNG, 300 dpi\",4500,5400,,,
TEE-L,TEE,Tee,\"Tee, L\",size=L|colour=black,9.50,USD,Standard,180,active,back,Back,,,,,optional,front|sleeve,3.25
TEE-M,TEE,Tee,\"The \"\"M\"\"
one — é, 注文\",size=M|colour==|note=a,9.50,USD,Standard|Express,175,active,main,Main,,,,,,,
";

fn parse(text: &str) -> Result<Vec<Variant>, Findings> {
    read_variants(rows(text, Content::Variants)?)
}

#[test]
fn csv_and_json_are_equivalent() {
    let from_csv = parse(OLD).unwrap();
    let json = r#"[
      {"sku": "TEE-M", "name": "Tee, M", "price": "9.50", "currency": "USD", "areas": [
        {"id": "front", "name": "Front", "size": "4500x5400px", "note": "PNG", "sizeWidth": 4500, "sizeHeight": "5400"},
        {"id": "back", "name": "Back", "size": "4500x5400px", "note": "PNG", "sizeWidth": 4500, "sizeHeight": 5400,
         "requirement": "optional", "requireFor": ["a", "b"], "extraFee": 3.25}
      ]},
      {"sku": "STICKER", "name": "Sticker"}
    ]"#;
    assert_eq!(parse(json).unwrap(), from_csv);
    assert_eq!(from_csv.len(), 2);
    assert_eq!(from_csv[0].areas[1].extra_fee.minor_units(), 325);
    assert_eq!(
        (from_csv[1].price, &from_csv[1].areas),
        (None, &vec![PrintArea::main()])
    );
    assert_eq!(
        from_csv[1],
        Variant::new(VariantParts::single("STICKER", "Sticker")).unwrap()
    );
}

#[test]
fn a_written_file_is_read_back_unchanged() {
    let variants = parse(WHOLE).unwrap();
    assert_read_back(&variants, WHOLE, |whole| variant_sheet(whole), parse);
    let json = as_json(&variant_sheet(&variants));
    assert_eq!(as_json(&variant_sheet(&parse(&json).unwrap())), json);

    let tee = &variants[1];
    assert_eq!(
        (
            tee.product.id.as_str(),
            tee.product.name.as_deref(),
            tee.weight_grams
        ),
        ("TEE", Some("Tee"), 180)
    );
    assert_eq!(
        tee.options,
        [("size", "L"), ("colour", "black")].map(|(k, v)| (k.to_owned(), v.to_owned()))
    );
    assert_eq!(
        variants[2].options[1],
        ("colour".to_owned(), "=".to_owned())
    );
    assert_eq!(variants[2].name, "The \"M\"\none — é, 注文");
    assert!(variants[0].retired && !tee.retired);
    assert_eq!(variants[0].price.unwrap().minor_units(), 1250);
}

#[test]
fn every_bad_row_is_named_with_line_and_column() {
    let csv = "sku,name,price,area_id,area_name,size_width,weight_g,state,options\n\
               A,Mug,1.234,main,Main,,,,\n\
               ,Nameless,1,main,Main,,,,\n\
               B,Poster,-1,main,Main,wide,,,\n\
               A,Other,2,main,Main,,,,\n\
               C,Cap,1,main,Main,,1.5,activ,size\n\
               D,Cap,1,main,Main,,1000001,active,a=1|a=2\n\
               E,Cap,1,main,Main,,,,,more\n";
    assert_problems(
        parse(csv),
        &[
            (
                "line 2, price",
                "more than 2 decimals, and USD has no smaller unit",
            ),
            ("line 3, sku", "required"),
            ("line 4, price", "`-1` is not an amount"),
            ("line 4, size_width", "`wide`"),
            ("line 5, sku", "`A` has another name, price in line 2"),
            ("line 5, area_id", "`main` is listed twice"),
            ("line 6, options", "size=M"),
            ("line 6, weight_g", "whole number of grams"),
            ("line 6, state", "did you mean `active`?"),
            ("line 7, options", "`a` is listed twice"),
            ("line 7, weight_g", "more than 1000000 grams"),
            ("line 8", "10 cells, and the header has 9"),
        ],
    );
}

#[test]
fn a_thousand_bad_rows_are_counted_and_a_hundred_shown() {
    let rows: String = (0..1000)
        .map(|row| format!("S-{row},Mug,cheap\n"))
        .collect();
    let Err(mut problems) = parse(&format!("sku,name,price\n{rows}")) else {
        panic!()
    };
    assert_eq!(problems.count(), 1000);
    let lines: Vec<u64> = problems
        .shown()
        .iter()
        .map(|finding| finding.line)
        .collect();
    assert_eq!(lines, (2..=101).collect::<Vec<u64>>());
}

#[test]
fn a_bad_header_names_the_nearest_column() {
    assert_problems(
        parse("sku,name,prise\nA,B,1\n"),
        &[("line 1, prise", "did you mean `price`?")],
    );
    assert_problems(parse(""), &[("line 1", "the file is empty")]);
    assert_problems(parse("name\nMug\n"), &[("line 1, sku", "lacks")]);
    assert_problems(
        parse("sku,name,SKU\nA,B,C\n"),
        &[("line 1, sku", "this column twice")],
    );
}

#[test]
fn json_problems_have_their_lines() {
    let json = "[\n  {\"sku\": \"A\", \"name\": \"Mug\"},\n  {\"sku\": \"B\"},\n  {\"sku\": \"A\",\n   \"name\": 5,\n\
                \"areas\": [{\"id\": \"x\",\n\"nam\": true}], \"price\": [1],\n\"price\": 2},\n7,\n\
                {\"sku\": \"C\", \"name\": \"a|b\", \"options\": {\"x\": \"a|b\"}, \"shipClasses\": [true]}]";
    assert_problems(
        parse(json),
        &[
            ("line 3, name", "required"),
            ("line 4, sku", "`A` is already in line 2"),
            ("line 5, name", "text belongs here, not a number"),
            ("line 7, nam", "did you mean `name`?"),
            ("line 7, price", "not a list"),
            ("line 8, price", "this key twice"),
            ("line 9", "an object"),
            ("line 10, options", "`a|b` contains `|`"),
            ("line 10, shipClasses", "a list of anything but texts"),
        ],
    );
    assert!(problems(parse("{}"))[0].starts_with("line 1: "));
    assert!(problems(parse("[{"))[0].starts_with("line 1: "));
    assert_problems(
        parse(
            "[{\"sku\": \"A\", \"name\": \"A\", \"areas\": [{\"id\": \"x\", \"name\": \"y\",\n\"extraFee\": \"x\"}]}]",
        ),
        &[("line 2, areas.extraFee", "`x` is not an amount")],
    );
}

#[test]
// The bound is the largest price whose largest order still fits.
fn prices_leave_room_for_the_largest_order() {
    assert_problems(
        parse("sku,name,price\nA,Mug,90071993.00\n"),
        &[("line 2, price", "more than 90071992.54 USD")],
    );
}

#[test]
fn a_product_has_one_name() {
    let csv = "sku,product,product_name,name\nA,TEE,Tee,One\nB,TEE,,Two\nC,TEE,Shirt,Three\n";
    assert_problems(
        parse(csv),
        // A name may be missing, but not differ.
        &[(
            "line 4, product_name",
            "product `TEE` is named `Tee` in line 2",
        )],
    );
}

#[test]
fn files_in_formats_of_other_programs_are_read() {
    // A byte order mark, upper case, spaces, CRLF and empty rows.
    let csv = "\u{feff}SKU,Name,Price\r\n A-1 ,\"A, the first\", 1.10 \r\n\r\n,,\r\n";
    let variants = parse(csv).unwrap();
    assert_eq!((variants.len(), variants[0].sku.as_str()), (1, "A-1"));
    // Latin-1 bytes are not valid UTF-8.
    let latin = b"sku,name\nA,caf\xe9\nB,\xe9\n";
    let read = read(latin, Format::Csv, Content::Variants).and_then(read_variants);
    assert_problems(read, &[("line 2", "UTF-8"), ("line 3", "UTF-8")]);
    assert!(parse("\u{feff}sku,name\n").unwrap().is_empty());
}

#[test]
fn the_name_of_a_product_is_kept_as_given() {
    let csv = "sku,product,product_name,name\nA,TEE,Tee,Tee\nB,TEE,,Two\nMUG,,Mugs,Mug\n";
    let variants = parse(csv).unwrap();
    let names: Vec<_> = variants
        .iter()
        .map(|variant| variant.product.name.as_deref())
        .collect();
    assert_eq!(names, [Some("Tee"), None, Some("Mugs")]);
    // The id of a product without `product` is its SKU.
    assert_problems(
        parse("sku,product,product_name,name\nA,B,One,A\nB,,Two,B\n"),
        &[(
            "line 3, product_name",
            "product `B` is named `One` in line 2",
        )],
    );
}

#[test]
fn control_characters_are_refused() {
    assert_problems(
        parse("sku,name\nA,\u{1b}[2J\nB,\"two\n\tlines\"\nC,\u{85}x\u{9b}\nD\u{0},x\n"),
        &[
            ("line 2, name", "control character \\u{1b}"),
            ("line 5, name", "control character \\u{9b}"),
            ("line 6, sku", "control character \\u{0}"),
        ],
    );
}

#[test]
fn skus_that_look_alike_are_refused() {
    assert_problems(
        parse(
            "sku,name,price,area_id,area_name\n\
             MUG,Mug,1,main,Main\n\
             MUG\u{200b},Mug,1,main,Main\n\
             MU\u{ad}G,Mug,1,main,Main\n",
        ),
        &[
            ("line 3, sku", "printable characters only"),
            ("line 4, sku", "printable characters only"),
        ],
    );
}

#[test]
fn retired_variants_do_not_make_a_product_too_large() {
    // More rows than the limit of 1,000 active variants.
    let rows: String = (0..1005)
        .map(|n| format!("S-{n},TEE,Tee,retired\n"))
        .collect();
    assert_eq!(
        parse(&format!("sku,product,name,state\n{rows}"))
            .unwrap()
            .len(),
        1005
    );
}

#[test]
fn an_object_of_very_many_keys_takes_linear_time() {
    // Comparing each key with all others would take minutes.
    const KEYS: usize = 100_000;
    let keys: Vec<String> = (0..KEYS)
        .map(|number| format!("\"k{number}\": 1"))
        .collect();
    let keys = keys.join(",\n");
    let Err(problems) = parse(&format!("[{{{keys}}}]")) else {
        panic!()
    };
    assert_eq!(
        problems.count(),
        KEYS + 2,
        "unknown keys, and the required ones are missing"
    );
    let options = format!("[{{\"sku\": \"A\", \"name\": \"A\", \"options\": {{{keys}}}}}]");
    assert_problems(parse(&options), &[("line 1, options", "more than 20")]);
    let list: Vec<String> = (0..KEYS).map(|number| format!("\"c{number}\"")).collect();
    let classes = format!(
        "[{{\"sku\": \"A\", \"name\": \"A\", \"shipClasses\": [{}]}}]",
        list.join(",")
    );
    assert_problems(parse(&classes), &[("line 1, shipClasses", "more than 20")]);
}

#[test]
fn a_product_of_too_many_variants_is_reported_once() {
    // Two rows per variant, because print areas do not count toward the product's limit.
    let rows = |count: usize| -> String {
        let row = |n| format!("S-{n},TEE,Tee,front,F\nS-{n},TEE,Tee,back,B\nM-{n},,Mug,main,M\n");
        (0..count).map(row).collect()
    };
    let csv = |count| format!("sku,product,name,area_id,area_name\n{}", rows(count));
    assert_eq!(parse(&csv(1000)).unwrap().len(), 2000);
    assert_problems(
        parse(&csv(1005)),
        &[(
            "line 3002, product",
            "product `TEE` has more than 1000 variants",
        )],
    );
}
