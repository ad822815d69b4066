//! The page that asks before a command about many items is given.

use askama::Template;
use pressline_domain::order::ChosenItems;

use super::QUEUE;
use super::bulk::{BulkCommand, COMMAND, CONFIRMED, ITEM};
use crate::form::{ErrorList, FormErrors, Question, RETURN};
use crate::frame::Frame;
use crate::order::moves;
use crate::reply::Reply;
use crate::route::Answer;
use crate::visit::Visit;

#[derive(Template)]
#[template(path = "queue/confirm.html")]
struct ConfirmPage {
    frame: Frame,
    name: &'static str,
    items: usize,
    orders: usize,
    back: String,
    action: &'static str,
    hidden: Vec<(&'static str, String)>,
    questions: Vec<Question>,
    errors: Option<FormErrors>,
}

/// The page names the items, so that later arrivals are left out.
pub(super) fn confirm(
    visit: &Visit,
    command: &BulkCommand,
    chosen: &ChosenItems,
    errors: Option<FormErrors>,
) -> Answer {
    let back = visit.return_to(QUEUE);
    let mut hidden = vec![
        (COMMAND, command.action.as_str().to_owned()),
        (CONFIRMED, "1".to_owned()),
        (RETURN, back.clone()),
    ];
    let mut items = 0;
    for (order, ids) in chosen {
        items += ids.len();
        hidden.extend(ids.iter().map(|id| (ITEM, format!("{order}/{id}"))));
    }
    let questions = moves::questions(command.action, visit.form()).into_iter();
    let page = ConfirmPage {
        frame: visit.frame(&[command.name, "Queue"])?,
        name: command.name,
        items,
        orders: chosen.len(),
        back,
        action: QUEUE,
        hidden,
        questions: questions
            .map(|question| question.errors(errors.as_ref()))
            .collect(),
        errors,
    };
    match page.errors.as_ref().map(|errors| errors.code) {
        Some(code) => Reply::refused(code, &page),
        None => Reply::page(&page),
    }
}
