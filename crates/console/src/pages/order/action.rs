//! Actions that an operator can, and cannot, take on an order now, from the table of commands.

use pressline_domain::event::Role;
use pressline_domain::fulfilment::{Action, allowed_actions, missing_condition};
use pressline_domain::order::Order;
use pressline_domain::value::Timestamp;

use crate::shell::paths::order::path;
use crate::shell::view::plain;
use crate::shell::{Fields, SignedInRequest};

pub(super) struct Possible {
    pub(super) name: &'static str,
    pub(super) path: String,
    /// Command to send immediately; `None` if a form asks for values first.
    pub(super) at_once: Option<&'static str>,
}

pub(super) struct Impossible {
    pub(super) name: &'static str,
    pub(super) reason: String,
}

#[derive(Default)]
pub(super) struct Actions {
    pub(super) possible: Vec<Possible>,
    pub(super) impossible: Vec<Impossible>,
}

/// Returns no actions if the operator may not change orders.
pub(super) fn actions(visit: &SignedInRequest, order: &Order, now: Timestamp) -> Actions {
    let mut actions = Actions::default();
    if !visit.operator().may("orders/move") {
        return actions;
    }
    let number = order.service_order_id.to_string();
    let allowed = allowed_actions(order, Role::Operator, now);
    for action in Action::for_role(Role::Operator).iter().copied() {
        if allowed.iter().any(|allowed| allowed.action == action) {
            actions.possible.extend(possible(action, &number));
        } else {
            actions.impossible.push(Impossible {
                name: name(action),
                reason: plain(&missing_condition(order, Role::Operator, action)),
            });
        }
    }
    // Actions that change no status.
    for (name, form) in [("Add fee line", "fee-lines"), ("Replace items", "replace")] {
        actions.possible.push(Possible {
            name,
            path: format!("{}/{form}", path(&number)),
            at_once: None,
        });
    }
    // Cancellation comes last, because it cannot be undone.
    let cancel = name(Action::Cancel);
    let (last, others): (Vec<_>, _) = actions
        .possible
        .into_iter()
        .partition(|action| action.name == cancel);
    actions.possible = others;
    actions.possible.extend(last);
    actions
}

fn possible(action: Action, number: &str) -> Vec<Possible> {
    let order = path(number);
    let form = |name, path| Possible {
        name,
        path,
        at_once: None,
    };
    match action {
        Action::Update => vec![form(name(action), format!("{order}/update"))],
        Action::Ship => vec![form(name(action), format!("{order}/shipments"))],
        Action::Decide => {
            let decide = |name, decision| {
                let fields = Fields::new([("decision", decision)]);
                form(name, fields.address(&format!("{order}/decide")))
            };
            vec![
                decide("Approve", "approve"),
                decide("Refuse", "refuse"),
                decide("Ask about the request", "ask"),
            ]
        }
        Action::Start | Action::Release => vec![Possible {
            name: name(action),
            path: format!("{order}/move"),
            at_once: Some(action.as_str()),
        }],
        _ => {
            let fields = Fields::new([("command", action.as_str())]);
            vec![form(name(action), fields.address(&format!("{order}/move")))]
        }
    }
}

pub(crate) fn name(action: Action) -> &'static str {
    match action {
        Action::Update => "Edit order",
        Action::Cancel => "Cancel items",
        Action::Hold => "Hold",
        Action::Release => "Release",
        Action::Start => "Start",
        Action::PutBack => "Put back",
        Action::Need => "Ask the store",
        Action::Resolve => "Resolve",
        Action::Decide => "Decide the request",
        Action::Ship => "Add shipment",
        // Not offered to operators.
        Action::UpdateLabel => "Change the label",
        Action::ProcessNow => "End the window",
        Action::Answer => "Answer",
        Action::WithdrawChange => "Withdraw the request",
    }
}
