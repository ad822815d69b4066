//! Forms with which operators change an order. Each form has a page that shows and receives it. An
//! invalid form is shown again with the errors, an outdated form with the order's events since it
//! was rendered.

pub(crate) mod decide;
pub(crate) mod fee_line;
pub(crate) mod moves;
pub(crate) mod note;
pub(crate) mod replace;
pub(crate) mod ship;
pub(crate) mod track;
pub(crate) mod update;
pub(crate) mod void;

use askama::Template;
use pressline_domain::event::Role;
use pressline_domain::fulfilment::{Command, allowed_actions_of, missing_condition};
use pressline_domain::order::{LineItem, Order, OrderError};
use pressline_domain::value::ItemId;

use super::pending::{PendingRow, requested};
use super::timeline::{EventRow, timeline};
use crate::shell::form::{RETURN, is_own_address, with_errors};
use crate::shell::paths::order::path;
use crate::shell::view::plain;
use crate::shell::{
    Answer, ErrorList, Fields, FormErrors, FormField, Frame, Reply, Result, SignedInRequest,
    counted,
};

/// Name of the field that contains the order's version when the form was rendered.
const VERSION: &str = "version";
const ITEM: &str = "item";
const DECIDE: &str = "decide";

pub(crate) struct Form {
    name: &'static str,
    path: &'static str,
    fixed: Vec<(String, String)>,
    items: Vec<ItemCheckbox>,
    questions: Vec<FormField>,
    is_destructive: bool,
    obstacle: Option<String>,
}

impl Form {
    fn new(name: &'static str, path: &'static str, questions: Vec<FormField>) -> Self {
        Self {
            name,
            path,
            fixed: Vec::new(),
            items: Vec::new(),
            questions,
            is_destructive: false,
            obstacle: None,
        }
    }

    fn fixed(mut self, name: &str, value: impl Into<String>) -> Self {
        self.fixed.push((name.to_owned(), value.into()));
        self
    }
}

struct ItemCheckbox {
    id: String,
    label: String,
    is_ticked: bool,
}

#[derive(Template)]
#[template(path = "order/form.html")]
struct FormPage {
    frame: Frame,
    number: String,
    order_path: String,
    back: String,
    version: u32,
    form: Form,
    /// Pending change of the order; `None` unless the form decides on it.
    requested: Option<PendingRow>,
    errors: Option<FormErrors>,
    /// Events of the order since the form was rendered; empty unless the form is outdated.
    meanwhile: Vec<EventRow>,
}

async fn shown(
    visit: &SignedInRequest,
    order: &Order,
    form: Form,
    errors: Option<FormErrors>,
) -> Answer {
    let number = order.service_order_id.to_string();
    let order_path = path(&number);
    // The cost of a requested change needs a dry run, so other forms do without it.
    let requested = match form.path {
        DECIDE => requested(visit, order).await?,
        _ => None,
    };
    let page = FormPage {
        requested,
        frame: visit.frame(&[form.name, &number, "Orders"])?,
        back: back(visit, &order_path),
        order_path,
        number,
        version: order.state.version,
        form: Form {
            questions: with_errors(form.questions, errors.as_ref()),
            ..form
        },
        meanwhile: meanwhile(visit, order, errors.as_ref()).await?,
        errors,
    };
    Reply::form(&page, page.errors.as_ref())
}

/// Returns no events unless `errors` is a version conflict.
pub(crate) async fn meanwhile(
    visit: &SignedInRequest,
    order: &Order,
    errors: Option<&FormErrors>,
) -> Result<Vec<EventRow>> {
    if !FormErrors::is_outdated(errors) {
        return Ok(Vec::new());
    }
    let version_field = visit.form().integer(VERSION);
    let seen = version_field
        .value()
        .and_then(|seen| u32::try_from(*seen).ok());
    let events = timeline(visit, order, "").await?.events.into_iter();
    let later = events.filter(|event| seen.is_some_and(|seen| event.version > seen));
    Ok(later.collect())
}

/// Returns the URL to return to after the form: `order`, unless the request names another page.
fn back(visit: &SignedInRequest, order: &str) -> String {
    let asked = visit.query().get(RETURN);
    match visit.form().has(RETURN) {
        false if is_own_address(asked) => asked.to_owned(),
        _ => visit.return_to(order),
    }
}

/// Function that creates a form about an order. The [`Fields`] are the query or the sent form.
type Make = fn(&SignedInRequest, &Order, &Fields) -> Result<Form>;

pub(crate) async fn first(visit: SignedInRequest, make: Make) -> Answer {
    let order = visit.named_order().await?;
    let form = make(&visit, &order, visit.query())?;
    shown(&visit, &order, form, None).await
}

/// Redirects with the message in `result`, or shows the form again with the error. `items` has the
/// ids of the sent line items in their order, for [`by_item`].
async fn answered(
    visit: &SignedInRequest,
    result: Result<&str, OrderError>,
    items: &[String],
    make: Make,
) -> Answer {
    match result {
        Ok(message) => {
            let order = path(visit.parameter("number"));
            Ok(Reply::done(visit.return_to(&order), message))
        }
        Err(error) => refused(visit, by_item(FormErrors::from_error(error)?, items), make).await,
    }
}

/// Renames fields in `errors` from the API's names to the form's names: `line_items[0].quantity`
/// becomes `quantity.<id>`. `<id>` is the item id at the same position in `items`.
fn by_item(mut errors: FormErrors, items: &[String]) -> FormErrors {
    for (position, item) in items.iter().enumerate() {
        let prefix = format!("line_items[{position}].");
        for violation in &mut errors.fields {
            if let Some(key) = violation.field.strip_prefix(&prefix) {
                violation.field = format!("{key}.{item}");
            }
        }
    }
    errors
}

async fn refused(visit: &SignedInRequest, errors: FormErrors, make: Make) -> Answer {
    // Read again, so that the form is sent with the current version.
    let order = visit.named_order().await?;
    let form = make(visit, &order, visit.form())?;
    shown(visit, &order, form, Some(errors)).await
}

fn is_sent(fields: &Fields) -> bool {
    fields.has(VERSION)
}

fn label(order: &Order, line: &LineItem) -> String {
    let state = order.state.item(line.id);
    let code = state.map(|state| state.code(&order.service_order_id));
    let name = line.name.as_deref().unwrap_or(&line.sku);
    format!(
        "{} {name} ({})",
        code.unwrap_or_default(),
        counted(line.quantity, "unit")
    )
}

fn allows(visit: &SignedInRequest, order: &Order, item: ItemId, action: Command) -> bool {
    let now = visit.services().clock.now();
    order.state.item(item).is_some_and(|item| {
        let allowed = allowed_actions_of(order, item, Role::Operator, now);
        allowed.iter().any(|allowed| allowed.action == action)
    })
}

fn obstacle(order: &Order, action: Command, is_impossible: bool) -> Option<String> {
    is_impossible.then(|| plain(&missing_condition(order, Role::Operator, action)))
}

fn ticks(
    visit: &SignedInRequest,
    order: &Order,
    fields: &Fields,
    action: Command,
) -> Vec<ItemCheckbox> {
    let lines = order
        .content
        .items
        .iter()
        .filter(|line| allows(visit, order, line.id, action));
    lines
        .map(|line| {
            let id = line.id.to_string();
            ItemCheckbox {
                // Browsers do not send an unticked box, so a sent form must not be ticked again.
                is_ticked: !is_sent(fields) || fields.chooses(ITEM, &id),
                label: label(order, line),
                id,
            }
        })
        .collect()
}
