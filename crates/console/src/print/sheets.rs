//! What pages to print have in common: the paper, and what is above the sheets on the screen.

use pressline_domain::operator::Paper;
use pressline_http::error::Code;
use pressline_http::request_error::RequestError;

use super::chosen::MOST;
use crate::form::Fields;
use crate::visit::Visit;

const PAPER: &str = "paper";

/// Controls above the sheets, on the screen only.
pub(super) struct Sheets {
    /// CSS class of the page size.
    pub(super) class: &'static str,
    /// Name, address of the same page, whether it is the present paper.
    pub(super) papers: Vec<(&'static str, String, bool)>,
    /// Why something is missing; empty if nothing is.
    pub(super) limit: String,
}

impl Sheets {
    /// `has_more`: whether the sheets lack some. `validation_failed` if the address names no paper.
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

fn class(paper: Paper) -> &'static str {
    match paper {
        Paper::A4 => "a4",
        Paper::Letter => "letter",
        Paper::Label => "label",
    }
}

pub(super) fn is_on(query: &Fields, name: &str) -> bool {
    query.flag(name).value() == Some(&true)
}
