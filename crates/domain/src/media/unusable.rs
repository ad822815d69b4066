//! Problems of files about which nothing else can be said.

use super::code::ProblemCode;
use super::facts::{FileFacts, UnreadableReason};
use super::problem::FileProblem;

/// Returns the problem of a file that is empty or cannot be read. Other checks of such a file would
/// only hide the cause.
pub(super) fn unusable(facts: &FileFacts) -> Option<FileProblem> {
    if facts.bytes == 0 {
        return Some(empty_file());
    }
    let reason = facts.unreadable.as_ref()?;
    let problem = FileProblem::new(ProblemCode::Unreadable, unreadable(reason));
    Some(match limits(reason) {
        Some(limit) => FileProblem {
            expected: Some(limit),
            ..problem
        },
        None => problem,
    })
}

/// Returns the problem of a file of 0 bytes.
pub(super) fn empty_file() -> FileProblem {
    FileProblem::new(
        ProblemCode::EmptyFile,
        "The file is empty. Upload it again.",
    )
}

fn unreadable(reason: &UnreadableReason) -> String {
    match reason {
        UnreadableReason::Damaged { detail } if detail.is_empty() => {
            "The file is damaged. Save it again.".to_owned()
        }
        UnreadableReason::Damaged { detail } => {
            format!("The file is damaged: {detail}. Save it again.")
        }
        UnreadableReason::PasswordRequired => {
            "The file needs a password. Save it without one.".to_owned()
        }
        UnreadableReason::Megapixels { limit } => {
            format!("The file exceeds {limit} megapixels. Send fewer pixels.")
        }
        UnreadableReason::Bytes { limit } => format!(
            "The file exceeds {} MB, the most that is read of its format. Send a smaller file.",
            limit / 1_000_000
        ),
        UnreadableReason::Memory { limit } => format!(
            "The file needs more than {limit} MB of memory. Simplify it, or send fewer pixels."
        ),
        UnreadableReason::Time { limit } => {
            format!("The file takes longer than {limit} s to read. Simplify it.")
        }
        UnreadableReason::Crashed => {
            "The file cannot be read: its decoder ended. Save it again, or in another format."
                .to_owned()
        }
    }
}

fn limits(reason: &UnreadableReason) -> Option<String> {
    match reason {
        UnreadableReason::Megapixels { limit } => Some(format!("at most {limit} megapixels")),
        UnreadableReason::Bytes { limit } => Some(format!("at most {} MB", limit / 1_000_000)),
        UnreadableReason::Memory { limit } => Some(format!("at most {limit} MB of memory")),
        UnreadableReason::Time { limit } => Some(format!("at most {limit} s")),
        UnreadableReason::Damaged { .. }
        | UnreadableReason::PasswordRequired
        | UnreadableReason::Crashed => None,
    }
}
