//! Operators: their list, and the revocation of their access.

use askama::Template;
use pressline_backoffice::operator::{OperatorAdmin, OperatorRecord, OperatorRole};
use pressline_domain::value::Timestamp;
use pressline_http::request_error::RequestError;

use crate::shell::filter::stores::StoreNames;
use crate::shell::list;
use crate::shell::{
    Answer, CheckboxGroup, ErrorList, Fields, FormErrors, FormField, Frame, PageLinks, Paging,
    Reply, Result, SignedInRequest,
};

pub(super) const OPERATORS: &str = "/console/system/operators";

#[derive(Template)]
#[template(path = "system/operators.html")]
pub(super) struct OperatorsPage {
    frame: Frame,
    records: Vec<OperatorRecord>,
    names: StoreNames,
    links: PageLinks,
    questions: Vec<FormField>,
    stores: CheckboxGroup,
    errors: Option<FormErrors>,
}

impl OperatorsPage {
    pub(super) async fn new(
        visit: &SignedInRequest,
        typed: &Fields,
        errors: Option<FormErrors>,
    ) -> Result<Self> {
        let paging = Paging::from_query(visit.query())?;
        let names = StoreNames::new(visit).await?;
        let records = visit.services().operators.list().await?;
        let id = |record: &OperatorRecord| record.operator.id.to_string();
        let page = |draft| std::future::ready(list::page_of(&records, &draft, id));
        let listed = paging.read::<_, RequestError, _>(page).await?;
        Ok(Self {
            frame: visit.frame(&["Operators", "System"])?,
            links: paging.links(OPERATORS, visit.query(), listed.next_cursor.as_deref()),
            questions: questions(typed, errors.as_ref()).into(),
            stores: CheckboxGroup::new("stores", "Stores; none for all", names.options(), typed)
                .errors(errors.as_ref()),
            records: listed.entries,
            names,
            errors,
        })
    }
}

fn questions(typed: &Fields, errors: Option<&FormErrors>) -> [FormField; 2] {
    let all_roles = OperatorRole::ALL.into_iter();
    // An invitation is a sign-in link, which the role `carrier` cannot use.
    let roles = all_roles
        .filter(|role| role.may_sign_in())
        .map(|role| (role.as_str(), role.as_str()));
    [
        FormField::line("name", "Name", typed.get("name"))
            .required()
            .errors(errors),
        FormField::choice("role", "Role", typed.get("role"), roles).errors(errors),
    ]
}

fn stores_of(record: &OperatorRecord, names: &StoreNames) -> String {
    let Some(stores) = &record.operator.stores else {
        return "all".to_owned();
    };
    stores
        .iter()
        .map(|store| names.get(*store))
        .collect::<Vec<_>>()
        .join(", ")
}

fn last_used(record: &OperatorRecord) -> Option<Timestamp> {
    let used = record.tokens.iter().filter_map(|token| token.last_used_at);
    used.max()
}

pub(super) fn admin(visit: &SignedInRequest) -> OperatorAdmin {
    visit.services().operators.by(visit.author())
}

pub(crate) async fn show(visit: SignedInRequest) -> Answer {
    let typed = Fields::new([("role", OperatorRole::Operator.as_str())]);
    Reply::page(&OperatorsPage::new(&visit, &typed, None).await?)
}

pub(crate) async fn revoke(visit: SignedInRequest) -> Answer {
    let revoked = admin(&visit).revoke_all(visit.form().get("name")).await?;
    let message = format!("{} has no access any more.", revoked.operator.name);
    Ok(Reply::done(OPERATORS, message))
}
