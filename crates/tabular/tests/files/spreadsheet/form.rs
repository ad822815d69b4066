//! The form of files that spreadsheets write: separators, encodings, empty columns and rows.

use pressline_backoffice::import::catalog::read_variants;

use super::super::*;

fn skus_of(bytes: &[u8]) -> Vec<String> {
    let read_rows = read(bytes, Format::Csv, Content::Variants).and_then(read_variants);
    let variants = read_rows.unwrap();
    variants
        .into_iter()
        .map(|variant| variant.sku.clone())
        .collect()
}

fn table(text: &str) -> Result<(), Findings> {
    let read_rows = read(text.as_bytes(), Format::Csv, Content::Variants);
    read_rows.and_then(read_variants).map(drop)
}

#[test]
fn a_line_with_the_separator_is_skipped_and_used() {
    for (line, separator) in [
        ("sep=,", ","),
        ("sep=;", ";"),
        ("SEP=;", ";"),
        ("sep=\t", "\t"),
        ("sep=|", "|"),
        ("\"sep=;\"", ";"),
        ("sep=,,,,", ","),
        // A spreadsheet has written the file again with another separator.
        ("sep=,", ";"),
    ] {
        for line_end in ["\n", "\r\n", "\r"] {
            for start in ["", "\u{feff}", "\n"] {
                let text = format!("{start}{line}\nsku,name\nA,x\nB,y\n");
                let body = text.replace('\n', line_end);
                let (head, rest) = body.split_once("sku").unwrap();
                let file = format!("{head}sku{}", rest.replace(',', separator));
                assert_eq!(skus_of(file.as_bytes()), ["A", "B"], "{file:?}");
            }
        }
    }
    assert_problems(
        table("sep=;\nsku;name\nA;\n;x\n\"A\"b;x\n"),
        &[("line 5", "text after its closing quote")],
    );
    assert_problems(
        table("sep=;\nsku;name\nA;\n;x\n"),
        &[("line 3, name", "required"), ("line 4, sku", "required")],
    );
}

#[test]
fn unicode_text_of_excel_is_read() {
    let text = "sku\tname\r\nA\tÁnh Đỗ 🎁\r\nB\tx\r\n";
    for (order, mark) in [
        (u16::to_le_bytes as fn(u16) -> [u8; 2], true),
        (u16::to_be_bytes, true),
        (u16::to_le_bytes, false),
        (u16::to_be_bytes, false),
    ] {
        let text = if mark {
            format!("\u{feff}{text}")
        } else {
            text.to_owned()
        };
        let bytes: Vec<u8> = text.encode_utf16().flat_map(order).collect();
        assert_eq!(skus_of(&bytes), ["A", "B"]);
        let odd = &bytes[..bytes.len() - 1];
        let cut = read(odd, Format::Csv, Content::Variants);
        assert_problems(cut, &[("line 1", "UTF-16")]);
    }
}

#[test]
fn windows_1252_is_reported_and_not_read_as_other_characters() {
    let bytes = b"sku,name\nA,x\nB,caf\xe9\n";
    let read_rows = read(bytes, Format::Csv, Content::Variants).and_then(read_variants);
    assert_problems(
        read_rows,
        &[("line 3", "cell 2 is not UTF-8; save the file as UTF-8")],
    );
    let header = read(b"sku,n\xe4me\nA,x\n", Format::Csv, Content::Variants);
    assert_problems(header, &[("line 1", "cell 2 is not UTF-8")]);
}

#[test]
fn a_workbook_is_recognised() {
    for start in [&b"PK\x03\x04\x14\x00"[..], b"\xd0\xcf\x11\xe0\xa1"] {
        let workbook = read(start, Format::Csv, Content::Variants);
        assert_problems(workbook, &[("line 1", "a workbook, not a CSV file")]);
    }
}

#[test]
fn empty_columns_and_rows_mean_nothing() {
    for text in [
        "sku,name,,\nA,x,,\nB,y,,\n",
        "sku,name\nA,x,,,\nB,y,,,\n",
        "sku,,name,\nA,,x,\nB, ,y\n",
        ",sku,name\n,A,x\n,B,y\n",
        ",,\n\nsku,name,\nA,x,\n,,\n\"\",,\n\u{a0},,\nB,y,\n,,\n",
        ";;;\nsku;name;;\nA;x;;\nB;y;;\n",
        "\u{feff}\u{feff}sku,name\nA,x\nB,y\n",
        "\u{feff}\"sku\",\"name\"\r\"A\",\"x\"\r\"B\",\"y\"\r",
    ] {
        assert_eq!(skus_of(text.as_bytes()), ["A", "B"], "{text:?}");
    }
}

#[test]
fn values_without_a_column_are_reported() {
    assert_problems(
        table("sku,name,,price\nA,x,,1\nB,y,lost,1\n"),
        &[(
            "line 3",
            "cell 3 has `lost`, but the header has no name for this column",
        )],
    );
    assert_problems(
        table("sku,name\nA,x,,z\n"),
        &[(
            "line 2",
            "4 cells, and the header has 2; put a text with separators in quotes",
        )],
    );
    // A footer below the table is a row, and not a variant.
    assert_problems(
        table("sku,name,,\nA,x,,\n,,,\n,,Total,2\n"),
        &[("line 4", "cell 3 has `Total`")],
    );
}
