//! Print files of a batch, and their file names.

use std::collections::BTreeSet;

use super::batches::BatchView;
use super::produced::ProducedItem;
use pressline_kit::words::fold;

/// Maximum length, in characters, of the print area's name as part of a file name.
const AREA_LEN: usize = 40;

const BY_MEDIA_TYPE: [(&str, &str); 14] = [
    ("application/eps", "eps"),
    ("application/illustrator", "ai"),
    ("application/pdf", "pdf"),
    ("application/postscript", "eps"),
    ("application/zip", "zip"),
    ("image/avif", "avif"),
    ("image/bmp", "bmp"),
    ("image/gif", "gif"),
    ("image/jpeg", "jpg"),
    ("image/png", "png"),
    ("image/svg+xml", "svg"),
    ("image/tiff", "tif"),
    ("image/vnd.adobe.photoshop", "psd"),
    ("image/webp", "webp"),
];

/// File extensions that a file name may take from a URL: formats for presses, cutters and
/// embroidery machines. Other extensions, such as `exe`, become [`UNKNOWN`].
const BY_URL: [&str; 28] = [
    "ai", "avif", "bmp", "cdr", "dst", "dxf", "emb", "eps", "exp", "gif", "heic", "indd", "jef",
    "jpeg", "jpg", "pdf", "pes", "plt", "png", "ps", "psb", "psd", "svg", "tif", "tiff", "webp",
    "xcf", "zip",
];

const UNKNOWN: &str = "bin";

/// A print file of an item in a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintFile {
    /// Code of the item, such as `SUN-1042-1`.
    pub item_code: String,
    /// SKU of the item.
    pub sku: String,
    /// Product name of the item; `None` if it has none.
    pub product: Option<String>,
    /// Name of the print area that the file is for.
    pub area: String,
    /// Number of units of the item that the store ordered.
    pub units: u32,
    /// URL of the file, as the store gave it.
    pub url: String,
    /// Unique among the item's files, ignoring case.
    area_name: String,
}

impl PrintFile {
    /// Returns the file name `<item code>_<area>_x<units>.<ending>`. The ending is the file
    /// extension for `media_type`, or else the extension in the URL. The name has only ASCII
    /// letters, digits, hyphens, underscores and one dot, whatever the URL is.
    pub fn name(&self, media_type: Option<&str>) -> String {
        let ending = ending(media_type, &self.url);
        let (code, area) = (&self.item_code, &self.area_name);
        format!("{code}_{area}_x{}.{ending}", self.units)
    }
}

impl BatchView {
    /// Returns the items to produce, in the order of `lines`: all items without an `Exclusion`.
    pub fn produced(&self) -> impl Iterator<Item = &ProducedItem> {
        let lines = self.lines.iter().filter(|line| line.taken_out().is_none());
        lines.filter_map(|line| line.item.as_deref())
    }

    /// Returns the print files of all items that [`BatchView::produced`] returns.
    pub fn print_files(&self) -> Vec<PrintFile> {
        self.produced().flat_map(files_of).collect()
    }

    /// Returns the items of [`BatchView::produced`] that have no print file.
    pub fn without_files(&self) -> impl Iterator<Item = &ProducedItem> {
        self.produced().filter(|item| files_of(item).is_empty())
    }
}

fn files_of(item: &ProducedItem) -> Vec<PrintFile> {
    let mut files = Vec::new();
    let mut taken = BTreeSet::new();
    for of_area in item.line.files() {
        let area = of_area.area;
        for url in of_area.file_urls {
            files.push(PrintFile {
                item_code: item.code(),
                sku: item.line.sku.clone(),
                product: item.line.name.clone(),
                area: area.name.clone(),
                units: item.line.quantity,
                url: url.to_owned(),
                area_name: unused(&area_name(&area.name, &area.id), &mut taken),
            });
        }
    }
    files
}

fn unused(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut unused = name.to_owned();
    let mut number = 1;
    // Files of the same item must not overwrite each other.
    while !taken.insert(unused.clone()) {
        number += 1;
        unused = format!("{name}-{number}");
    }
    unused
}

