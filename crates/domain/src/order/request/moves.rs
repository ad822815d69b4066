//! An operator's command about many orders.

use std::collections::HashSet;

use super::command::{ItemNameDraft, NamedItems, check_items, items_of};
use super::item::too_many;
use crate::check::{
    Field, IssueCode, Path, Report, Warning, flag, integer, limits, lines, order_id, text, version,
    word,
};
use crate::event::Role;
use crate::fulfilment::{
    Command, MoveCommand, MoveDecision, MoveField, MoveRule, NeedCode, Resolution,
};
use crate::order::{Order, OrderError};
use crate::value::{ItemId, Timestamp};

/// A command about many orders, as received.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MoveDraft {
    /// Name of the command: one of [`Command::moving`].
    pub command: Field<String>,
    /// Orders to move, 1 to [`limits::MOVED_ORDERS`].
    pub orders: Field<Vec<Field<OrderToMoveDraft>>>,
    /// Values of the command.
    pub values: MoveValues,
}

/// Values of a command that moves items, as received. Fields after `reason` are for some commands
/// only.
#[derive(Debug, Clone, Default, PartialEq)]
// Databases store the values of a command. Their keys are the names of the fields here, not the
// names in the API.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct MoveValues {
    /// Reason for the command, in words; some commands require it.
    pub reason: Field<String>,
    /// For `hold`: time when the hold ends by itself, in milliseconds since 1970.
    pub until: Field<i64>,
    /// For `cancel` and `resolve`: whether fees of the cancelled items are still charged.
    pub keep_fees: Field<bool>,
    /// For `need`: name of the [`NeedCode`], the kind of the print shop's question to the store.
    pub code: Field<String>,
    /// For `need`: the question in words.
    pub text: Field<String>,
    /// For `need`: fee that the store must approve, in major units, as a decimal string.
    pub amount: Field<String>,
    /// For `resolve`: one of [`MoveDraft::resolutions`]; absent for `return`.
    pub to: Field<String>,
}

/// An order that a command concerns, with its items, as received.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OrderToMoveDraft {
    /// Service order id, such as `DEMO-17`.
    pub order_id: Field<String>,
    /// Version that the order must have; absent for any version.
    pub version: Field<i64>,
    /// Items of the order that the command concerns; absent for all items that it can concern.
    pub line_items: Field<Vec<Field<ItemNameDraft>>>,
}

pub(crate) struct OrderToMove {
    pub(crate) order_id: String,
    pub(crate) version: Option<u32>,
    pub(crate) items: Option<NamedItems>,
}

pub(crate) struct ValidMove {
    pub(crate) given: Move,
    pub(crate) orders: Vec<OrderToMove>,
}

/// A checked command that moves items, without the items: they are named where it is given.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// The command with its values.
    pub command: MoveCommand,
    /// Reason for the command, in words; not `None` if the command requires a reason.
    pub reason: Option<String>,
    /// Problems of the values that did not prevent the check.
    pub warnings: Vec<Warning>,
}

impl Move {
    /// Creates a move without a reason. Commands that require a reason refuse it.
    pub fn new(command: MoveCommand) -> Self {
        Self {
            command,
            reason: None,
            warnings: Vec::new(),
        }
    }
}

const RETURN: &str = "return";
const CANCELLED: &str = "cancelled";

impl MoveDraft {
    /// Creates a request for the `command` about all items of the order `order_id`.
    pub fn for_order(command: &str, order_id: &str) -> Self {
        let order = OrderToMoveDraft {
            order_id: order_id.into(),
            ..OrderToMoveDraft::default()
        };
        Self {
            command: command.into(),
            orders: Field::Value(vec![order.into()]),
            ..Self::default()
        }
    }

    /// Returns the words that the field `to` accepts.
    pub fn resolutions() -> [&'static str; 2] {
        [RETURN, CANCELLED]
    }

