//! Decides a requested change, or resolves the print shop's need, with an optional fee line.

use askama::Template;
use pressline_backoffice::overview::ProblemKind;
use pressline_domain::check::{Field, Violation};
use pressline_domain::fulfilment::Command;
use pressline_domain::order::request::{DecideDraft, FeeLineDraft};
use pressline_domain::order::{MoveResult, Order, OrderError};
use pressline_http::request_error::RequestError;

use super::card::{AMOUNT, FEE, FEE_REASON, Filled, ProblemPanel, ResolvedBy};
use crate::pages::order::{EventRow, decide, meanwhile, moves};
use crate::shell::paths::PROBLEMS;
use crate::shell::paths::order::path;
use crate::shell::{Answer, ErrorList, Fields, FormErrors, Frame, Reply, Result, SignedInRequest};

const ORDER: &str = "order";

#[derive(Template)]
#[template(path = "problem/resolve.html")]
struct ResolvePage {
    frame: Frame,
    card: ProblemPanel,
    /// URL to return to after the form: the list of problems, unless the form names another page.
    back: String,
    order_path: String,
    errors: FormErrors,
    meanwhile: Vec<EventRow>,
}

pub(crate) async fn decision(visit: SignedInRequest) -> Answer {
    let (word, _, message) = *decide::named(visit.form())?;
    let mut draft = decision_draft(visit.form(), word);
    let version = match with_fee(&visit, Some(&draft)).await {
        Ok(version) => version,
        Err(error) => return refused(visit, ResolvedBy::Decision, error, false).await,
    };
    let fee_added = version.is_some();
    if let Some(version) = version {
        // The fee line has made a new version.
        draft.version = i64::from(version).into();
    }
    let (orders, by) = (&visit.services().orders, visit.by());
    let decided = orders.change.decide_change(visit.scope(), &draft, &by);
    match decided.await {
        Ok(_) => resolved_reply(&visit, message, fee_added),
        Err(error) => refused(visit, ResolvedBy::Decision, error.into(), fee_added).await,
    }
}

pub(crate) async fn resolve(visit: SignedInRequest) -> Answer {
    let version = match with_fee(&visit, None).await {
        Ok(version) => version,
        Err(error) => return refused(visit, ResolvedBy::Resolution, error, false).await,
    };
    let fee_added = version.is_some();
    match resolved(&visit, version).await {
        Ok(MoveResult::Moved) => resolved_reply(&visit, "Resolved.", fee_added),
        Ok(MoveResult::Unchanged) => resolved_reply(&visit, "Nothing changed.", fee_added),
        Err(error) => refused(visit, ResolvedBy::Resolution, error.into(), fee_added).await,
    }
}

fn decision_draft(fields: &Fields, word: &str) -> DecideDraft {
    // The form's field contains either the reason or the question.
    let words = fields.text("reason");
    let (reason, text) = match word {
        "ask" => (Field::Absent, words),
        _ => (words, Field::Absent),
    };
    DecideDraft {
        order_id: fields.text(ORDER),
        version: fields.integer("version"),
        decision: word.into(),
        change_id: fields.text("changeId"),
        reason,
        text,
        keep_fees: fields.tick("keepFees"),
        dry_run: Field::Absent,
    }
}

async fn resolved(visit: &SignedInRequest, version: Option<u32>) -> Result<MoveResult, OrderError> {
    let form = visit.form();
    let version = match version {
        None => moves::version(form)?,
        made => made,
    };
    let items = moves::items(form)?;
    let order = (form.get(ORDER).trim(), version);
    // The amount belongs to the fee line, not to this command.
    let fields = form.without(&[AMOUNT]);
    moves::give(visit, Command::Resolve, order, Some(&items), &fields).await
}

/// Returns the order's new version; `None` if the form has no amount. If a dry run of `decision` is
/// refused, adds no line and returns an error.
async fn with_fee(visit: &SignedInRequest, decision: Option<&DecideDraft>) -> Result<Option<u32>> {
    let fields = visit.form();
    if fields.text(AMOUNT).is_absent() {
        return Ok(None);
    }
    let (orders, by) = (&visit.services().orders, visit.by());
    if let Some(draft) = decision {
        let tried = orders.change.dry_run_decide(visit.scope(), draft, &by);
        tried.await?;
    }
    let draft = FeeLineDraft {
        order_id: fields.text(ORDER),
        version: fields.integer("version"),
        fee: fields.text(FEE),
        amount: fields.text(AMOUNT),
        reason: fields.text(FEE_REASON),
        app_item_id: Field::Absent,
    };
    let added = orders.change.correct_fees(visit.scope(), &draft, &by);
    match added.await {
        Ok(placed) => Ok(Some(placed.order.state.version)),
        Err(error) => {
            let mut error = RequestError::from(error);
            // The form has two reasons, which the use cases both call `reason`.
            rename(&mut error.errors, "reason", FEE_REASON);
            Err(error)
        }
    }
}

fn rename(violations: &mut [Violation], field: &str, new: &str) {
    violations
        .iter_mut()
        .filter(|violation| violation.field == field)
        .for_each(|violation| violation.field = new.to_owned());
}

fn resolved_reply(visit: &SignedInRequest, message: &str, fee_added: bool) -> Answer {
    let number = visit.form().get(ORDER);
    let fee = if fee_added { " Fee line added." } else { "" };
    Ok(Reply::done(
        visit.return_to(PROBLEMS),
        format!("{number}: {message}{fee}"),
    ))
}

async fn refused(
    visit: SignedInRequest,
    form: ResolvedBy,
    error: RequestError,
    fee_added: bool,
) -> Answer {
    let mut errors = FormErrors::from_error(error)?;
    // The form's field `reason` can contain the question.
    if visit.form().get(decide::DECISION) == "ask" {
        rename(&mut errors.fields, "text", "reason");
    }
    let mut fields = visit.form().clone();
    if fee_added {
        errors.message = format!("The fee line was added. {}", errors.message);
        // The form must not add the fee line again.
        fields = fields.without(&[FEE, AMOUNT, FEE_REASON]);
    }
    // Read again, because the fee line may have made a new version.
    let order = visit.order(visit.form().text(ORDER)).await?;
    let number = order.service_order_id.to_string();
    let frame = visit.frame(&[&number, "Problems"])?;
    let back = visit.return_to(PROBLEMS);
    let filled = Filled {
        fields: &fields,
        errors: Some(&errors),
        prefix: "",
        only: Some(form),
        back: &back,
        list: "",
    };
    let kinds = kinds(&order).into_iter().collect();
    let page = ResolvePage {
        card: ProblemPanel::new(&order, &kinds, &[], &visit, &frame.token, &filled).await?,
        meanwhile: meanwhile(&visit, &order, Some(&errors)).await?,
        frame,
        back: back.clone(),
        order_path: path(&number),
        errors,
    };
    Reply::refused(page.errors.code, &page)
}

fn kinds(order: &Order) -> Vec<ProblemKind> {
    let mut needs = order.state.needs.iter();
    let is_answered = needs.any(|need| need.answer.is_some());
    let kinds = [
        (order.state.pending.is_some(), ProblemKind::Change),
        (is_answered, ProblemKind::Answer),
        (!order.is_priced(), ProblemKind::Unpriced),
    ];
    let present = kinds.into_iter().filter(|(is_so, _)| *is_so);
    present.map(|(_, kind)| kind).collect()
}
