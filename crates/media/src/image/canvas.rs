//! Pixels of a file on their way from the decoder to facts and a picture.

use pressline_domain::media::{FileFacts, PixelBounds};

use super::cells::Cells;
use super::light::{Light, to_byte};
use super::picture::Picture;
use super::survey::Survey;
use crate::profile::Profile;

/// Order of the samples of a pixel; each has 8 bits. Colours are not multiplied by alpha.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    Gray,
    GrayAlpha,
    Rgb,
    Rgba,
    /// Amounts of ink: 0 leaves the paper white.
    Cmyk,
    CmykAlpha,
}

impl Layout {
    pub(crate) fn channels(self) -> usize {
        match self {
            Self::Gray => 1,
            Self::GrayAlpha => 2,
            Self::Rgb => 3,
            Self::Rgba | Self::Cmyk => 4,
            Self::CmykAlpha => 5,
        }
    }

    pub(crate) fn has_alpha(self) -> bool {
        matches!(self, Self::GrayAlpha | Self::Rgba | Self::CmykAlpha)
    }
}

/// Takes the rows of an image in any order, and keeps only what a preview needs.
pub(crate) struct Canvas {
    layout: Layout,
    cells: Cells,
    survey: Survey,
    light: Light,
}

impl Canvas {
    /// Returns a canvas for `width` x `height` pixels that makes a picture of up to `longest` pixels.
    pub(crate) fn new(width: u32, height: u32, layout: Layout, longest: u32) -> Self {
        Self {
            layout,
            cells: Cells::new(width, height, layout.channels(), longest),
            survey: Survey::new(width, height, layout.has_alpha()),
            light: Light::tables(),
        }
    }

    /// Adds `samples` of row `y`; the pixels are at `start`, `start + step` and so on.
    pub(crate) fn add_row(&mut self, y: u32, start: u32, step: u32, samples: &[u8]) {
        let light = self.light;
        let linear = move |value| light.linear(value);
        match self.layout {
            Layout::Gray => self.add(y, start, step, samples, |[gray]| [linear(gray)]),
            Layout::Rgb => self.add(y, start, step, samples, |rgb: [u8; 3]| rgb.map(linear)),
            // Amounts of ink are shares of the area, so that their means are right as they are.
            Layout::Cmyk => self.add(y, start, step, samples, |inks: [u8; 4]| inks.map(share)),
            Layout::GrayAlpha => self.add(y, start, step, samples, |[gray, alpha]| {
                let alpha = share(alpha);
                [linear(gray) * alpha, alpha]
            }),
            Layout::Rgba => self.add(y, start, step, samples, |[red, green, blue, alpha]| {
                let alpha = share(alpha);
                let [red, green, blue] = [red, green, blue].map(|value| linear(value) * alpha);
                [red, green, blue, alpha]
            }),
            Layout::CmykAlpha => self.add(y, start, step, samples, |[c, m, y, k, alpha]| {
                let alpha = share(alpha);
                let [c, m, y, k] = [c, m, y, k].map(|ink| share(ink) * alpha);
                [c, m, y, k, alpha]
            }),
        }
    }

    fn add<const N: usize>(
        &mut self,
        y: u32,
        start: u32,
        step: u32,
        samples: &[u8],
        convert: impl Fn([u8; N]) -> [f32; N],
    ) {
        let (pixels, _) = samples.as_chunks::<N>();
        self.survey.add_row(y, start, step, pixels);
        let values = pixels.iter().map(|pixel| convert(*pixel));
        self.cells.add_row(y, start, step, values);
    }

    /// Writes the facts about all pixels to `facts`. Turns them and the returned picture upright, by
    /// the orientation in `facts`.
    pub(crate) fn finish(self, facts: &mut FileFacts, profile: Option<&Profile>) -> Picture {
        facts.alpha = Some(self.survey.alpha());
        facts.content = self.survey.content();
        facts.blank = Some(self.survey.is_blank());
        let orientation = facts.orientation.unwrap_or(1);
        let (width, height) = self.survey.size();
        if let Some(content) = facts.content {
            facts.content = Some(upright(content, width, height, orientation));
        }
        self.picture(profile).upright(orientation)
    }

