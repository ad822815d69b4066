//! Panel of an order that needs a decision: its problems, and the forms with which an operator
//! decides.

use std::collections::BTreeSet;

use askama::Template;
use askama::filters::HtmlSafe;
use pressline_backoffice::overview::ProblemKind;
use pressline_domain::fulfilment::{ChangeKind, Command, ItemState, ItemStatus};
use pressline_domain::order::Order;
use pressline_domain::pricing::fees::FeeType;
use pressline_domain::value::ItemId;

use crate::pages::order::{NeedRow, PendingRow, moves, needs, requested};
use crate::shell::form::RETURN;
use crate::shell::paths::batch::BATCHES;
use crate::shell::paths::order::{path, path_in};
use crate::shell::paths::print::ticket_of_order;
use crate::shell::view::age;
use crate::shell::{Chip, Fields, FormErrors, FormField, Result, SignedInRequest, When};

pub(super) const FEE: &str = "type";
pub(super) const AMOUNT: &str = "amount";
pub(super) const FEE_REASON: &str = "feeReason";

#[derive(Template)]
#[template(path = "problem/card.html")]
pub(super) struct ProblemPanel {
    pub(super) id: String,
    number: String,
    path: String,
    version: u32,
    customer: String,
    placed: When,
    age: String,
    kinds: Vec<&'static str>,
    test: Option<Chip>,
    pending: Option<PendingRow>,
    /// Questions to the store, with answers. Unanswered questions are included only if
    /// [`ProblemKind::Unanswered`] is among the order's problems.
    questions: Vec<NeedRow>,
    /// Codes of the order's overdue items.
    late: Vec<String>,
    late_forms: Vec<LateForm>,
    ticket: String,
    unknown: Vec<&'static str>,
    change: Option<ResolveForm>,
    answer: Option<ResolveForm>,
    /// Names and URLs of forms about the order that are not on the panel but on their own pages.
    links: Vec<(&'static str, String)>,
    token: String,
    back: String,
}

/// Form that is only a button: a command about the overdue items.
struct LateForm {
    name: &'static str,
    action: String,
    once: String,
    fixed: Vec<(&'static str, String)>,
}

struct ResolveForm {
    once: String,
    fixed: Vec<(&'static str, String)>,
    questions: Vec<FormField>,
    fee: Vec<FormField>,
    has_fee: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResolvedBy {
    Decision,
    Resolution,
}

pub(super) struct Filled<'a> {
    pub(super) fields: &'a Fields,
    pub(super) errors: Option<&'a FormErrors>,
    /// Prefix of the HTML ids of form fields; empty on a page with a single form.
    pub(super) prefix: &'a str,
    /// Only form that the panel shows; `None` to show all forms.
    pub(super) only: Option<ResolvedBy>,
    pub(super) back: &'a str,
    /// URL of the problem list that the panel is in; empty if the panel is on a page of its own.
    pub(super) list: &'a str,
}

impl HtmlSafe for ProblemPanel {}

pub(super) fn card_id(number: &str) -> String {
    format!("problem-{number}")
}

impl ProblemPanel {
    /// Creates the panel of `order`. `late` has the ids of its overdue items.
    pub(super) async fn new(
        order: &Order,
        kinds: &BTreeSet<ProblemKind>,
        late: &[ItemId],
        visit: &SignedInRequest,
        token: &str,
        filled: &Filled<'_>,
    ) -> Result<Self> {
        let (content, zone) = (&order.content, visit.zone());
        let number = order.service_order_id.to_string();
        let now = visit.services().clock.now();
        // One form of the panel decides, the other resolves, so both rights are needed.
        let decides = visit.operator().may("orders/decide") && visit.operator().may("orders/move");
        let answers = needs(order, zone).into_iter().zip(&order.state.needs);
        let is_listed = kinds.contains(&ProblemKind::Unanswered);
        let questions = answers.filter(|(_, need)| is_listed || need.answer.is_some());
        let late: Vec<_> = late.iter().filter_map(|id| order.state.item(*id)).collect();
        let late_forms = late_forms(order, &late, visit, filled.back);
        let missing = content
            .bill
            .missing(content.kind().needed_fees())
            .filter(|_| kinds.contains(&ProblemKind::Unpriced));
        let shows = |form| decides && filled.only.is_none_or(|only| only == form);
        Ok(Self {
            id: card_id(&number),
            path: path_in(filled.list, &number),
            version: order.state.version,
            customer: content.customer_name(),
            placed: When::in_zone(content.created_at(), zone),
            age: age(content.created_at(), now),
            test: Chip::test(content.test),
            kinds: kinds.iter().map(|kind| words(*kind)).collect(),
            pending: requested(visit, order).await?,
            questions: questions.map(|(row, _)| row).collect(),
            late: late
                .iter()
                .map(|item| item.code(&order.service_order_id))
                .collect(),
            late_forms,
            ticket: ticket_of_order(&number),
            unknown: missing.map(FeeType::as_str).collect(),
            change: change(order, visit, filled).filter(|_| shows(ResolvedBy::Decision)),
            answer: answer(order, visit, filled).filter(|_| shows(ResolvedBy::Resolution)),
            links: links(order, kinds, filled.back, decides),
            number,
            token: token.to_owned(),
            back: filled.back.to_owned(),
        })
    }
}

pub(super) fn words(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::Change => "requested change",
        ProblemKind::Answer => "answer of the store",
        ProblemKind::Unpriced => "without a price",
        ProblemKind::Late => "late",
        ProblemKind::Packed => "packed, not shipped",
        ProblemKind::Unanswered => "waiting for an answer",
    }
}

impl Filled<'_> {
    fn get(&self, name: &str) -> &str {
        self.fields.get(name)
    }