    pub(crate) fn check(&self) -> Result<ValidMove, Report> {
        let root = Path::Root;
        let orders_path = root.key("orders");
        check_count(self.orders.value().map_or(0, Vec::len))?;
        let report = &mut Report::default();
        let reason = self.values.check_reason(report);
        let orders = self.check_orders(&orders_path, report);
        let name = self.check_name(report);
        let command =
            name.and_then(|command| self.values.check_command(command, reason.is_some(), report));
        let given = checked(command, reason, report)?;
        Ok(ValidMove { given, orders })
    }

    fn check_orders(&self, path: &Path<'_>, report: &mut Report) -> Vec<OrderToMove> {
        let what = "the orders to move";
        let drafts = self
            .orders
            .required(path, what, report)
            .map(Vec::as_slice)
            .unwrap_or_default();
        if drafts.is_empty() && self.orders.value().is_some() {
            report.required(path, "at least one order");
        }
        let mut seen = HashSet::new();
        let mut orders = Vec::with_capacity(drafts.len());
        for (index, draft) in drafts.iter().enumerate() {
            let path = path.index(index);
            let draft = draft.required(&path, "an order, not null", report);
            let Some(order) = draft.and_then(|draft| draft.check(&path, report)) else {
                continue;
            };
            if !seen.insert(order.order_id.clone()) {
                // Both entries would be moved concurrently, in unknown order.
                let message = "the order is listed twice; merge the two entries";
                report.violation(&path.key("order_id"), IssueCode::Repeated, message);
            }
            orders.push(order);
        }
        orders
    }

    fn check_name(&self, report: &mut Report) -> Option<Command> {
        let path = Path::Root.key("command");
        let given = self.command.demand(&path, "what to do", report);
        let known = Command::moving().map(|(command, _)| (command.as_str(), command));
        word(given, &path, known, report)
    }
}

/// Refuses more than [`limits::MOVED_ORDERS`] orders.
pub(crate) fn check_count(orders: usize) -> Result<(), Report> {
    let mut report = Report::default();
    if orders > limits::MOVED_ORDERS {
        let limit = limits::MOVED_ORDERS;
        let message = format!("{orders} orders; at most {limit} in one call");
        report.violation(&Path::Root.key("orders"), IssueCode::TooLong, message);
    }
    report.check()
}

/// Returns the command if `report` has no violations, else the report.
fn checked(
    command: Option<MoveCommand>,
    reason: Option<String>,
    report: &mut Report,
) -> Result<Move, Report> {
    match command {
        Some(command) if report.violations.is_empty() => Ok(Move {
            command,
            reason,
            warnings: std::mem::take(&mut report.warnings),
        }),
        _ => Err(std::mem::take(report)),
    }
}

impl MoveValues {
    /// Checks the values for `command`.
    ///
    /// # Errors
    /// A report of all fields that are wrong; the field `command` if it does not move items.
    pub fn check(&self, command: Command) -> Result<Move, Report> {
        let report = &mut Report::default();
        let reason = self.check_reason(report);
        let command = self.check_command(command, reason.is_some(), report);
        checked(command, reason, report)
    }

    fn check_reason(&self, report: &mut Report) -> Option<String> {
        text(&self.reason, &Path::Root.key("reason"), report)
    }

    fn check_command(
        &self,
        command: Command,
        has_reason: bool,
        report: &mut Report,
    ) -> Option<MoveCommand> {
        let Some(rule) = command.rule().moving() else {
            let message = format!("`{}` does not move items", command.as_str());
            report.violation(
                &Path::Root.key("command"),
                IssueCode::InvalidFormat,
                message,
            );
            return None;
        };
        self.refuse_other_fields(command, rule, report);
        if command.needs_reason(Role::Operator) && !has_reason {
            report.required(&Path::Root.key("reason"), "why, in words");
        }
        match rule.decision {
            MoveDecision::Plain => Some(MoveCommand::Plain(command)),
            MoveDecision::Hold => {
                let until_path = Path::Root.key("until");
                let until = integer(&self.until, &until_path, (0, i64::MAX), report)
                    .map(Timestamp::from_millis);
                Some(MoveCommand::Hold { until })
            }
            MoveDecision::Release => Some(MoveCommand::Release),
            MoveDecision::Cancel => {
                let keep_fees = flag(&self.keep_fees, &Path::Root.key("keepFees"), report)?;
                Some(MoveCommand::Cancel { keep_fees })
            }
            MoveDecision::Need => self.check_need(report),
            MoveDecision::Resolve => self.check_resolution(report).map(MoveCommand::Resolve),
        }
    }

