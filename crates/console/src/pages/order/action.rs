//! Actions that an operator can, and cannot, take on an order now, from the table of commands.

use pressline_domain::event::Role;
use pressline_domain::fulfilment::{Command, OperatorUse, allowed_actions, missing_condition};
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
    is_destructive: bool,
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
    for action in Command::offered_to(Role::Operator).iter().copied() {
        if allowed.iter().any(|allowed| allowed.action == action) {
            actions.possible.extend(possible(action, &number));
        } else {
            actions.impossible.push(Impossible {
                name: action.label(),
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
            is_destructive: false,
        });
    }
    // Cancellation comes last, because it cannot be undone.
    actions.possible.sort_by_key(|action| action.is_destructive);
    actions
}

fn possible(action: Command, number: &str) -> Vec<Possible> {
    let order = path(number);
    let form = |name, path| Possible {
        name,
        path,
        at_once: None,
        is_destructive: action.only_cancels(),
    };
    match &action.rule().operators {
        OperatorUse::Move(_) if !action.asks_for_values() => vec![Possible {
            at_once: Some(action.as_str()),
            ..form(action.label(), format!("{order}/move"))
        }],
        OperatorUse::Move(_) => {
            let fields = Fields::new([("command", action.as_str())]);
            vec![form(
                action.label(),
                fields.address(&format!("{order}/move")),
            )]
        }
        OperatorUse::Update => vec![form(action.label(), format!("{order}/update"))],
        OperatorUse::Ship => vec![form(action.label(), format!("{order}/shipments"))],
        OperatorUse::Decide => {
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
        OperatorUse::None => Vec::new(),
    }
}
