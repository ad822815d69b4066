//! Colour profiles: their names, and conversion of small images to sRGB.

use moxcms::{ColorProfile, DataColorSpace, Layout, ProfileText, TransformOptions};
use pressline_domain::media::FileFacts;

/// Maximum size of a profile, in bytes; larger profiles are ignored. Profiles for print have 0.5 to 2 MB.
pub(crate) const PROFILE_BYTES: usize = 4 * 1024 * 1024;

/// ICC profile of a file.
pub(crate) struct Profile(ColorProfile);

impl Profile {
    /// Parses `data`; `None` if it is damaged or too large, which does not make a file unreadable.
    pub(crate) fn read(data: &[u8]) -> Option<Self> {
        if data.len() > PROFILE_BYTES {
            return None;
        }
        ColorProfile::new_from_slice(data).ok().map(Self)
    }

    /// Returns the description, shortened to [`FileFacts::PROFILE_NAME`] characters; empty if there
    /// is none.
    pub(crate) fn name(&self) -> String {
        let text = match &self.0.description {
            Some(ProfileText::PlainString(text)) => text.as_str(),
            Some(ProfileText::Localizable(texts)) => {
                let english = texts.iter().find(|text| text.language == "en");
                let text = english.or_else(|| texts.first());
                text.map_or("", |text| text.value.as_str())
            }
            Some(ProfileText::Description(text)) => text.ascii_string.as_str(),
            None => "",
        };
        let printable = text.chars().filter(|letter| !letter.is_control());
        let name: String = printable.take(FileFacts::PROFILE_NAME).collect();
        name.trim().to_owned()
    }

    /// Converts the colours of `pixels`, whose alpha stays. Leaves them as they are if the profile
    /// is not one of RGB.
    pub(crate) fn rgb_to_srgb(&self, pixels: &mut [[u8; 4]]) {
        if self.0.color_space == DataColorSpace::Rgb
            && let Some(converted) = self.converted(pixels.as_flattened())
        {
            pixels.as_flattened_mut().copy_from_slice(&converted);
        }
    }

    /// Converts pixels of four channels to pixels of four channels.
    fn converted(&self, samples: &[u8]) -> Option<Vec<u8>> {
        let options = TransformOptions::default();
        let srgb = ColorProfile::new_srgb();
        let transform = self
            .0
            .create_transform_8bit(Layout::Rgba, &srgb, Layout::Rgba, options)
            .ok()?;
        let mut converted = vec![0; samples.len()];
        transform.transform(samples, &mut converted).ok()?;
        Some(converted)
    }
}

/// Converts amounts of ink to opaque sRGB, by `profile` if it is one of CMYK, else by mixing ideal
/// inks, which are brighter than the inks of a press.
pub(crate) fn inks_to_srgb(inks: &[[u8; 4]], profile: Option<&Profile>) -> Vec<[u8; 4]> {
    let profile = profile.filter(|profile| profile.0.color_space == DataColorSpace::Cmyk);
    let converted = profile.and_then(|profile| profile.converted(inks.as_flattened()));
    match converted {
        Some(samples) => {
            let (pixels, _) = samples.as_chunks();
            let opaque = |[red, green, blue, _]: &[u8; 4]| [*red, *green, *blue, 255];
            pixels.iter().map(opaque).collect()
        }
        None => inks.iter().map(ideal).collect(),
    }
}

fn ideal([cyan, magenta, yellow, black]: &[u8; 4]) -> [u8; 4] {
    let light = |ink: u8| {
        let product = u32::from(255 - ink) * u32::from(255 - black);
        u8::try_from((product + 127) / 255).unwrap_or(u8::MAX)
    };
    [light(*cyan), light(*magenta), light(*yellow), 255]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_of_rgb_converts_rgb_and_keeps_alpha() {
        let data = ColorProfile::new_adobe_rgb().encode().unwrap();
        let profile = Profile::read(&data).unwrap();
        let mut pixels = vec![[0, 255, 0, 7], [128, 128, 128, 255]];
        profile.rgb_to_srgb(&mut pixels);
        // Green of Adobe RGB is outside of sRGB; gray stays gray.
        assert_eq!(pixels[0], [0, 255, 0, 7]);
        assert!(pixels[1][0].abs_diff(128) < 3, "{pixels:?}");
        assert!(profile.name().contains("Adobe"), "{}", profile.name());
    }

    #[test]
    fn inks_without_a_profile_mix_ideally() {
        let inks = [[0, 0, 0, 0], [255, 0, 0, 0], [0, 0, 0, 255], [0, 128, 0, 0]];
        let pixels = [
            [255, 255, 255, 255],
            [0, 255, 255, 255],
            [0, 0, 0, 255],
            [255, 127, 255, 255],
        ];
        assert_eq!(inks_to_srgb(&inks, None), pixels);
    }

    #[test]
    fn damaged_profiles_are_ignored() {
        let data = ColorProfile::new_srgb().encode().unwrap();
        assert!(Profile::read(&data[..100]).is_none());
        assert!(Profile::read(&vec![0; PROFILE_BYTES + 1]).is_none());
    }
}
