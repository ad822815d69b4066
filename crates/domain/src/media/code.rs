//! Codes of file problems: one table, from which the documentation is generated.

use std::fmt;

pressline_kit::named! {
    /// How serious a file problem is. Not the severity of an issue in a request.
    #[derive(PartialOrd, Ord)]
    pub enum ProblemSeverity {
        /// Worth knowing; has no effect on the verdict.
        Info = "info",
        /// The file can be printed, but perhaps not as intended.
        Warning = "warning",
        /// The file should not be printed.
        Error = "error",
    }
}

struct Description {
    name: &'static str,
    severity: ProblemSeverity,
    is_acceptable: bool,
    meaning: &'static str,
    remedy: &'static str,
}

/// Defines [`ProblemCode`] by a table of codes. The columns of a row are name, severity,
/// `acceptable` (errors only: the store may take the problem upon itself), meaning and remedy.
macro_rules! codes {
    ($($code:ident $name:literal $severity:ident $($acceptable:ident)? $meaning:literal
        remedy $remedy:literal;)*) => {
        /// Kind of a file problem, for programs.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum ProblemCode {
            $(#[doc = $meaning] $code),*
        }

        impl ProblemCode {
            /// All codes, in the order of their definition.
            pub const ALL: &[Self] = &[$(Self::$code),*];

            const fn description(self) -> Description {
                match self {
                    $(Self::$code => Description {
                        name: $name,
                        severity: ProblemSeverity::$severity,
                        is_acceptable: codes!(@is_acceptable $($acceptable)?),
                        meaning: $meaning,
                        remedy: $remedy,
                    }),*
                }
            }
        }
    };
    (@is_acceptable) => { false };
    (@is_acceptable acceptable) => { true };
}

codes! {
    Unreachable "unreachable" Error
        "The file could not be fetched, even by repeated attempts. The message says which step failed."
        remedy "Serve the file at this address, and have it checked again; or send another address.";
    NotAFile "not_a_file" Error
        "The address shows a web page, such as a page to share a file; or the host answers 401, 403, 404 or 410."
        remedy "Send the address of the file itself, which needs no sign-in.";
    TooLarge "too_large" Error
        "The file has more bytes than the print area or the service allows."
        remedy "Send a smaller file: fewer pixels, or stronger compression.";
    EmptyFile "empty_file" Error
        "The file has no bytes."
        remedy "Upload the file again.";
    Unreadable "unreadable" Error
        "The content cannot be read: it is damaged, needs a password, or exceeds a bound, which the message names."
        remedy "Save the file again, without a password and within the bound.";
    WrongFormat "wrong_format" Error
        "The print area does not take this format. The format follows from the content, not from the file's name."
        remedy "Save the file in one of the formats that the message names.";
    LowResolution "low_resolution" Warning
        "The effective dpi are below the `dpi` of the print area."
        remedy "Send the size in pixels that the message names.";
    VeryLowResolution "very_low_resolution" Error acceptable
        "The effective dpi are below the `minDpi` of the print area."
        remedy "Send the size in pixels that the message names.";
    WrongProportions "wrong_proportions" Warning
        "The proportions differ from the print area's by more than its `aspectTolerance`."
        remedy "Send the proportions that the message names.";
    VeryWrongProportions "very_wrong_proportions" Error acceptable
        "The proportions differ by more than ten times the tolerance, and by more than 10 %."
        remedy "Send the proportions that the message names.";
    Rotated "rotated" Warning
        "The file fits the print area only if it is turned by 90 degrees."
        remedy "Turn the file.";
    AlphaMissing "alpha_missing" Error acceptable
        "The print area needs a transparent background, and no pixel is transparent. Only judged of raster files."
        remedy "Remove the background, and save the file in a format with transparency, such as PNG.";
    AlphaPresent "alpha_present" Error acceptable
        "The print area takes no transparency, and pixels are transparent. Only judged of raster files."
        remedy "Put the design on a background.";
    WrongColour "wrong_colour" Error acceptable
        "The print area does not take the file's colour model. A palette counts as RGB."
        remedy "Convert the file to one of the colour models that the message names.";
    Blank "blank" Error acceptable
        "All pixels are transparent, or have one colour."
        remedy "Send the file with the design.";
    SeveralPages "several_pages" Warning
        "The file has more than one page; only the first page is used."
        remedy "Send a file with one page for each print area.";
    Animated "animated" Warning
        "The file is an animation; its first frame is used."
        remedy "Send a still picture.";
    TextNotOutlined "text_not_outlined" Error acceptable
        "An SVG has text, or a PDF has text in fonts that it does not contain. It would be printed in other fonts."
        remedy "Convert text to outlines, or embed the fonts of the PDF.";
    ExternalReference "external_reference" Error acceptable
        "An SVG or a PDF names files elsewhere. They are not loaded."
        remedy "Embed the files.";
    NoProfile "no_profile" Warning
        "A raster file in CMYK has no ICC profile, so its colours are a guess."
        remedy "Save the file with its profile.";
    SmallArt "small_art" Info
        "The rectangle around all pixels that are not transparent covers less than a quarter of the file."
        remedy "Enlarge the design, if it is meant to fill the print area.";
    Oversized "oversized" Info
        "The file has more than four times as many pixels as the print area needs."
        remedy "Send fewer pixels: the file is fetched faster, and printed the same.";
    NotFullyChecked "not_fully_checked" Info
        "Only the header of the file was read, so that its pixels were not checked."
        remedy "Send another format, or fewer pixels, to have them checked.";
    LabelFormat "label_format" Error
        "The prepared label is neither a PDF nor a PNG."
        remedy "Send the label as PDF or PNG.";
    LabelPages "label_pages" Warning
        "The prepared label does not have exactly one page."
        remedy "Send a file with the label alone.";
    LabelSize "label_size" Warning
        "The prepared label is not 100 x 150 mm, 4 x 6 in, A6, A5 or letter, within 5 %."
        remedy "Send the label in one of these sizes.";
    LabelReused "label_reused" Error acceptable
        "Another order of the store, not cancelled, has the same label."
        remedy "Buy a label for each order.";
}

impl ProblemCode {
    /// Returns the name of the code in responses.
    pub const fn as_str(self) -> &'static str {
        self.description().name
    }

    /// Returns how serious a problem of this code is.
    pub const fn severity(self) -> ProblemSeverity {
        self.description().severity
    }

    /// Returns whether the store may take a problem of this code upon itself: the file is then
    /// printed as it is. Only errors need that.
    pub const fn is_acceptable(self) -> bool {
        self.description().is_acceptable
    }

    /// Returns the meaning of the code, as a sentence of Markdown.
    pub const fn meaning(self) -> &'static str {
        self.description().meaning
    }

    /// Returns advice for the store, as a sentence of Markdown.
    pub const fn remedy(self) -> &'static str {
        self.description().remedy
    }

    /// Returns the code with exactly this `name`; `None` if no code has it.
    pub fn from_name(name: &str) -> Option<Self> {
        let mut codes = Self::ALL.iter().copied();
        codes.find(|code| code.as_str() == name)
    }
}

impl fmt::Display for ProblemCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_unique_name() {
        for code in ProblemCode::ALL {
            assert_eq!(ProblemCode::from_name(code.as_str()), Some(*code));
        }
    }

    #[test]
    fn only_errors_are_accepted() {
        for code in ProblemCode::ALL {
            let is_error = code.severity() == ProblemSeverity::Error;
            assert!(is_error || !code.is_acceptable(), "{code}");
        }
    }
}