    fn refuse_other_fields(&self, command: Command, rule: &MoveRule, report: &mut Report) {
        for field in MoveField::ALL {
            if self.has(field) && !rule.fields.contains(&field) {
                let path = Path::Root.key(field.as_str());
                let message = format!("the command `{}` has no such field", command.as_str());
                report.violation(&path, IssueCode::Conflict, message);
            }
        }
    }

    fn has(&self, field: MoveField) -> bool {
        match field {
            MoveField::Reason => !self.reason.is_blank(),
            MoveField::Until => !self.until.is_absent(),
            MoveField::KeepFees => !self.keep_fees.is_absent(),
            MoveField::Code => !self.code.is_blank(),
            MoveField::Text => !self.text.is_blank(),
            MoveField::Amount => !self.amount.is_blank(),
            MoveField::To => !self.to.is_blank(),
        }
    }

    fn check_need(&self, report: &mut Report) -> Option<MoveCommand> {
        let root = Path::Root;
        let code_path = root.key("code");
        let code_field = self.code.demand(&code_path, "what is needed", report);
        let codes = NeedCode::ALL.map(|code| (code.as_str(), code));
        let code = word(code_field, &code_path, codes, report);
        let note = limits::PRODUCTION_NOTE;
        // Before `code?`, so that all problems are reported.
        let text = lines(&self.text, &root.key("text"), note, report);
        let amount = self.amount.read(&root.key("amount"), report).cloned();
        let code = code?;
        if code == NeedCode::FeeApproval && self.amount.is_absent() {
            report.required(&root.key("amount"), "the fee to approve");
        }
        if code != NeedCode::FeeApproval && !self.amount.is_absent() {
            let message = "`amount` must be absent unless `code` is `fee_approval`";
            report.violation(&root.key("amount"), IssueCode::Conflict, message);
        }
        Some(MoveCommand::Need { code, text, amount })
    }

    fn check_resolution(&self, report: &mut Report) -> Option<Resolution> {
        let keep_path = Path::Root.key("keepFees");
        let keep_fees = flag(&self.keep_fees, &keep_path, report)?;
        let words = [
            (RETURN, Resolution::Return),
            (CANCELLED, Resolution::Cancel { keep_fees }),
        ];
        let resolution = if self.to.is_blank() {
            Resolution::Return
        } else {
            word(&self.to, &Path::Root.key("to"), words, report)?
        };
        if resolution == Resolution::Return && !self.keep_fees.is_absent() {
            let message = "only cancelled items can keep their fees";
            report.violation(&keep_path, IssueCode::Conflict, message);
        }
        Some(resolution)
    }
}

impl OrderToMoveDraft {
    fn check(&self, path: &Path<'_>, report: &mut Report) -> Option<OrderToMove> {
        let items_path = path.key("line_items");
        if let Some(surplus) = too_many(&self.line_items, &items_path) {
            report.violations.extend(surplus.violations);
            return None;
        }
        let order_id = order_id(&self.order_id, &path.key("order_id"), report);
        let version = version(&self.version, &path.key("version"), report);
        let items = check_items(&self.line_items, &items_path, report);
        Some(OrderToMove {
            order_id: order_id?,
            version,
            items,
        })
    }
}

impl OrderToMove {
    /// Returns `None` for all items, and [`OrderError::UnknownItem`] for an unknown item.
    pub(crate) fn items_of(&self, order: &Order) -> Result<Option<Vec<ItemId>>, OrderError> {
        items_of(self.items.as_ref(), order)
    }
}
