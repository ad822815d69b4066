//! Files that could not be fetched or read.

use super::*;
use pressline_domain::media::{NotFetched, UnreadableReason, not_fetched};

#[test]
fn what_cannot_be_read_has_no_other_problem() {
    let strict = area(|area| area.formats = vec![FileFormat::Pdf]);
    let empty = png(|facts| facts.bytes = 0);
    assert_codes("empty", &strict, &empty, "fail: empty_file");
    let reasons = [
        (
            UnreadableReason::Damaged {
                detail: "a chunk is cut".to_owned(),
            },
            "The file is damaged: a chunk is cut. Save it again.",
            None,
        ),
        (
            UnreadableReason::Damaged {
                detail: String::new(),
            },
            "The file is damaged. Save it again.",
            None,
        ),
        (
            UnreadableReason::PasswordRequired,
            "The file needs a password. Save it without one.",
            None,
        ),
        (
            UnreadableReason::Megapixels { limit: 400 },
            "The file exceeds 400 megapixels. Send fewer pixels.",
            Some("at most 400 megapixels"),
        ),
        (
            UnreadableReason::Bytes { limit: 20_000_000 },
            "The file exceeds 20 MB, the most that is read of its format. Send a smaller file.",
            Some("at most 20 MB"),
        ),
        (
            UnreadableReason::Memory { limit: 1024 },
            "The file needs more than 1024 MB of memory. Simplify it, or send fewer pixels.",
            Some("at most 1024 MB of memory"),
        ),
        (
            UnreadableReason::Time { limit: 30 },
            "The file takes longer than 30 s to read. Simplify it.",
            Some("at most 30 s"),
        ),
        (
            UnreadableReason::Crashed,
            "The file cannot be read: its decoder ended. Save it again, or in another format.",
            None,
        ),
    ];
    for (reason, message, limit) in reasons {
        let checked = check(&strict, &png(|facts| facts.unreadable = Some(reason)));
        assert_eq!(codes(&checked), "fail: unreadable");
        let problem = &checked.problems[0];
        assert_eq!(
            (problem.message.as_str(), problem.expected.as_deref()),
            (message, limit)
        );
    }
}

#[test]
fn a_file_that_was_not_fetched_says_why() {
    let reasons = [
        (
            NotFetched::AddressNotAllowed,
            "unreachable",
            "not permitted",
        ),
        (NotFetched::UnknownHost, "unreachable", "name of the host"),
        (NotFetched::NoConnection, "unreachable", "cannot be reached"),
        (NotFetched::NotSecure, "unreachable", "certificate"),
        (NotFetched::TooSlow, "unreachable", "too long"),
        (
            NotFetched::Interrupted,
            "unreachable",
            "ended the connection",
        ),
        (
            NotFetched::InvalidResponse,
            "unreachable",
            "no valid response",
        ),
        (NotFetched::Redirect, "unreachable", "redirects"),
        (NotFetched::NotUploaded, "unreachable", "Upload it first"),
        (NotFetched::Status(500), "unreachable", "status 500"),
        (NotFetched::Status(401), "not_a_file", "status 401"),
        (NotFetched::Status(403), "not_a_file", "no sign-in"),
        (NotFetched::Status(404), "not_a_file", "the file itself"),
        (NotFetched::Status(410), "not_a_file", "status 410"),
        (NotFetched::WebPage, "not_a_file", "shows a web page"),
        (NotFetched::TooLarge, "too_large", "200 MB"),
        (NotFetched::Empty, "empty_file", "is empty"),
    ];
    for (reason, code, part) in reasons {
        let checked = not_fetched(reason);
        assert_eq!(codes(&checked), format!("fail: {code}"));
        assert!(!checked.is_acceptable(), "{reason:?}");
        let message = &checked.problems[0].message;
        assert!(message.contains(part), "{message}");
    }
}
