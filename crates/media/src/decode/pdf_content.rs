//! Fonts and images of a PDF page, by its operators: resources also name what is never shown.

use hayro_syntax::Pdf;
use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction;
use hayro_syntax::object::{Array, Dict, Name, Object, Stream};
use hayro_syntax::page::{Page, Resources};

/// Maximum depth of forms in forms. Layout programs nest about 5 deep.
const DEPTH: usize = 12;
/// Maximum number of operators, also of forms that are used again and again. Maps have 10 million.
const OPERATORS: u32 = 20_000_000;
/// Mode of text that is not drawn, such as that of recognised scans.
const INVISIBLE: f64 = 3.0;

/// Matrix of a transformation, in the order of the operator `cm`.
type Matrix = [f64; 6];

const IDENTITY: Matrix = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];

/// Fonts and images that the operators of a page use. Patterns and annotations are not followed.
#[derive(Debug)]
pub(super) struct PageContent {
    /// Whether all fonts of shown text are embedded; `None` if not all operators were read.
    pub(super) fonts_embedded: Option<bool>,
    /// Lowest resolution of an image, in pixels per inch; `None` without images.
    pub(super) lowest_image_dpi: Option<f64>,
    operators: u32,
    /// Inches per unit of the page.
    unit: f64,
}

#[derive(Clone)]
struct State<'a> {
    matrix: Matrix,
    font: Option<Dict<'a>>,
    is_invisible: bool,
}

impl PageContent {
    /// Reads the operators of `page`, whose unit is `unit` inches long.
    pub(super) fn of(page: &Page<'_>, unit: f64) -> Self {
        let mut content = Self {
            fonts_embedded: Some(true),
            lowest_image_dpi: None,
            operators: 0,
            unit,
        };
        let state = State {
            matrix: IDENTITY,
            font: None,
            is_invisible: false,
        };
        content.read(page.typed_operations(), page.resources(), state, 0);
        content
    }

    fn read<'a>(
        &mut self,
        mut operators: TypedIter<'_>,
        resources: &Resources<'a>,
        start: State<'a>,
        depth: usize,
    ) {
        let mut state = start;
        let mut saved: Vec<State<'a>> = Vec::new();
        while let Some(operator) = operators.next() {
            self.operators += 1;
            if self.operators > OPERATORS {
                self.fonts_embedded = None;
                return;
            }
            match operator {
                TypedInstruction::SaveState(_) => saved.push(state.clone()),
                TypedInstruction::RestoreState(_) => {
                    if let Some(restored) = saved.pop() {
                        state = restored;
                    }
                }
                TypedInstruction::Transform(cm) => {
                    let matrix = [&cm.0, &cm.1, &cm.2, &cm.3, &cm.4, &cm.5];
                    state.matrix = multiply(matrix.map(|value| value.as_f64()), state.matrix);
                }
                TypedInstruction::TextFont(font) => state.font = resources.get_font(font.0),
                TypedInstruction::TextRenderingMode(mode) => {
                    state.is_invisible = mode.0.as_f64() == INVISIBLE;
                }
                TypedInstruction::ShowText(_)
                | TypedInstruction::ShowTexts(_)
                | TypedInstruction::NextLineAndShowText(_)
                | TypedInstruction::ShowTextWithParameters(_) => self.show_text(&state),
                TypedInstruction::InlineImage(image) => {
                    self.show_image(image.0.dict(), ["W", "H"], state.matrix);
                }
                TypedInstruction::XObject(name) => {
                    self.show_object(name.0, resources, &state, depth);
                }
                _ => {}
            }
        }
    }

    fn show_object<'a>(
        &mut self,
        name: &Name<'_>,
        resources: &Resources<'a>,
        state: &State<'a>,
        depth: usize,
    ) {
        let Some(object) = resources.get_x_object(name) else {
            return;
        };
        let kind = object.dict().get::<Name<'_>>("Subtype");
        match kind.as_ref().map(Name::as_str) {
            Some("Image") => self.show_image(object.dict(), ["Width", "Height"], state.matrix),
            Some("Form") if depth < DEPTH => self.show_form(&object, resources, state, depth),
            // Deeper forms may use any font.
            Some("Form") => self.fonts_embedded = None,
            _ => {}
        }
    }

    fn show_form<'a>(
        &mut self,
        form: &Stream<'a>,
        resources: &Resources<'a>,
        state: &State<'a>,
        depth: usize,
    ) {
        let Ok(content) = form.decoded_data() else {
            return;
        };
        let own = form.dict().get::<Dict<'a>>("Resources").map(Resources::new);
        let numbers = form.dict().get::<Array<'a>>("Matrix");
        let numbers = numbers.map(|numbers| numbers.iter::<f64>().collect::<Vec<f64>>());
        let matrix: Option<Matrix> = numbers.and_then(|numbers| numbers.try_into().ok());
        let mut inner = state.clone();
        inner.matrix = multiply(matrix.unwrap_or(IDENTITY), state.matrix);
        let operators = TypedIter::new(&content);
        self.read(
            operators,
            own.as_ref().unwrap_or(resources),
            inner,
            depth + 1,
        );
    }

    fn show_text(&mut self, state: &State<'_>) {
        let is_embedded = || state.font.as_ref().is_some_and(is_embedded);
        if self.fonts_embedded == Some(true) && !state.is_invisible && !is_embedded() {
            self.fonts_embedded = Some(false);
        }
    }

    fn show_image(&mut self, image: &Dict<'_>, keys: [&str; 2], matrix: Matrix) {
        let [width, height] = keys.map(|key| image.get::<f64>(key).unwrap_or_default());
        // Images of one column or row are colours and gradients, which may be stretched.
        if width <= 1.0 || height <= 1.0 {
            return;
        }
        // An image fills the square from 0 to 1.
        let [a, b, c, d, ..] = matrix;
        let (across, down) = (a.hypot(b) * self.unit, c.hypot(d) * self.unit);
        let dpi = (width / across).min(height / down);
        let is_lower = self.lowest_image_dpi.is_none_or(|lowest| dpi < lowest);
        if dpi.is_finite() && is_lower {
            self.lowest_image_dpi = Some((dpi * 10.0).round() / 10.0);
        }
    }
}

