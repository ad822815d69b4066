//! PDF: boxes, fonts and images; passwords and endless nesting.

use super::case::Case;

pub(super) fn cases() -> Vec<Case> {
    let page = "/MediaBox [0 0 612 792] /TrimBox [9 9 603 783]";
    vec![
        Case::header(
            "plain.pdf",
            pdf(page, "", "0 0 1 rg 100 100 200 200 re f"),
            r#"{"format": "pdf", "pages": 1, "unreadable": null, "width": null, "externalReference": false,
                "pdf": {"mediaBox": {"width": 215.9, "height": 279.4}, "bleedBox": null,
                    "trimBox": {"width": 209.55, "height": 273.05}, "fontsEmbedded": true,
                    "lowestImageDpi": null, "encrypted": false, "version": "1.7"}}"#,
        ),
        Case::header(
            "turned.pdf",
            pdf("/MediaBox [0 0 72 144] /Rotate 90 /UserUnit 2", "", ""),
            r#"{"pdf": {"mediaBox": {"width": 101.6, "height": 50.8}}}"#,
        ),
        Case::header(
            "font.pdf",
            pdf(page, FONT, "BT /F 12 Tf (Text) Tj ET"),
            r#"{"pdf": {"fontsEmbedded": false}}"#,
        ),
        Case::header(
            "unused-font.pdf",
            pdf(page, FONT, "BT /F 12 Tf ET"),
            r#"{"pdf": {"fontsEmbedded": true}}"#,
        ),
        Case::header(
            "invisible-text.pdf",
            pdf(page, FONT, "BT /F 12 Tf 3 Tr (Text) Tj ET"),
            r#"{"pdf": {"fontsEmbedded": true}}"#,
        ),
        Case::header(
            "image.pdf",
            // 300 pixels over 144 points, drawn by a form that halves sizes.
            pdf(
                page,
                "/XObject << /Form 5 0 R >>",
                "q 288 0 0 288 0 0 cm /Form Do Q",
            ),
            r#"{"pdf": {"lowestImageDpi": 150.0}}"#,
        ),
        Case::header(
            "other-file.pdf",
            pdf(page, "/XObject << /Other 7 0 R >>", "/Other Do"),
            r#"{"externalReference": true}"#,
        ),
        Case::unreadable(
            "password.pdf",
            with_password(),
            r#"{"unreadable": {"reason": "password_required"}}"#,
        ),
        Case::unreadable(
            "deep.pdf",
            deep(),
            r#"{"format": "pdf", "unreadable": {"reason": "damaged"}}"#,
        ),
        Case::unreadable(
            "nonsense.pdf",
            b"%PDF-1.7\nnothing else".to_vec(),
            r#"{"format": "pdf", "unreadable": {"reason": "damaged"}}"#,
        ),
    ]
}

const FONT: &str = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";

/// A document of one page; objects 5 to 7 are a form, its image, and a stream of another file.
fn pdf(page: &str, resources: &str, content: &str) -> Vec<u8> {
    let page = format!(
        "<< /Type /Page /Parent 2 0 R {page} /Resources << {resources} >> /Contents 4 0 R >>"
    );
    let other = resources.contains("/Other").then_some(
        "<< /Type /XObject /Subtype /Image /Width 9 /Height 9 /F (other.bin) /Length 0 >>\nstream\n\nendstream",
    );
    document(
        &[
            "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
            page,
            stream("", content),
            stream(
                "/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Matrix [.5 0 0 .5 0 0] \
                 /Resources << /XObject << /Image 6 0 R >> >>",
                "/Image Do",
            ),
            stream(
                "/Type /XObject /Subtype /Image /Width 300 /Height 300 /BitsPerComponent 8 \
                 /ColorSpace /DeviceGray",
                &"0".repeat(90_000),
            ),
            other.unwrap_or("null").to_owned(),
        ],
        "",
    )
}

fn stream(entries: &str, content: &str) -> String {
    let length = content.len();
    format!("<< {entries} /Length {length} >>\nstream\n{content}\nendstream")
}

fn with_password() -> Vec<u8> {
    let encryption = format!(
        "/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <{0}> /U <{0}> >> \
         /ID [<00> <00>]",
        "5a".repeat(32)
    );
    document(
        &[
            "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 72 72] >>".to_owned(),
        ],
        &encryption,
    )
}

fn deep() -> Vec<u8> {
    let nested = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    document(&[format!("<< /Type /Catalog /Pages {nested} >>")], "")
}

fn document(objects: &[String], trailer: &str) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    for (number, object) in (1..).zip(objects) {
        offsets.push(bytes.len());
        bytes.extend(format!("{number} 0 obj\n{object}\nendobj\n").into_bytes());
    }
    let start = bytes.len();
    let size = objects.len() + 1;
    let mut end = format!("xref\n0 {size}\n0000000000 65535 f \n");
    for offset in offsets {
        end.push_str(&format!("{offset:010} 00000 n \n"));
    }
    end.push_str(&format!(
        "trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n"
    ));
    bytes.extend(end.into_bytes());
    bytes
}
