//! Operators: their list, and the revocation of their access.

use askama::Template;
use pressline_backoffice::audit::AuditContext;
use pressline_backoffice::operator::{OperatorAdmin, OperatorRecord, OperatorRole};
use pressline_http::request_error::RequestError;

use crate::shell::filter::stores::stores;
use crate::shell::form::{CheckboxGroup, ErrorList, Fields, FormErrors, FormField};
use crate::shell::frame::Frame;
use crate::shell::list::{self, PageLinks, Paging};
use crate::shell::message::Message;
use crate::shell::reply::Reply;
use crate::shell::request::SignedInRequest;
use crate::shell::route::Answer;
use crate::shell::time::When;

pub(super) const OPERATORS: &str = "/console/system/operators";

#[derive(Template)]
#[template(path = "system/operators.html")]
pub(super) struct OperatorsPage {
    frame: Frame,
    rows: Vec<OperatorRow>,
    links: PageLinks,
    questions: Vec<FormField>,
    stores: CheckboxGroup,
    errors: Option<FormErrors>,
}

struct OperatorRow {
    name: String,
    role: &'static str,
    stores: String,
    created: When,
    tokens: usize,
    last_used: Option<When>,
    may_sign_in: bool,
}

impl OperatorsPage {
    pub(super) async fn new(
        visit: &SignedInRequest,
        typed: &Fields,
        errors: Option<FormErrors>,
    ) -> Result<Self, RequestError> {
        let paging = Paging::from_query(visit.query())?;
        let names = stores(visit).await?;
        let records = visit.services().operators.list().await?;
        let id = |record: &OperatorRecord| record.operator.id.to_string();
        let page = |draft| std::future::ready(list::page_of(&records, &draft, id));
        let listed = paging.read::<_, RequestError, _>(page).await?;
        let rows = listed.entries.iter();
        let rows = rows.map(|record| row(record, &names, visit));
        Ok(Self {
            frame: visit.frame(&["Operators", "System"])?,
            rows: rows.collect(),
            links: paging.links(OPERATORS, visit.query(), listed.next_cursor.as_deref()),
            questions: questions(typed, errors.as_ref()).into(),
            stores: CheckboxGroup::new("stores", "Stores; none for all", names, typed)
                .errors(errors.as_ref()),
            errors,
        })
    }
}

fn questions(typed: &Fields, errors: Option<&FormErrors>) -> [FormField; 2] {
    let roles = OperatorRole::ALL.into_iter();
    // An invitation is a sign-in link, which the role `carrier` cannot use.
    let roles = roles.filter(|role| role.may_sign_in());
    let roles = roles.map(|role| (role.as_str(), role.as_str()));
    [
        FormField::line("name", "Name", typed.get("name"))
            .required()
            .errors(errors),
        FormField::choice("role", "Role", typed.get("role"), roles).errors(errors),
    ]
}

fn row(
    record: &OperatorRecord,
    names: &[(String, String)],
    visit: &SignedInRequest,
) -> OperatorRow {
    let operator = &record.operator;
    let when = |moment| When::in_zone(moment, visit.zone());
    let used = record.tokens.iter().filter_map(|token| token.last_used_at);
    let stores = operator.stores.as_ref().map(|stores| {
        let named = stores.iter().map(|store| {
            let id = store.to_string();
            let name = names.iter().find(|(other, _)| *other == id);
            name.map_or(id, |(_, name)| name.clone())
        });
        named.collect::<Vec<_>>().join(", ")
    });
    OperatorRow {
        name: operator.name.clone(),
        role: operator.role.as_str(),
        stores: stores.unwrap_or_else(|| "all".to_owned()),
        created: when(operator.created_at),
        tokens: record.tokens.len(),
        last_used: used.max().map(when),
        may_sign_in: operator.role.may_sign_in(),
    }
}

pub(super) fn admin(visit: &SignedInRequest) -> OperatorAdmin {
    visit.services().operators.by(author(visit))
}

pub(super) fn author(visit: &SignedInRequest) -> AuditContext {
    AuditContext::operator(visit.operator(), Some(visit.request_id()))
}

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    let typed = Fields::new([("role", OperatorRole::Operator.as_str())]);
    Reply::page(&OperatorsPage::new(&visit, &typed, None).await?)
}

pub(crate) async fn revoke(visit: SignedInRequest) -> Answer {
    let revoked = admin(&visit).revoke_all(visit.form().get("name")).await?;
    let message = format!("{} has no access any more.", revoked.operator.name);
    Ok(Reply::redirect(OPERATORS).with_message(Message::status(message)))
}