/// Returns the matrix that applies `first` and then `second`.
fn multiply([a, b, c, d, e, f]: Matrix, second: Matrix) -> Matrix {
    let [sa, sb, sc, sd, se, sf] = second;
    [
        a * sa + b * sc,
        a * sb + b * sd,
        c * sa + d * sc,
        c * sb + d * sd,
        e * sa + f * sc + se,
        e * sb + f * sd + sf,
    ]
}

fn is_embedded(font: &Dict<'_>) -> bool {
    let kind = font.get::<Name<'_>>("Subtype");
    let descriptor = |font: &Dict<'_>| {
        let descriptor = font.get::<Dict<'_>>("FontDescriptor");
        descriptor.is_some_and(|descriptor| {
            let files = ["FontFile", "FontFile2", "FontFile3"];
            files.iter().any(|file| descriptor.contains_key(file))
        })
    };
    match kind.as_ref().map(Name::as_str) {
        // Its letters are drawings in the file.
        Some("Type3") => true,
        Some("Type0") => {
            let inner = font.get::<Array<'_>>("DescendantFonts");
            let inner = inner.and_then(|fonts| fonts.iter::<Dict<'_>>().next());
            inner.as_ref().is_some_and(descriptor)
        }
        _ => descriptor(font),
    }
}

/// Returns whether the content of a stream is in another file. Links and attachments do not count.
pub(super) fn names_files(pdf: &Pdf) -> bool {
    pdf.objects().into_iter().any(|object| match object {
        Object::Stream(stream) => {
            stream.dict().contains_key("F") || stream.dict().contains_key("Ref")
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transformations_are_applied_in_order() {
        let scale = [2.0, 0.0, 0.0, 3.0, 0.0, 0.0];
        let shift = [1.0, 0.0, 0.0, 1.0, 10.0, 20.0];
        assert_eq!(multiply(scale, shift), [2.0, 0.0, 0.0, 3.0, 10.0, 20.0]);
        assert_eq!(multiply(shift, scale), [2.0, 0.0, 0.0, 3.0, 20.0, 60.0]);
    }
}
