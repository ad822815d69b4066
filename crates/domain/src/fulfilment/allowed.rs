//! The actions that a caller can currently take on an order, derived from the table of commands.

use super::item_state::ItemState;
use super::snapshot::SnapshotParts;
use super::status::ItemStatus;
use super::table::{Command, Target, Transition, rows};
use crate::event::Role;
use crate::order::OrderKind;
use crate::value::Timestamp;

pressline_kit::named! {
    /// A kind of action that a caller can take on an order or its items. It gives the corresponding
    /// [`Command`], or [`Command::Ask`] if the print shop must decide.
    #[derive(PartialOrd, Ord)]
    pub enum Action {
        /// Change values of the order.
        Update = "update",
        /// Replace the label of a label order.
        UpdateLabel = "update-label",
        /// Cancel items, so that they are not produced.
        Cancel = "cancel",
        /// Put items on hold, so that they are not produced until the hold ends.
        Hold = "hold",
        /// End holds, so that the items return to their previous status.
        Release = "release",
        /// End the cooling-off window, so that items become `ready` immediately.
        ProcessNow = "process-now",
        /// Answer a need, which is a question of the print shop.
        Answer = "answer",
        /// Withdraw the pending change, which the print shop has not decided yet.
        WithdrawChange = "withdraw-change",
        /// Start production.
        Start = "start",
        /// Return items from production to `ready`.
        PutBack = "put-back",
        /// Ask the store a question.
        Need = "need",
        /// End a need, which is a question to the store: its items continue or are cancelled.
        Resolve = "resolve",
        /// Approve or refuse the pending change, or ask a question about it.
        Decide = "decide",
        /// Record a shipment.
        Ship = "ship",
    }
}

pressline_kit::named! {
    /// Whether an action takes effect immediately or needs a decision of the print shop.
    pub enum ActionEffect {
        /// The action takes effect immediately.
        Now = "now",
        /// The action becomes a request, which the print shop decides.
        Request = "request",
    }
}

/// An action that a caller can currently take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AllowedAction {
    /// Action that the caller can take.
    pub action: Action,
    /// Whether `action` takes effect immediately or becomes a request.
    pub effect: ActionEffect,
}

/// In the sequence in which responses list the actions.
const STORE: [Action; 8] = [
    Action::Update,
    Action::UpdateLabel,
    Action::Cancel,
    Action::Hold,
    Action::Release,
    Action::ProcessNow,
    Action::Answer,
    Action::WithdrawChange,
];

/// In the sequence in which responses list the actions.
const OPERATOR: [Action; 10] = [
    Action::Update,
    Action::Cancel,
    Action::Hold,
    Action::Release,
    Action::Start,
    Action::PutBack,
    Action::Need,
    Action::Resolve,
    Action::Decide,
    Action::Ship,
];

impl Action {
    /// Returns all actions that callers with this `role` can take, if the order's state allows
    /// them; empty for roles without actions.
    pub fn for_role(role: Role) -> &'static [Self] {
        match role {
            Role::Store => &STORE,
            Role::Operator => &OPERATOR,
            Role::Service | Role::Carrier => &[],
        }
    }

    fn command(self) -> Command {
        match self {
            Self::Update | Self::UpdateLabel => Command::Update,
            Self::Cancel => Command::Cancel,
            Self::Hold => Command::Hold,
            Self::Release => Command::Release,
            Self::ProcessNow => Command::ProcessNow,
            Self::Answer => Command::Answer,
            Self::WithdrawChange => Command::WithdrawChange,
            Self::Start => Command::Start,
            Self::PutBack => Command::PutBack,
            Self::Need => Command::Need,
            Self::Resolve => Command::Resolve,
            Self::Decide => Command::Decide,
            Self::Ship => Command::Ship,
        }
    }

    /// Returns the rows of [`TABLE`](super::TABLE) that let `role` take this action. Leaves out the
    /// rows that move the end of a hold, because a call without `until` would change nothing.
    fn rows(self, role: Role) -> impl Iterator<Item = &'static Transition> {
        let is_offered = move |row: &&Transition| self != Self::Hold || row.to != [Target::Same];
        rows(self.command(), role).filter(is_offered)
    }

    fn can_be_asked(self) -> bool {
        matches!(
            self,
            Self::Update | Self::UpdateLabel | Self::Cancel | Self::Hold
        )
    }
}

/// Returns the actions that a caller with `role` can take on `item` at the time `now`.
pub fn allowed_actions_of(
    order: &SnapshotParts,
    item: &ItemState,
    role: Role,
    now: Timestamp,
) -> Vec<AllowedAction> {
    let actions = Action::for_role(role).iter().copied();
    let allowed = actions.filter_map(|action| {
        let effect = effect(order, item, role, action, now)?;
        Some(AllowedAction { action, effect })
    });
    allowed.collect()
}

/// Returns the actions that a caller with `role` can take on at least one item of `order`. The
/// effect is [`ActionEffect::Request`] if the action becomes a request for at least one item.
pub fn allowed_actions(order: &SnapshotParts, role: Role, now: Timestamp) -> Vec<AllowedAction> {
    let actions = Action::for_role(role).iter().copied();
    let allowed = actions.filter_map(|action| {
        let items = order.state.items.iter();
        let mut effects = items.filter_map(|item| effect(order, item, role, action, now));
        let first = effects.next()?;
        let is_request =
            first == ActionEffect::Request || effects.any(|other| other == ActionEffect::Request);
        let effect = if is_request {
            ActionEffect::Request
        } else {
            ActionEffect::Now
        };
        Some(AllowedAction { action, effect })
    });
    allowed.collect()
}

/// Returns, in words, the conditions in [`TABLE`](super::TABLE) that prevent `role` from taking
/// `action` on any item of `order`. Not to be called if an item allows the action.
pub fn missing_condition(order: &SnapshotParts, role: Role, action: Action) -> String {
    let mut conditions = Vec::new();
    for row in action.rows(role) {
        let mut items = order.state.items.iter();
        // An item has a status that the row starts from, so only the row's guard can be unmet.
        let condition = if items.any(|item| row.starts_at(item.position())) {
            format!("if {}", row.guard.text())
        } else {
            format!("while an item is {}", row.from)
        };
        if !conditions.contains(&condition) {
            conditions.push(condition);
        }
    }
    format!("only {}", conditions.join(", or "))
}

fn effect(
    order: &SnapshotParts,
    item: &ItemState,
    role: Role,
    action: Action,
    now: Timestamp,
) -> Option<ActionEffect> {
    // A manual order has no label.
    if action == Action::UpdateLabel && order.content.kind() == OrderKind::Manual {
        return None;
    }
    // The store cannot request a hold for an item that is already on hold.
    let is_held = action == Action::Hold && item.status == ItemStatus::OnHold;
    let can =
        |row: &Transition| row.starts_at(item.position()) && row.guard.holds(order, item, now);
    // The direct command has priority: a request is offered only if the caller must ask.
    if action.rows(role).any(can) {
        Some(ActionEffect::Now)
    } else if action.can_be_asked() && !is_held && rows(Command::Ask, role).any(can) {
        Some(ActionEffect::Request)
    } else {
        None
    }
}