    /// Begins the element ids with the panel's prefix and `form` on a page with several forms.
    fn questions(&self, questions: Vec<FormField>, form: &str) -> Vec<FormField> {
        let prefix = match self.prefix {
            "" => String::new(),
            prefix => format!("{prefix}-{form}"),
        };
        let questions = questions.into_iter();
        questions
            .map(|question| question.within(prefix.as_str()).errors(self.errors))
            .collect()
    }

    fn settling(
        &self,
        visit: &SignedInRequest,
        questions: Vec<FormField>,
        form: &str,
    ) -> ResolveForm {
        let fees = FeeType::ALL.map(|fee| (fee.as_str(), fee.as_str()));
        let fee = vec![
            FormField::choice(FEE, "Fee", self.get(FEE), fees),
            FormField::line(AMOUNT, "Amount", self.get(AMOUNT))
                .hint("In the order's currency, such as 4.50; without one, no fee line is added"),
            FormField::line(FEE_REASON, "Reason of the fee", self.get(FEE_REASON)),
        ];
        let fee_fields = [FEE, AMOUNT, FEE_REASON];
        let is_wrong = |errors: &FormErrors| {
            let mut names = fee_fields.into_iter();
            names.any(|name| errors.about(name).next().is_some())
        };
        ResolveForm {
            once: visit.services().forms.new_form().to_string(),
            fixed: Vec::new(),
            questions: self.questions(questions, form),
            fee: self.questions(fee, form),
            has_fee: !self.get(AMOUNT).is_empty() || self.errors.is_some_and(is_wrong),
        }
    }
}

/// Leaves out forms that the operator may not send. `late` has the overdue items of `order`.
fn late_forms(
    order: &Order,
    late: &[&ItemState],
    visit: &SignedInRequest,
    back: &str,
) -> Vec<LateForm> {
    let operator = visit.operator();
    let order_path = path(&order.service_order_id.to_string());
    let form = |name, action, mut fixed: Vec<(&'static str, String)>| {
        fixed.push((RETURN, back.to_owned()));
        LateForm {
            name,
            action,
            once: visit.services().forms.new_form().to_string(),
            fixed,
        }
    };
    let mut forms = Vec::new();
    let ready: Vec<_> = late
        .iter()
        .filter(|item| item.status == ItemStatus::Ready)
        .map(|item| ("item", item.id.to_string()))
        .collect();
    if operator.may("orders/move") && !ready.is_empty() {
        let command = ("command", Command::Start.as_str().to_owned());
        let version = ("version", order.state.version.to_string());
        let fixed = [command, version].into_iter().chain(ready).collect();
        let start = Command::Start.label();
        forms.push(form(start, format!("{order_path}/move"), fixed));
    }
    // Test orders are never produced.
    if operator.may("batches/create") && !order.content.test && !late.is_empty() {
        let codes = late
            .iter()
            .map(|item| item.code(&order.service_order_id))
            .map(|code| ("item", code))
            .collect();
        forms.push(form("Make batch", BATCHES.to_owned(), codes));
    }
    forms
}

fn change(order: &Order, visit: &SignedInRequest, filled: &Filled<'_>) -> Option<ResolveForm> {
    let pending = order.state.pending.as_ref()?;
    let text = FormField::lines("reason", "Reason, or question", filled.get("reason"))
        .hint("The reason is needed to refuse, the question to ask the store");
    let keep = FormField::tick(
        "keepFees",
        "Charge the items all the same",
        filled.fields.has("keepFees"),
    );
    let mut questions = vec![text];
    if pending.request.kind() == ChangeKind::Cancel {
        questions.push(keep);
    }
    Some(ResolveForm {
        fixed: vec![("changeId", pending.id.to_string())],
        ..filled.settling(visit, questions, "change")
    })
}

fn answer(order: &Order, visit: &SignedInRequest, filled: &Filled<'_>) -> Option<ResolveForm> {
    let is_answered = |item: ItemId| {
        let mut needs = order.state.needs.iter();
        needs.any(|need| need.answer.is_some() && need.items.contains(&item))
    };
    let items = order.state.items.iter();
    let in_need = items.filter(|item| item.status == ItemStatus::NeedAction);
    // Without the store's answer, there is nothing to decide yet.
    let waiting = in_need.filter(|item| is_answered(item.id));
    let fixed: Vec<_> = waiting.map(|item| ("item", item.id.to_string())).collect();
    if fixed.is_empty() {
        return None;
    }
    let questions = moves::questions(Command::Resolve, filled.fields);
    Some(ResolveForm {
        fixed,
        ..filled.settling(visit, questions, "answer")
    })
}

fn links(
    order: &Order,
    kinds: &BTreeSet<ProblemKind>,
    back: &str,
    decides: bool,
) -> Vec<(&'static str, String)> {
    let order = path(&order.service_order_id.to_string());
    let form = |form: &str, fields: Fields| {
        let fields = fields.with(RETURN, back);
        fields.address(&format!("{order}/{form}"))
    };
    let ask = Fields::new([("command", Command::Need.as_str())]);
    let mut links = Vec::new();
    if !decides {
        return links;
    }
    // A requested change has `Ask the store` among its decisions.
    if !kinds.contains(&ProblemKind::Change) {
        links.push((Command::Need.label(), form("move", ask)));
    }
    if kinds.contains(&ProblemKind::Unpriced) {
        links.push(("Add fee line", form("fee-lines", Fields::default())));
    }
    links
}
