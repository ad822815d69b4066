//! What pages to print have in common: the paper, and what is above the sheets on the screen.

use pressline_domain::operator::Paper;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::chosen::MOST;
use crate::form::Fields;
use crate::visit::Visit;

/// The field of the paper.
const PAPER: &str = "paper";

/// What is above the sheets on the screen.
pub(super) struct Sheets {
    /// The class that chooses the size of the page.
    pub(super) class: &'static str,
    /// The same page for other papers: the paper, its address, and whether it is this one.
    pub(super) papers: Vec<(&'static str, String, bool)>,
    /// Why not everything is on the sheets; empty if it is.
    pub(super) limit: String,
}

impl Sheets {
    /// Returns what is above the sheets of a page. `has_more` is true if not all fitted.
    ///
    /// # Errors
    /// `validation_failed` if the address names no paper.
    pub(super) fn of(visit: &Visit, path: &str, has_more: bool) -> Result<Self, RequestError> {
        let asked = visit.query().get(PAPER);
        let paper = match asked {
            "" => Some(visit.session.signed_in.preferences.paper),
            name => Paper::from_name(name),
        };
        let paper = paper.ok_or_else(|| {
            let names = Paper::ALL.map(Paper::as_str).join(", ");
            RequestError::new(Code::ValidationFailed, format!("paper: not one of {names}"))
        })?;
        let others = visit.query().without(&[PAPER]);
        let papers = Paper::ALL.map(|other| {
            let address = others.clone().with(PAPER, other.as_str()).address(path);
            (name(other), address, other == paper)
        });
        Ok(Self {
            class: class(paper),
            papers: papers.into(),
            limit: match has_more {
                true => format!("These are the first {MOST}: choose fewer for the others."),
                false => String::new(),
            },
        })
    }
}

fn name(paper: Paper) -> &'static str {
    match paper {
        Paper::A4 => "A4",
        Paper::Letter => "Letter",
        Paper::Label => "4 x 6 in",
    }
}

/// Returns the class for which the style names a page.
fn class(paper: Paper) -> &'static str {
    match paper {
        Paper::A4 => "a4",
        Paper::Letter => "letter",
        Paper::Label => "label",
    }
}

/// Returns whether a field of an address is switched on.
pub(super) fn is_on(query: &Fields, name: &str) -> bool {
    query.flag(name).value() == Some(&true)
}
