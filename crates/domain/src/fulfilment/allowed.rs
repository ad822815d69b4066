//! What a caller may do with an order now, by the table of commands.

use super::item_state::ItemState;
use super::snapshot::SnapshotParts;
use super::status::ItemStatus;
use super::table::{Command, rows};
use crate::event::Role;
use crate::order::OrderKind;
use crate::time::Timestamp;

pressline_kit::named! {
    /// An action that callers are offered.
    #[derive(PartialOrd, Ord)]
    pub enum Action {
        /// Change values.
        Update = "update",
        /// Give another label.
        UpdateLabel = "update-label",
        /// Cancel.
        Cancel = "cancel",
        /// Hold.
        Hold = "hold",
        /// End a hold.
        Release = "release",
        /// End the window.
        ProcessNow = "process-now",
        /// Answer what the shop needs.
        Answer = "answer",
        /// Take back a request for a change.
        WithdrawChange = "withdraw-change",
        /// Begin production.
        Start = "start",
        /// Undo the beginning of production.
        PutBack = "put-back",
        /// Ask the store for something.
        Need = "need",
        /// End a need.
        Resolve = "resolve",
        /// Decide a pending change.
        Decide = "decide",
        /// Ship.
        Ship = "ship",
    }
}

pressline_kit::named! {
    /// What comes of an action.
    pub enum ActionEffect {
        /// It is done at once.
        Now = "now",
        /// The shop decides.
        Request = "request",
    }
}

/// An action that a caller may take now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AllowedAction {
    /// The action.
    pub action: Action,
    /// What comes of it.
    pub effect: ActionEffect,
}

/// The actions of a store, in the order of responses.
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

/// The actions of an operator, in the order of responses.
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
    /// Returns the actions that a kind of caller can be offered.
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

    fn can_be_asked(self) -> bool {
        matches!(
            self,
            Self::Update | Self::UpdateLabel | Self::Cancel | Self::Hold
        )
    }
}

/// Returns what a caller may do with an item now.
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

/// Returns what a caller may do with an order now: what it may do with one of its items. A call for
/// the whole order is a request if one of the items makes it one.
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

/// Returns why a caller may take an action with none of the items of an order now: what one of them
/// would have to be, by the table.
pub fn missing_condition(order: &SnapshotParts, role: Role, action: Action) -> String {
    let mut conditions = Vec::new();
    for row in rows(action.command(), role) {
        let mut items = order.state.items.iter();
        // An item is where the row begins, so that its guard is what does not hold.
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

/// Returns what comes of an action on an item; `None` if the caller may not take it.
fn effect(
    order: &SnapshotParts,
    item: &ItemState,
    role: Role,
    action: Action,
    now: Timestamp,
) -> Option<ActionEffect> {
    if action == Action::UpdateLabel && order.content.kind() == OrderKind::Manual {
        return None;
    }
    // An item that is on hold already is not asked to be held.
    let is_held = action == Action::Hold && item.status == ItemStatus::OnHold;
    let can = |command: Command| {
        rows(command, role)
            .any(|row| row.starts_at(item.position()) && row.guard.holds(order, item, now))
    };
    if can(action.command()) {
        Some(ActionEffect::Now)
    } else if action.can_be_asked() && !is_held && can(Command::Ask) {
        Some(ActionEffect::Request)
    } else {
        None
    }
}