fn area_name(name: &str, id: &str) -> String {
    // A name without Latin letters or digits has no safe form: the area's `id` is used instead.
    let mut safe = [name, id].into_iter().map(safe);
    safe.find(|text| !text.is_empty())
        .unwrap_or_else(|| "area".to_owned())
}

/// Returns the ASCII words of `text` in lower case, joined by hyphens; up to [`AREA_LEN`].
fn safe(text: &str) -> String {
    let folded = fold(text);
    let words: Vec<&str> = folded
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let joined = words.join("-");
    let cut = joined.get(..AREA_LEN).unwrap_or(&joined);
    // Cutting can leave a hyphen at the end.
    cut.trim_end_matches('-').to_owned()
}

/// Returns the extension for `media_type`, else the extension in `url` if it is in [`BY_URL`].
fn ending(media_type: Option<&str>, url: &str) -> &'static str {
    // Parameters of the media type do not matter.
    let essence = media_type
        .and_then(|text| text.split(';').next())
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let by_type = BY_MEDIA_TYPE.iter().find(|(name, _)| *name == essence);
    if let Some((_, ending)) = by_type {
        return ending;
    }
    // Query and fragment are not part of the path.
    let address = url.split(['?', '#']).next().unwrap_or_default();
    let rest = address.split_once("://").map_or("", |(_, rest)| rest);
    // Without a path, the text after the last dot is the end of a host name.
    let last = rest.rsplit_once('/').map_or("", |(_, last)| last);
    let given = last.rsplit_once('.').map_or("", |(_, ending)| ending);
    let mut known = BY_URL.into_iter();
    known
        .find(|known| given.eq_ignore_ascii_case(known))
        .unwrap_or(UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(area: &str, url: &str) -> PrintFile {
        PrintFile {
            item_code: "SUN-1042-1".to_owned(),
            sku: "TEE".to_owned(),
            product: None,
            area: area.to_owned(),
            units: 2,
            url: url.to_owned(),
            area_name: area_name(area, "1"),
        }
    }

    #[test]
    fn the_media_type_decides_about_the_ending_and_then_the_url() {
        for (media_type, url, ending) in [
            (Some("image/png"), "https://x/a", "png"),
            (Some("IMAGE/JPEG; q=1"), "https://x/a.png", "jpg"),
            (
                Some("application/octet-stream"),
                "https://x/a.PDF?v=1.exe",
                "pdf",
            ),
            (None, "https://x/a.tiff#b", "tiff"),
            (None, "https://x/a.exe", "bin"),
            (None, "https://x/a.html", "bin"),
            (None, "https://x.png", "bin"),
            (None, "https://x/a.b/c", "bin"),
            (None, "", "bin"),
        ] {
            let name = file("Front", url).name(media_type);
            assert_eq!(name, format!("SUN-1042-1_front_x2.{ending}"), "{url}");
        }
    }

    #[test]
    fn names_are_safe_for_any_area_and_url() {
        for (area, shown) in [
            ("Mặt trước", "mat-truoc"),
            ("../../etc/passwd", "etc-passwd"),
            ("C:\\CON", "c-con"),
            ("前面", "1"),
            ("a_b\u{202e}\n", "a-b"),
            ("<script>", "script"),
        ] {
            let name = file(area, "https://x/..%2F..%2Fa.png?x=/../b.sh").name(None);
            assert_eq!(name, format!("SUN-1042-1_{shown}_x2.png"), "{area}");
        }
        let long = file(&"x".repeat(300), "").name(None);
        assert!(long.len() < 80, "{long}");
        assert_eq!(area_name("前面", "前"), "area");
    }

    #[test]
    fn the_same_area_twice_has_two_names() {
        let mut taken = BTreeSet::new();
        let names = ["front", "front", "front-2", "front"].map(|name| unused(name, &mut taken));
        assert_eq!(names, ["front", "front-2", "front-2-2", "front-3"]);
    }
}
