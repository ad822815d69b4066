//! The actions that a caller can currently take on an order, derived from the table of commands.

use std::sync::LazyLock;

use super::item_state::ItemState;
use super::snapshot::SnapshotParts;
use super::status::ItemStatus;
use super::table::{Command, TABLE, transitions};
use super::transition::{Target, Transition};
use crate::event::Role;
use crate::value::Timestamp;

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
    /// Command that the caller can give, or [`Command::Ask`] for it if the print shop must decide.
    pub action: Command,
    /// Whether `action` takes effect immediately or becomes a request.
    pub effect: ActionEffect,
}

/// The commands that a caller can give as actions, in the sequence in which responses list them.
struct Actions {
    store: Vec<Command>,
    operator: Vec<Command>,
}

static ACTIONS: LazyLock<Actions> = LazyLock::new(|| Actions {
    store: offered(Role::Store),
    operator: offered(Role::Operator),
});

fn offered(role: Role) -> Vec<Command> {
    let rules = TABLE
        .iter()
        .filter_map(|rule| Some((rule.offer?.position, rule.command)));
    let mut offers: Vec<(u8, Command)> = rules
        .filter(|(_, command)| transitions(*command, role).next().is_some())
        .collect();
    offers.sort_unstable();
    offers.into_iter().map(|(_, command)| command).collect()
}

impl Command {
    /// Returns all commands that callers with this `role` can give as actions, if the order's state
    /// allows them; empty for roles without actions.
    pub fn offered_to(role: Role) -> &'static [Self] {
        match role {
            Role::Store => &ACTIONS.store,
            Role::Operator => &ACTIONS.operator,
            Role::Service | Role::Carrier => &[],
        }
    }

    /// Returns the moves that let `role` take this action. Leaves out the moves that change the end
    /// of a hold, because a call without `until` would change nothing.
    fn offered_transitions(self, role: Role) -> impl Iterator<Item = &'static Transition> {
        let is_offered = move |row: &&Transition| self != Self::Hold || row.to != [Target::Same];
        transitions(self, role).filter(is_offered)
    }

    fn can_be_requested(self) -> bool {
        self.rule().offer.is_some_and(|offer| offer.by_request)
    }
}

/// Returns the actions that a caller with `role` can take on `item` at the time `now`.
pub fn allowed_actions_of(
    order: &SnapshotParts,
    item: &ItemState,
    role: Role,
    now: Timestamp,
) -> Vec<AllowedAction> {
    let actions = Command::offered_to(role).iter().copied();
    let allowed = actions.filter_map(|action| {
        let effect = effect(order, item, role, action, now)?;
        Some(AllowedAction { action, effect })
    });
    allowed.collect()
}

/// Returns the actions that a caller with `role` can take on at least one item of `order`. The
/// effect is [`ActionEffect::Request`] if the action becomes a request for at least one item.
pub fn allowed_actions(order: &SnapshotParts, role: Role, now: Timestamp) -> Vec<AllowedAction> {
    let actions = Command::offered_to(role).iter().copied();
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
pub fn missing_condition(order: &SnapshotParts, role: Role, action: Command) -> String {
    let mut conditions = Vec::new();
    for row in action.offered_transitions(role) {
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
    action: Command,
    now: Timestamp,
) -> Option<ActionEffect> {
    let meets = |row: &Transition| row.guard.holds(order, item, now);
    let can = |row: &Transition| row.starts_at(item.position()) && meets(row);
    // The direct command has priority: a request is offered only if the caller must ask.
    if action.offered_transitions(role).any(can) {
        return Some(ActionEffect::Now);
    }
    // The store cannot request a hold for an item that is already on hold.
    let is_held = action == Command::Hold && item.status == ItemStatus::OnHold;
    let can_request = action.can_be_requested()
        && !is_held
        && action.offered_transitions(role).any(meets)
        && transitions(Command::Ask, role).any(can);
    can_request.then_some(ActionEffect::Request)
}
