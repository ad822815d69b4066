//! Tests of catalog files.

use super::*;

const CSV: &str = "\
sku,name,price,currency,area_id,area_name,size,note,size_width,size_height,requirement,require_for,extra_fee
TEE-M,\"Tee, M\",9.50,USD,front,Front,4500x5400px,PNG,4500,5400,,,
TEE-M,\"Tee, M\",9.50,USD,back,Back,4500x5400px,PNG,4500,5400,optional,a|b,3.25
STICKER,Sticker,,,,,,,,,,,
";

#[test]
fn csv_and_json_say_the_same() {
    let from_csv = parse(CSV.as_bytes(), Format::Csv).unwrap();
    let json = r#"[
      {"sku": "TEE-M", "name": "Tee, M", "price": "9.50", "currency": "USD", "areas": [
        {"id": "front", "name": "Front", "size": "4500x5400px", "note": "PNG", "sizeWidth": 4500, "sizeHeight": "5400"},
        {"id": "back", "name": "Back", "size": "4500x5400px", "note": "PNG", "sizeWidth": 4500, "sizeHeight": 5400,
         "requirement": "optional", "requireFor": ["a", "b"], "extraFee": 3.25}
      ]},
      {"sku": "STICKER", "name": "Sticker"}
    ]"#;
    assert_eq!(parse(json.as_bytes(), Format::Json).unwrap(), from_csv);
    assert_eq!(from_csv.len(), 2);
    assert_eq!(from_csv[0].areas[1].extra_fee.minor_units(), 325);
    assert_eq!(from_csv[1].price, None);
    assert_eq!(from_csv[1].areas, [PrintArea::main()]);
}

#[test]
fn every_bad_row_is_named_with_line_and_column() {
    let csv = "sku,name,price,area_id,area_name,size_width\n\
               A,Mug,1.234,main,Main,\n\
               ,Nameless,1,main,Main,\n\
               B,Poster,-1,main,Main,wide\n\
               A,Other,2,main,Main,\n";
    let problems = parse(csv.as_bytes(), Format::Csv).unwrap_err();
    let places: Vec<(u64, &str)> = problems.iter().map(|p| (p.line, p.column.as_str())).collect();
    assert_eq!(
        places,
        [(2, "price"), (3, "sku"), (4, "price"), (4, "size_width"), (5, "sku"), (5, "area_id")]
    );
    assert_eq!(problems[0].to_string(), "line 2, price: more than 2 decimals, and USD has no smaller unit");
}

#[test]
fn a_bad_header_names_the_nearest_column() {
    let problems = parse(b"sku,name,prise\nA,B,1\n", Format::Csv).unwrap_err();
    assert_eq!(problems.len(), 1);
    assert!(problems[0].message.contains("`price`"), "{}", problems[0].message);
    assert!(parse(b"", Format::Csv).is_err());
    assert!(parse(b"name\nMug\n", Format::Csv).unwrap_err()[0].to_string().contains("sku"));
}

#[test]
fn json_problems_have_their_lines() {
    let json = "[\n  {\"sku\": \"A\", \"name\": \"Mug\"},\n  {\"sku\": \"B\"},\n  {\"sku\": \"A\",\n   \"name\": 5}\n]";
    let problems = parse(json.as_bytes(), Format::Json).unwrap_err();
    let lines: Vec<u64> = problems.iter().map(|p| p.line).collect();
    assert_eq!(lines, [3, 5]);
    assert_eq!(parse(b"{}", Format::Json).unwrap_err()[0].line, 1);
}

#[test]
fn prices_leave_room_for_the_largest_order() {
    let csv = "sku,name,price\nA,Mug,90071993.00\n";
    assert!(parse(csv.as_bytes(), Format::Csv).unwrap_err()[0].message.starts_with("more than"));
}
