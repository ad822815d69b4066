//! Columns of print areas about their files, which an export has only if one of them is used.

use pressline_backoffice::import::catalog::{read_variants, variant_sheet};
use pressline_domain::catalog::{AlphaRule, PrintAreaParts, Variant};
use pressline_domain::value::{ColourModel, FileFormat, Tenths};

use super::*;

const HEADER: &str = "sku,product,product_name,name,options,price,currency,ship_classes,weight_g,state,area_id,area_name,size,note,size_width,size_height,requirement,require_for,extra_fee,formats,max_mb,width_mm,height_mm,dpi,min_dpi,aspect_tolerance,alpha,colour,bleed_mm";

fn parse(text: &str) -> Result<Vec<Variant>, Findings> {
    read_variants(rows(text, Content::Variants)?)
}

/// A file with one area and all columns; `cells` are those about print files.
fn file(cells: &str) -> String {
    format!("{HEADER}\nMUG,,,Mug,,,USD,,,active,wrap,Wrap,,,,,,,,{cells}\n")
}

fn area(cells: &str) -> PrintAreaParts {
    let variants = parse(&file(cells)).unwrap();
    PrintAreaParts::clone(&variants[0].areas[0])
}

#[test]
fn each_column_is_a_field_and_is_exported_as_it_was() {
    let cells = "png|svg,1,210,297.5,36,1,0,required,rgb|gray,50";
    let read = area(cells);
    let expected = PrintAreaParts {
        formats: vec![FileFormat::Png, FileFormat::Svg],
        max_mb: Some(1),
        width_mm: Some(Tenths::whole(210)),
        height_mm: Some(Tenths::new(2975)),
        dpi: Some(36),
        min_dpi: Some(1),
        aspect_tolerance: Some(Tenths::new(0)),
        alpha: AlphaRule::Required,
        colours: vec![ColourModel::Rgb, ColourModel::Gray],
        bleed_mm: Some(Tenths::whole(50)),
        ..PrintAreaParts::named("wrap", "Wrap")
    };
    assert_eq!(read, expected);
    let variants = parse(&file(cells)).unwrap();
    assert_read_back(&variants, &file(cells), |whole| variant_sheet(whole), parse);
}

#[test]
fn one_used_column_brings_all_of_them() {
    for cells in [
        "png,,,,,,,,,",
        ",199,,,,,,,,",
        ",,1,,,,,,,",
        ",,,1,,,,,,",
        ",,,,301,,,,,",
        ",,,,,149,,,,",
        ",,,,,,0.5,,,",
        ",,,,,,,none,,",
        ",,,,,,,,cmyk,",
        ",,,,,,,,,0.1",
    ] {
        let variants = parse(&file(cells)).unwrap();
        assert_text(&variant_sheet(&variants), &file(cells));
    }
}

#[test]
fn defaults_are_as_good_as_blank_cells() {
    let plain = PrintAreaParts::named("wrap", "Wrap");
    for cells in [
        ",,,,,,,,,",
        "pdf|png|jpeg|tiff|webp|svg,200,,,300,150,1,any,,0",
        ",200.0,,,300.00,150.0,1.0,any,,0.0",
    ] {
        assert_eq!(area(cells), plain, "{cells}");
    }
    let variants = parse(&file("pdf|png|jpeg|tiff|webp|svg,200,,,300,150,1,any,,0")).unwrap();
    let exported = write(&variant_sheet(&variants), Format::Csv).unwrap();
    let header = String::from_utf8(exported).unwrap();
    assert!(
        header.lines().next().unwrap().ends_with(",extra_fee"),
        "{header}"
    );
    // Half of another resolution is another default.
    assert_eq!(area(",,,,200,100,,,,").min_dpi, None);
    assert_eq!(area(",,,,200,150,,,,").min_dpi, Some(150));
}

#[test]
fn json_has_lists_and_numbers() {
    let json = r#"[{"sku": "MUG", "name": "Mug", "areas": [{"id": "wrap", "name": "Wrap",
        "formats": ["svg", "png"], "maxMb": 1, "widthMm": 210, "heightMm": "297.5", "dpi": 36, "minDpi": "1",
        "aspectTolerance": 0, "alpha": "required", "colour": "rgb|gray", "bleedMm": 50.0}]}]"#;
    let from_csv = parse(&file("png|svg,1,210,297.5,36,1,0,required,rgb|gray,50")).unwrap();
    assert_eq!(parse(json).unwrap(), from_csv);
    let written = write(&variant_sheet(&from_csv), Format::Json).unwrap();
    let written = String::from_utf8(written).unwrap();
    assert_eq!(parse(&written).unwrap(), from_csv);
}

/// Cells, the column of the problem, and words of its message.
const BAD_VALUES: &[(&str, &str, &str)] = &[
    ("jpg,,,,,,,,,", "formats", "did you mean `jpeg`?"),
    (
        "gif,,,,,,,,,",
        "formats",
        "`gif` is not one of png, jpeg, tiff, webp, svg, pdf, psd, ai, eps",
    ),
    ("png|png,,,,,,,,,", "formats", "`png` is listed twice"),
    (",0,,,,,,,,", "max_mb", "not 1 to 200 megabytes"),
    (",201,,,,,,,,", "max_mb", "not 1 to 200 megabytes"),
    (
        ",1.5,,,,,,,,",
        "max_mb",
        "`1.5` is not a whole number of megabytes",
    ),
    (",,0.9,,,,,,,", "width_mm", "not 1 to 10000 millimetres"),
    (
        ",,210.25,,,,,,,",
        "width_mm",
        "`210.25` is not a number of millimetres with at most one decimal",
    ),
    (
        ",,,10000.1,,,,,,",
        "height_mm",
        "not 1 to 10000 millimetres",
    ),
    (",,,wide,,,,,,", "height_mm", "`wide`"),
    (",,,,35,,,,,", "dpi", "not 36 to 2400 dpi"),
    (",,,,2401,,,,,", "dpi", "not 36 to 2400 dpi"),
    (
        ",,,,-300,,,,,",
        "dpi",
        "`-300` is not a whole number of dots per inch",
    ),
    (",,,,,301,,,,", "min_dpi", "not 1 to 300 dpi"),
    (",,,,150,151,,,,", "min_dpi", "not 1 to 150 dpi"),
    (",,,,,0,,,,", "min_dpi", "not 1 to 300 dpi"),
    (",,,,,,50.1,,,", "aspect_tolerance", "more than 50 percent"),
    (
        ",,,,,,1%,,,",
        "aspect_tolerance",
        "`1%` is not a number of percent",
    ),
    (
        ",,,,,,,yes,,",
        "alpha",
        "`yes` is not one of any, required, none",
    ),
    (
        ",,,,,,,,lab,",
        "colour",
        "`lab` is not one of rgb, cmyk, gray",
    ),
    (",,,,,,,,,50.1", "bleed_mm", "more than 50 millimetres"),
];

#[test]
fn bad_values_are_named_with_their_columns() {
    for (cells, column, message) in BAD_VALUES {
        assert_problems(
            parse(&file(cells)),
            &[(&format!("line 2, {column}"), message)],
        );
    }
}
