//! Every command, from every position of an item, by every kind of caller.

use super::fixture::*;
use pressline_domain::event::Role;
use pressline_domain::fulfilment::*;

const ROLES: [Role; 4] = Role::ALL;

fn context(role: Role) -> Context {
    match role {
        Role::Store => store(),
        Role::Operator => operator(),
        // After the end of the orders' windows.
        Role::Service => service(2 * i64::from(HOUR)),
        Role::Carrier => carrier(),
    }
}

/// Gives a command; `None` for commands that need more than `order`.
fn give(
    command: Command,
    order: &Snapshot,
    context: &Context,
) -> Option<Result<Decision, Refusal>> {
    let shipment = order.shipments.first().map(|shipment| shipment.id);
    if let Some(rule) = command.rule().moving() {
        let given = sample(command, rule.decision, context);
        let new_id = || *line_id().as_uuid();
        return Some(decide_move(order, &given, None, &new_id, context));
    }
    Some(match command {
        Command::Due => due(order, context),
        Command::ProcessNow => process_now(order, context),
        Command::WithdrawChange => withdraw_change(order, context),
        Command::Decide => decide(order, approve(None), &line_id, context),
        Command::Answer => answer(order, &answer_of(Some("Blue."), None), &line_id, context),
        Command::Ship => ship(order, &ship_of(None, "1Z2"), context),
        Command::Void => void(order, shipment?, context),
        Command::Deliver => track(order, shipment?, Tracking::Delivered, None, context),
        Command::Return => track(order, shipment?, Tracking::Returned, None, context),
        _ => return None,
    })
}

fn sample(command: Command, decision: MoveDecision, context: &Context) -> MoveCommand {
    match decision {
        MoveDecision::Plain => MoveCommand::Plain(command),
        MoveDecision::Hold => MoveCommand::Hold {
            // Differs from the end of every existing hold.
            until: Some(context.now.plus_millis(600_000)),
        },
        MoveDecision::Release => MoveCommand::Release,
        MoveDecision::Cancel => MoveCommand::Cancel { keep_fees: false },
        MoveDecision::Need => MoveCommand::Need {
            code: NeedCode::OutOfStock,
            text: None,
            amount: None,
        },
        MoveDecision::Resolve => MoveCommand::Resolve(Resolution::Return),
    }
}

#[test]
fn no_command_leads_outside_the_table() {
    let mut moves = 0;
    for (command, role) in Command::ALL.into_iter().flat_map(|c| ROLES.map(|r| (c, r))) {
        for position in Position::all() {
            for holder in Holder::ALL {
                let order = order_at(position, holder);
                let context = context(role);
                let Some(decision) = give(command, &order, &context) else {
                    continue;
                };
                let what = format!("{} by {} of {position:?}", command.as_str(), role.as_str());
                moves += u32::from(check(&order, command, role, &decision, &what));
            }
        }
    }
    assert!(moves > 60, "{moves} moves");
}

/// Returns whether `row` can move an item from the position `from` to the status `to`. `before` is
/// the item's status when the store requested the pending change.
fn row_leads(row: &Transition, from: Position, to: ItemStatus, before: Option<ItemStatus>) -> bool {
    row.starts_at(from)
        && row.to.iter().any(|target| match target {
            Target::To(status) => *status == to,
            Target::Returns => from.returns_to == Some(to),
            Target::Before => before == Some(to),
            Target::Same => from.status == to,
        })
}

/// Checks the outcome of a command. Returns `true` if it moved the item.
fn check(
    order: &Snapshot,
    command: Command,
    role: Role,
    decision: &Result<Decision, Refusal>,
    what: &str,
) -> bool {
    let item = &order.state.items[0];
    let position = item.position();
    let before = order.state.asked(item.id).map(|asked| asked.before);
    // A store's hold or cancellation of items in production becomes a request.
    let commands = if matches!(command, Command::Hold | Command::Cancel) {
        vec![command, Command::Ask]
    } else {
        vec![command]
    };
    let leads = |to: ItemStatus| {
        let rows = commands
            .iter()
            .flat_map(|command| transitions(*command, role));
        rows.into_iter()
            .any(|row| row_leads(row, position, to, before))
    };
    match decision {
        Ok(Decision::Changed(change)) => {
            let to = change.order.state.items[0].status;
            let is_legal = leads(to) || (command == Command::Due && to == position.base());
            assert!(is_legal, "{what} led to {to}");
            true
        }
        Ok(Decision::Unchanged) => false,
        Err(Refusal::IllegalTransition {
            from,
            items,
            allowed,
            ..
        }) => {
            assert_eq!((*from, items.len()), (position.status, 1), "{what}");
            let now = at(1);
            let offered = allowed_actions_of(order, item, role, now);
            let offered: Vec<Command> = offered.into_iter().map(|offer| offer.action).collect();
            if role != Role::Service {
                assert_eq!(*allowed, offered, "{what}");
            }
            false
        }
        // Another change of the store is pending.
        Err(Refusal::ChangePending { items }) => {
            assert_eq!((role, items.len()), (Role::Store, 1), "{what}");
            false
        }
        Err(other) => panic!("{what}: {other:?}"),
    }
}

