//! The check of a file that could not be fetched, so that there are no facts.

use super::code::ProblemCode;
use super::problem::{FileCheck, FileProblem};
use super::unusable::empty_file;
use crate::check::limits;

/// Reason why a file could not be fetched. How often a fetch is repeated is decided elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotFetched {
    /// Rules of the service forbid the address.
    AddressNotAllowed,
    /// The host name does not resolve.
    UnknownHost,
    /// The host refuses connections.
    NoConnection,
    /// TLS failed, for example because the certificate is invalid.
    NotSecure,
    /// The host did not send the file in time.
    TooSlow,
    /// The host closed the connection before the end of the file.
    Interrupted,
    /// The response is not valid HTTP, or in an encoding that was not asked for.
    InvalidResponse,
    /// The host redirects too often, or to an address that is not followed.
    Redirect,
    /// The host answered with this HTTP status.
    Status(u16),
    /// The host sent an HTML page, such as a sign-in form.
    WebPage,
    /// The file has more than [`limits::PRINT_FILE`] bytes.
    TooLarge,
    /// The response has an empty body.
    Empty,
    /// No file has been uploaded to the address. Also of an address of another store.
    NotUploaded,
}

/// Returns the check of a file without facts, because it could not be fetched for this `reason`.
///
/// ```
/// use pressline_domain::media::{NotFetched, ProblemCode, not_fetched};
///
/// let check = not_fetched(NotFetched::WebPage);
/// assert_eq!(check.problems[0].code, ProblemCode::NotAFile);
/// ```
pub fn not_fetched(reason: NotFetched) -> FileCheck {
    FileCheck::new(None, vec![problem(reason)])
}

fn problem(reason: NotFetched) -> FileProblem {
    let unreachable = |message: &str| FileProblem::new(ProblemCode::Unreachable, message);
    match reason {
        NotFetched::AddressNotAllowed => unreachable(
            "The address is not permitted: it leads into a private network, or has an unusual \
             port. Send an address on the internet.",
        ),
        NotFetched::UnknownHost => {
            unreachable("The name of the host was not found. Check the spelling of the address.")
        }
        NotFetched::NoConnection => {
            unreachable("The host cannot be reached. Check that it is running and reachable.")
        }
        NotFetched::NotSecure => unreachable(
            "The connection is not secure: the certificate of the host is not valid. Renew it.",
        ),
        NotFetched::TooSlow => unreachable(
            "The host took too long. Send an address at which the file arrives within minutes.",
        ),
        NotFetched::Interrupted => {
            unreachable("The host ended the connection before the end of the file.")
        }
        NotFetched::InvalidResponse => unreachable(
            "The host sent no valid response. Send an address that a browser can download.",
        ),
        NotFetched::Redirect => unreachable(
            "The address redirects too often, or to an address that is not permitted. Send the \
             address to which it leads.",
        ),
        NotFetched::NotUploaded => {
            unreachable("No file has been uploaded to this address. Upload it first.")
        }
        NotFetched::Status(status) => answered(status),
        NotFetched::WebPage => FileProblem::new(
            ProblemCode::NotAFile,
            "This address shows a web page; send the address of the file itself.",
        ),
        NotFetched::TooLarge => FileProblem::new(
            ProblemCode::TooLarge,
            format!(
                "The file is larger than {} MB, which is the most that can be printed. Send a \
                 smaller file.",
                limits::PRINT_FILE_MB
            ),
        ),
        NotFetched::Empty => empty_file(),
    }
}

fn answered(status: u16) -> FileProblem {
    match status {
        401 | 403 => FileProblem::new(
            ProblemCode::NotAFile,
            format!(
                "The host does not show the file to everyone (status {status}). Send an address \
                 that needs no sign-in."
            ),
        ),
        404 | 410 => FileProblem::new(
            ProblemCode::NotAFile,
            format!(
                "The host has no file at this address (status {status}). Send the address of the \
                 file itself."
            ),
        ),
        _ => FileProblem::new(
            ProblemCode::Unreachable,
            format!("The host answered with the status {status} instead of the file."),
        ),
    }
}