    /// Returns the picture of the rows as they came.
    pub(crate) fn picture(&self, profile: Option<&Profile>) -> Picture {
        let (columns, rows) = self.cells.size();
        Picture::new(columns, rows, self.pixels(profile))
    }

    fn pixels(&self, profile: Option<&Profile>) -> Vec<[u8; 4]> {
        let light = self.light;
        let means = self.cells.means();
        let encode = |value: f32| light.encoded(value);
        let mut pixels: Vec<[u8; 4]> = Vec::with_capacity(means.len() / self.layout.channels());
        match self.layout {
            Layout::Gray => pixels.extend(means.iter().map(|gray| {
                let gray = encode(*gray);
                [gray, gray, gray, 255]
            })),
            Layout::GrayAlpha => pixels.extend(means.as_chunks().0.iter().map(|[gray, alpha]| {
                let gray = encode(unmultiplied(*gray, *alpha));
                [gray, gray, gray, to_byte(*alpha)]
            })),
            Layout::Rgb => pixels.extend(means.as_chunks().0.iter().map(|rgb: &[f32; 3]| {
                let [red, green, blue] = rgb.map(encode);
                [red, green, blue, 255]
            })),
            Layout::Rgba => pixels.extend(means.as_chunks().0.iter().map(|[r, g, b, alpha]| {
                let rgb = [r, g, b].map(|value| encode(unmultiplied(*value, *alpha)));
                let [red, green, blue] = rgb;
                [red, green, blue, to_byte(*alpha)]
            })),
            Layout::Cmyk => {
                let inks = means
                    .as_chunks()
                    .0
                    .iter()
                    .map(|inks: &[f32; 4]| inks.map(to_byte));
                let inks: Vec<[u8; 4]> = inks.collect();
                pixels.extend(crate::profile::inks_to_srgb(&inks, profile));
            }
            Layout::CmykAlpha => {
                let (means, _) = means.as_chunks::<5>();
                let inks = means.iter().map(|[c, m, y, k, alpha]| {
                    [c, m, y, k].map(|ink| to_byte(unmultiplied(*ink, *alpha)))
                });
                let inks: Vec<[u8; 4]> = inks.collect();
                let opaque = crate::profile::inks_to_srgb(&inks, profile);
                pixels.extend(opaque.into_iter().zip(means).map(
                    |([red, green, blue, _], [.., alpha])| [red, green, blue, to_byte(*alpha)],
                ));
            }
        }
        if matches!(self.layout, Layout::Rgb | Layout::Rgba)
            && let Some(profile) = profile
        {
            profile.rgb_to_srgb(&mut pixels);
        }
        pixels
    }
}

fn share(value: u8) -> f32 {
    f32::from(value) / 255.0
}

fn unmultiplied(value: f32, alpha: f32) -> f32 {
    if alpha > 0.0 { value / alpha } else { 0.0 }
}

/// Returns where `bounds` of an image of `width` x `height` pixels are after it was turned upright.
fn upright(bounds: PixelBounds, width: u32, height: u32, orientation: u8) -> PixelBounds {
    let from_right = width.saturating_sub(bounds.x.saturating_add(bounds.width));
    let from_bottom = height.saturating_sub(bounds.y.saturating_add(bounds.height));
    let (x, y) = match orientation {
        2 => (from_right, bounds.y),
        3 => (from_right, from_bottom),
        4 => (bounds.x, from_bottom),
        5 => (bounds.y, bounds.x),
        6 => (from_bottom, bounds.x),
        7 => (from_bottom, from_right),
        8 => (bounds.y, from_right),
        _ => (bounds.x, bounds.y),
    };
    let (width, height) = match orientation {
        5..=8 => (bounds.height, bounds.width),
        _ => (bounds.width, bounds.height),
    };
    PixelBounds {
        x,
        y,
        width,
        height,
    }
}
