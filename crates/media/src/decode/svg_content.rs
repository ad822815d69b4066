//! Elements of an SVG: the decoder leaves out text and references without a word.

use pressline_domain::media::{BoxSize, UnreadableReason};
use resvg::usvg::roxmltree::{Document, Node};

use super::job::damaged;

/// Maximum depth of elements. Drawing programs nest about 20 deep; decoders recurse.
const DEPTH: u32 = 128;

#[derive(Debug, Default)]
pub(super) struct SvgContent {
    /// Whether an element, style or instruction names a file elsewhere.
    pub(super) has_external_reference: bool,
    /// Whether there is text that is not converted to outlines.
    pub(super) has_text: bool,
    /// Size of the view box of the outermost element; `None` if it has no usable one.
    pub(super) view_box: Option<BoxSize>,
    /// Whether the outermost element states width and height that do not depend on a page.
    pub(super) has_size: bool,
}

impl SvgContent {
    /// Visits all nodes of `document`, without recursion.
    ///
    /// # Errors
    /// The elements are nested too deep.
    pub(super) fn of(document: &Document<'_>) -> Result<Self, UnreadableReason> {
        let root = document.root_element();
        let is_length = |name| {
            let length = root.attribute(name);
            length.is_some_and(|length| !length.trim_end().ends_with('%'))
        };
        let mut content = Self {
            view_box: root.attribute("viewBox").and_then(view_box),
            has_size: is_length("width") && is_length("height"),
            ..Self::default()
        };
        let mut node = document.root();
        let mut depth = 0;
        loop {
            content.visit(node);
            if let Some(child) = node.first_child() {
                depth += 1;
                if depth > DEPTH {
                    let message = format!("elements are nested more than {DEPTH} deep");
                    return Err(damaged(message));
                }
                node = child;
                continue;
            }
            // The next node is a sibling, or one of the nearest element that has one.
            loop {
                if let Some(next) = node.next_sibling() {
                    node = next;
                    break;
                }
                let Some(parent) = node.parent() else {
                    return Ok(content);
                };
                depth -= 1;
                node = parent;
            }
        }
    }

    fn visit(&mut self, node: Node<'_, '_>) {
        if let Some(instruction) = node.pi() {
            self.has_external_reference |= instruction.target == "xml-stylesheet";
        }
        if node.is_text() {
            self.visit_text(node);
        }
        // Links are not part of the picture.
        let is_link = node.tag_name().name() == "a";
        for attribute in node.attributes() {
            let value = attribute.value();
            self.has_external_reference |= match attribute.name() {
                "href" => !is_link && is_external(value),
                _ => names_external_url(value),
            };
        }
    }

    fn visit_text(&mut self, node: Node<'_, '_>) {
        let text = node.text().unwrap_or_default();
        let parent = node.parent().map(|parent| parent.tag_name().name());
        match parent {
            Some("text" | "tspan" | "textPath" | "tref" | "flowPara" | "flowSpan") => {
                self.has_text |= !text.trim().is_empty();
            }
            Some("style") => {
                self.has_external_reference |= text.contains("@import") || names_external_url(text);
            }
            _ => {}
        }
    }
}

fn is_external(reference: &str) -> bool {
    let reference = reference.trim();
    !(reference.is_empty() || reference.starts_with('#') || reference.starts_with("data:"))
}

/// Returns whether a style contains `url(…)` of something elsewhere.
fn names_external_url(style: &str) -> bool {
    let mut parts = style.split("url(").skip(1);
    parts.any(|part| is_external(part.trim_start_matches([' ', '"', '\''])))
}

/// Reads `x y width height`, separated by spaces or commas.
fn view_box(text: &str) -> Option<BoxSize> {
    let numbers = text.split(|letter: char| letter == ',' || letter.is_whitespace());
    let numbers = numbers.filter(|number| !number.is_empty());
    let numbers: Option<Vec<f64>> = numbers.map(|number| number.parse().ok()).collect();
    let [_, _, width, height] = numbers?.try_into().ok()?;
    let is_size = |length: f64| length.is_finite() && length > 0.0;
    (is_size(width) && is_size(height)).then_some(BoxSize { width, height })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(elements: &str) -> SvgContent {
        let text = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \
             viewBox='0,0 7.5 9'>{elements}</svg>"
        );
        SvgContent::of(&Document::parse(&text).unwrap()).unwrap()
    }

    #[test]
    fn references_to_other_files_are_noticed_and_links_are_not() {
        let table = [
            ("<image xlink:href='http://127.0.0.1/a.png'/>", true),
            ("<image href='file:///etc/passwd'/>", true),
            ("<image href='a.png'/>", true),
            ("<use href='other.svg#a'/>", true),
            ("<rect fill='url(https://a.example/b#c)'/>", true),
            ("<rect style='fill: url( \"b.svg#c\")'/>", true),
            ("<style>@import 'a.css';</style>", true),
            ("<style>rect { fill: url('a.svg#b') }</style>", true),
            ("<?xml-stylesheet href='a.css'?>", true),
            ("<image href='data:image/png;base64,AAAA'/>", false),
            ("<use href='#a'/><rect fill='url(#a)'/>", false),
            ("<a href='https://a.example'><rect/></a>", false),
        ];
        for (elements, expected) in table {
            assert_eq!(
                content(elements).has_external_reference,
                expected,
                "{elements}"
            );
        }
    }

    #[test]
    fn text_and_view_box_are_read() {
        assert!(content("<text><tspan>a</tspan></text>").has_text);
        assert!(!content("<title>a</title><text> </text><path/>").has_text);
        let size = BoxSize {
            width: 7.5,
            height: 9.0,
        };
        assert_eq!(content("").view_box, Some(size));
        assert_eq!(view_box("0 0 0 9"), None);
        assert_eq!(view_box("0 0 NaN 9"), None);
    }

    #[test]
    fn nesting_is_bounded() {
        let deep = |depth| format!("{}{}", "<g>".repeat(depth), "</g>".repeat(depth));
        let result = |depth| SvgContent::of(&Document::parse(&deep(depth)).unwrap()).map(drop);
        assert!(result(128).is_ok());
        assert!(result(129).is_err());
    }
}
