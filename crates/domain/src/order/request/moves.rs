//! An operator's command about many orders.

use std::collections::HashSet;

use super::command::{ItemNameDraft, NamedItems, ValidCommand, check_items};
use super::item::too_many;
use crate::check::{
    Field, IssueCode, Path, Report, Warning, flag, integer, limits, lines, order_id, text, version,
    word,
};
use crate::event::Role;
use crate::fulfilment::{Command, NeedCode, Resolution, rows};
use crate::value::Timestamp;

/// A command about many orders, as received. Fields after `reason` are for some commands only.
#[derive(Debug, Clone, Default, PartialEq)]
// Databases store the values of a command. Their keys are the names of the fields here, not the
// names in the API.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct MoveDraft {
    /// Name of the command: one of [`MoveDraft::commands`].
    #[cfg_attr(feature = "serde", serde(skip))]
    pub command: Field<String>,
    /// Orders to move, 1 to [`limits::MOVED_ORDERS`].
    #[cfg_attr(feature = "serde", serde(skip))]
    pub orders: Field<Vec<Field<OrderToMoveDraft>>>,
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
    pub(crate) command: MoveCommand,
    pub(crate) orders: Vec<OrderToMove>,
    pub(crate) reason: Option<String>,
    pub(crate) warnings: Vec<Warning>,
}

pub(crate) enum MoveCommand {
    /// A command that only moves items to a status, such as `start`.
    Plain(Command),
    Hold {
        until: Option<Timestamp>,
    },
    Release,
    Cancel {
        keep_fees: bool,
    },
    Need {
        code: NeedCode,
        text: Option<String>,
        /// In major units, as a decimal string: each order's currency decides its decimals.
        amount: Option<String>,
    },
    Resolve(Resolution),
}

/// Each command with its own fields, without the fields that all commands have.
const COMMANDS: [(Command, &[&str]); 7] = [
    (Command::Start, &[]),
    (Command::PutBack, &[]),
    (Command::Hold, &["until"]),
    (Command::Release, &[]),
    (Command::Cancel, &["keepFees"]),
    (Command::Need, &["code", "text", "amount"]),
    (Command::Resolve, &["to", "keepFees"]),
];

/// Name and fields of a command that moves items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveRule {
    /// Name of the command, as [`MoveDraft::command`] accepts it.
    pub command: &'static str,
    /// Names of this command's own fields, apart from the fields common to all commands.
    pub fields: &'static [&'static str],
    /// Whether the command requires a reason.
    pub needs_reason: bool,
}

fn needs_reason(command: Command) -> bool {
    rows(command, Role::Operator).any(|row| row.needs_reason)
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

    /// Returns the names of the commands that move items.
    pub fn commands() -> impl Iterator<Item = &'static str> {
        COMMANDS.into_iter().map(|(command, _)| command.as_str())
    }

    /// Returns the rule of each command, with its fields.
    pub fn rules() -> impl Iterator<Item = MoveRule> {
        COMMANDS.into_iter().map(|(command, fields)| MoveRule {
            command: command.as_str(),
            fields,
            needs_reason: needs_reason(command),
        })
    }

    /// Returns the words that the field `to` accepts.
    pub fn resolutions() -> [&'static str; 2] {
        [RETURN, CANCELLED]
    }

    pub(crate) fn check(&self) -> Result<ValidMove, Report> {
        let root = Path::Root;
        let orders_path = root.key("orders");
        let count = self.orders.value().map_or(0, Vec::len);
        let report = &mut Report::default();
        if count > limits::MOVED_ORDERS {
            let limit = limits::MOVED_ORDERS;
            let message = format!("{count} orders; at most {limit} in one call");
            report.violation(&orders_path, IssueCode::TooLong, message);
            return Err(std::mem::take(report));
        }
        let reason = text(&self.reason, &root.key("reason"), report);
        let orders = self.check_orders(&orders_path, report);
        let command = self.check_command(reason.is_some(), report);
        match command {
            Some(command) if report.violations.is_empty() => Ok(ValidMove {
                command,
                orders,
                reason,
                warnings: std::mem::take(&mut report.warnings),
            }),
            _ => Err(std::mem::take(report)),
        }
    }

    /// Checks the command and its values, but not `orders`.
    ///
    /// # Errors
    /// A report of all fields that are wrong.
    pub fn check_values(&self) -> Result<(), Report> {
        let mut report = Report::default();
        let reason = text(&self.reason, &Path::Root.key("reason"), &mut report);
        self.check_command(reason.is_some(), &mut report);
        report.check()
    }

    fn check_orders(&self, path: &Path<'_>, report: &mut Report) -> Vec<OrderToMove> {
        let what = "the orders to move";
        let drafts = self.orders.required(path, what, report);
        let drafts = drafts.map(Vec::as_slice).unwrap_or_default();
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

    fn check_command(&self, has_reason: bool, report: &mut Report) -> Option<MoveCommand> {
        let path = Path::Root.key("command");
        let given = self.command.demand(&path, "what to do", report);
        let known = COMMANDS.map(|(command, fields)| (command.as_str(), (command, fields)));
        let (command, fields) = word(given, &path, known, report)?;
        self.refuse_other_fields(command, fields, report);
        if needs_reason(command) && !has_reason {
            report.required(&Path::Root.key("reason"), "why, in words");
        }
        match command {
            Command::Hold => {
                let until = Path::Root.key("until");
                let until = integer(&self.until, &until, (0, i64::MAX), report);
                let until = until.map(Timestamp::from_millis);
                Some(MoveCommand::Hold { until })
            }
            Command::Release => Some(MoveCommand::Release),
            Command::Cancel => {
                let keep_fees = flag(&self.keep_fees, &Path::Root.key("keepFees"), report)?;
                Some(MoveCommand::Cancel { keep_fees })
            }
            Command::Need => self.check_need(report),
            Command::Resolve => self.check_resolution(report).map(MoveCommand::Resolve),
            _ => Some(MoveCommand::Plain(command)),
        }
    }

    fn refuse_other_fields(&self, command: Command, fields: &[&str], report: &mut Report) {
        let given = [
            ("until", !self.until.is_absent()),
            ("keepFees", !self.keep_fees.is_absent()),
            ("code", !self.code.is_blank()),
            ("text", !self.text.is_blank()),
            ("amount", !self.amount.is_blank()),
            ("to", !self.to.is_blank()),
        ];
        for (field, is_given) in given {
            if is_given && !fields.contains(&field) {
                let message = format!("the command `{}` has no such field", command.as_str());
                report.violation(&Path::Root.key(field), IssueCode::Conflict, message);
            }
        }
    }

    fn check_need(&self, report: &mut Report) -> Option<MoveCommand> {
        let root = Path::Root;
        let code_path = root.key("code");
        let code = self.code.demand(&code_path, "what is needed", report);
        let codes = NeedCode::ALL.map(|code| (code.as_str(), code));
        let code = word(code, &code_path, codes, report);
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

impl ValidCommand {
    pub(crate) fn of_move(valid: &ValidMove, order: &OrderToMove) -> Self {
        let order_id = order.order_id.clone();
        Self {
            items: order.items.clone(),
            ..Self::about(order_id, order.version, valid.reason.clone(), Vec::new())
        }
    }
}