/// Returns the orders of [`order_at`], and partly shipped orders if the item is in production.
fn orders_at(position: Position) -> Vec<Snapshot> {
    let mut orders = Holder::ALL
        .map(|holder| order_at(position, holder))
        .to_vec();
    if position.base() == ItemStatus::InProduction {
        let partly = orders.clone().into_iter().map(|order| {
            let mut parts = SnapshotParts::clone(&order);
            let id = parts.content.items[0].id;
            parts.shipments.push(parcel(id, 1, ShipmentStatus::Shipped));
            parts.state.items[0].shipped_quantity = 1;
            Snapshot::new(parts).unwrap()
        });
        orders.extend(partly);
    }
    orders
}

/// Gives the command of an action in the form that most orders allow, without optional values.
fn give_plain(
    command: Command,
    order: &Snapshot,
    context: &Context,
) -> Option<Result<Decision, Refusal>> {
    match command {
        Command::Hold => Some(hold(order, &hold_of(None, None), context)),
        // Of items that are partly shipped, a cancellation can only be refused.
        Command::Decide => Some(decide(order, verdict(Verdict::Refuse), &line_id, context)),
        command => give(command, order, context),
    }
}

#[test]
fn actions_have_different_positions() {
    let offers = TABLE.iter().filter_map(|rule| rule.offer);
    let mut positions: Vec<u8> = offers.map(|offer| offer.position).collect();
    positions.sort_unstable();
    assert!(
        positions.is_sorted_by(|first, next| first < next),
        "{positions:?}"
    );
}

#[test]
fn an_action_is_offered_if_and_only_if_it_changes_something() {
    for role in [Role::Store, Role::Operator] {
        for order in Position::all().flat_map(orders_at) {
            let position = order.state.items[0].position();
            let context = context(role);
            let offered = allowed_actions(&order, role, context.now);
            for command in Command::offered_to(role).iter().copied() {
                let Some(decision) = give_plain(command, &order, &context) else {
                    continue;
                };
                let offer = offered.iter().find(|offer| offer.action == command);
                let (by, item) = (role.as_str(), &order.state.items[0]);
                let what = format!("{} by {by} of {item:?}", command.as_str());
                match (offer, decision) {
                    (Some(offer), Ok(Decision::Changed(change))) => {
                        let is_asked = change.order.state.items[0].status
                            == ItemStatus::RequestChange
                            && position.status != ItemStatus::NeedAction
                            && position.status != ItemStatus::OnHold;
                        let asks = offer.effect == ActionEffect::Request;
                        assert!(!is_asked || asks, "{what}");
                    }
                    (None, Ok(Decision::Unchanged) | Err(_)) => {}
                    (offer, decision) => panic!("{what}: {offer:?}, {decision:?}"),
                }
            }
        }
    }
}

#[test]
fn the_same_command_again_changes_nothing() {
    for (command, role) in Command::ALL.into_iter().flat_map(|c| ROLES.map(|r| (c, r))) {
        for position in Position::all() {
            let order = order_at(position, Holder::Store);
            let context = context(role);
            let Some(Ok(Decision::Changed(change))) = give(command, &order, &context) else {
                continue;
            };
            let again = give(command, &change.order, &context);
            let is_unchanged = matches!(again, Some(Ok(Decision::Unchanged) | Err(_)) | None);
            assert!(
                is_unchanged,
                "{} of {position:?}: {again:?}",
                command.as_str()
            );
        }
    }
}

#[test]
fn operators_give_reasons_where_the_table_says_so() {
    let silent = Context {
        reason: None,
        ..operator()
    };
    let held = |status| Position {
        status,
        returns_to: None,
    };
    for (command, status) in [
        (Command::Hold, ItemStatus::Ready),
        (Command::Cancel, ItemStatus::InProduction),
        (Command::PutBack, ItemStatus::InProduction),
        (Command::Void, ItemStatus::Fulfilled),
    ] {
        let order = order_at(held(status), Holder::Store);
        let refused = give(command, &order, &silent).unwrap();
        assert!(matches!(refused, Err(Refusal::Invalid(_))), "{refused:?}");
    }
}

#[test]
fn a_command_for_another_version_is_refused() {
    let order = ready(&[1]);
    let context = Context {
        version: Some(7),
        ..operator()
    };
    let refused = move_items(Command::Start, &order, None, &context);
    assert_eq!(refused, Err(Refusal::VersionConflict { current: 1 }));
}

#[test]
fn unknown_items_are_named() {
    let order = ready(&[1]);
    let unknown = id(&ready(&[1]), 0);
    let refused = move_items(
        Command::Start,
        &order,
        Some(&[unknown, id(&order, 0)]),
        &operator(),
    );
    assert_eq!(refused, Err(Refusal::UnknownItem(vec![unknown])));
}

#[test]
fn what_is_not_offered_has_a_reason() {
    let at = |status| Position {
        status,
        returns_to: None,
    };
    for (status, action, reason) in [
        (
            ItemStatus::Delivered,
            Command::Start,
            "only while an item is ready",
        ),
        (
            ItemStatus::Cancelled,
            Command::Hold,
            "only while an item is early or at work, but not on-hold",
        ),
    ] {
        let order = order_at(at(status), Holder::Store);
        assert_eq!(missing_condition(&order, Role::Operator, action), reason);
    }
    for position in Position::all() {
        let order = order_at(position, Holder::Store);
        let now = operator().now;
        let offered = allowed_actions(&order, Role::Operator, now);
        let missing = Command::offered_to(Role::Operator).iter().filter(|action| {
            let mut offers = offered.iter();
            !offers.any(|offer| offer.action == **action)
        });
        for action in missing {
            let reason = missing_condition(&order, Role::Operator, *action);
            assert!(reason.starts_with("only "), "{reason}");
        }
    }
}
