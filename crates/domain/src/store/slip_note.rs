//! Validation of the text on a store's packing slips.

use crate::check::limits;

/// Error for a text that [`slip_note`] refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "must have at most {} characters, and no control characters except line breaks and tabs",
    limits::SLIP_NOTE
)]
pub struct InvalidSlipNote;

/// Checks a text for packing slips. Returns `text` without surrounding white space; empty if it is
/// blank.
///
/// # Errors
/// [`InvalidSlipNote`] if `text` is longer than [`limits::SLIP_NOTE`] characters, or contains
/// control characters other than tabs and line breaks.
pub fn slip_note(text: &str) -> Result<String, InvalidSlipNote> {
    let text = text.trim();
    let is_printed = |c: char| !c.is_control() || matches!(c, '\t' | '\r' | '\n');
    if text.chars().count() > limits::SLIP_NOTE || !text.chars().all(is_printed) {
        return Err(InvalidSlipNote);
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_note_is_a_short_text_of_some_lines() {
        let thanks = "Thank you!\nReturns within 30 days.";
        assert_eq!(slip_note(&format!(" {thanks}\n")), Ok(thanks.to_owned()));
        assert_eq!(slip_note(" \n"), Ok(String::new()));
        assert!(slip_note(&"ä".repeat(limits::SLIP_NOTE)).is_ok());
        for wrong in ["a".repeat(limits::SLIP_NOTE + 1), "a\u{0}b".to_owned()] {
            assert_eq!(slip_note(&wrong), Err(InvalidSlipNote));
        }
    }
}
