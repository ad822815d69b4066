//! Invites an operator, or creates another sign-in link. The link is on one page only, which is
//! shown once.

use std::collections::BTreeSet;

use askama::Template;
use pressline_backoffice::operator::{NewLink, NewOperator, OperatorRole};
use pressline_domain::check::{IssueCode, Path, Report};
use pressline_domain::value::StoreId;
use pressline_http::request_error::RequestError;

use super::operators::{OPERATORS, OperatorsPage, admin};
use crate::shell::{Answer, Fields, FormErrors, Frame, Reply, SignedInRequest, When};

#[derive(Template)]
#[template(path = "system/link.html")]
struct LinkPage<'a> {
    frame: Frame,
    name: &'a str,
    address: String,
    expires: When,
}

pub(crate) async fn invite(visit: SignedInRequest) -> Answer {
    let new = match new_operator(visit.form()) {
        Ok(new) => new,
        Err(report) => return refused(&visit, FormErrors::of_report(report)).await,
    };
    match admin(&visit).invite(new).await {
        Ok(operator) => shown(&visit, &operator.name).await,
        Err(error) => refused(&visit, FormErrors::from_error(error)?).await,
    }
}

pub(crate) async fn link(visit: SignedInRequest) -> Answer {
    shown(&visit, visit.form().get("name")).await
}

async fn refused(visit: &SignedInRequest, errors: FormErrors) -> Answer {
    let code = errors.code;
    let page = OperatorsPage::new(visit, visit.form(), Some(errors)).await?;
    Reply::refused(code, &page)
}

fn new_operator(fields: &Fields) -> Result<NewOperator, Report> {
    let mut report = Report::default();
    let role = OperatorRole::from_name(fields.get("role"));
    if role.is_none() {
        let message = "choose one of the roles";
        report.violation(&Path::Root.key("role"), IssueCode::InvalidFormat, message);
    }
    let mut stores = BTreeSet::new();
    for text in fields.all("stores") {
        match text.parse::<StoreId>() {
            Ok(id) => drop(stores.insert(id)),
            Err(_) => {
                let message = format!("`{text}` is not the id of a store");
                let path = Path::Root.key("stores");
                report.violation(&path, IssueCode::InvalidFormat, message);
            }
        }
    }
    match role {
        Some(role) if report.violations.is_empty() => Ok(NewOperator {
            name: fields.get("name").trim().to_owned(),
            role,
            stores: Some(stores).filter(|stores| !stores.is_empty()),
            lifetime: None,
        }),
        _ => Err(report),
    }
}

async fn shown(visit: &SignedInRequest, name: &str) -> Answer {
    let sessions = &visit.services().sessions;
    let made = sessions
        .make_link(name, visit.author())
        .await
        .map_err(RequestError::from)?;
    let message = "This form has made a link before, which was shown then, and is shown only once: make another one if \
                   it was not sent.";
    let page = LinkPage {
        frame: visit.frame(&["Sign-in link", "Operators", "System"])?,
        name: &made.operator.name,
        address: address(visit, &made),
        expires: When::in_zone(made.expires_at, visit.zone()),
    };
    // The page with the link is not kept, so a repeated form shows the message.
    Ok(Reply::page(&page)?.once(OPERATORS, message))
}

/// Returns the URL of the sign-in link `link`, with the host of the browser's URL.
fn address(visit: &SignedInRequest, link: &NewLink) -> String {
    let fields = Fields::new([("link", link.text.expose())]);
    let origin = visit.received.origin();
    format!("{origin}{}", fields.address("/console/sign-in"))
}
