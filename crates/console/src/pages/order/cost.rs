//! Cost of approving a requested change: the order's bill, compared with the bill of a dry run.

use pressline_domain::fulfilment::{PendingChange, SnapshotParts};
use pressline_domain::order::request::DecideDraft;
use pressline_domain::order::{Order, OrderError};

use super::bill::{BillLine, lines};
use crate::shell::view::{bill, money, signed_money};
use crate::shell::{FormErrors, Result, SignedInRequest};

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    /// Fee lines that the change adds, changes or removes.
    pub(crate) lines: Vec<CostLine>,
    /// Order totals before and after the change.
    pub(crate) totals: [String; 2],
    /// Reason why the change cannot be approved now; empty if approval is possible.
    pub(crate) obstacle: String,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CostLine {
    pub(crate) fee: &'static str,
    /// Code of the item that the line charges; empty if the line charges the whole order.
    pub(crate) item: String,
    pub(crate) rule: String,
    /// Amounts of the line before and after the change. The first text is empty if the change adds
    /// the line, the second text if the change removes it.
    pub(crate) amounts: [String; 2],
}

/// Sets only `obstacle` if the dry run of the approval is refused.
pub(super) async fn cost(
    visit: &SignedInRequest,
    order: &Order,
    pending: &PendingChange,
) -> Result<Cost> {
    let draft = DecideDraft {
        order_id: order.service_order_id.to_string().into(),
        decision: "approve".into(),
        change_id: pending.id.to_string().into(),
        ..DecideDraft::default()
    };
    let (orders, by) = (&visit.services().orders, visit.by());
    match orders
        .change
        .dry_run_decide(visit.scope(), &draft, &by)
        .await
    {
        Ok(approved) => compared(order, approved.order.snapshot()),
        Err(error) => Ok(Cost {
            obstacle: obstacle(error)?,
            ..Cost::default()
        }),
    }
}

fn obstacle(error: OrderError) -> Result<String> {
    let errors = FormErrors::from_error(error)?;
    let fields = errors.fields.into_iter().map(|wrong| wrong.message);
    let messages = fields.chain((!errors.message.is_empty()).then_some(errors.message));
    Ok(messages.collect::<Vec<_>>().join("; "))
}

fn compared(before: &SnapshotParts, after: &SnapshotParts) -> Result<Cost> {
    let currency = before.content.currency;
    let (mut old, mut new) = (lines(before)?, lines(after)?);
    // Unchanged lines are not shown. Each line of `new` matches at most one line of `old`.
    old.retain(|line| {
        let same = new.iter().position(|other| line.is_same(other));
        same.map(|at| new.remove(at)).is_none()
    });
    let mut rows: Vec<CostLine> = Vec::new();
    // The other old lines were changed or removed.
    for line in old {
        let changed = new.iter().position(|other| line.is_about(other));
        let after = changed.map(|at| new.remove(at));
        let amount = after
            .as_ref()
            .map(|after| signed_money(after.amount, currency));
        rows.push(CostLine {
            amounts: [
                signed_money(line.amount, currency),
                amount.unwrap_or_default(),
            ],
            ..CostLine::new(after.unwrap_or(line))
        });
    }
    rows.extend(new.into_iter().map(|line| CostLine {
        amounts: [String::new(), signed_money(line.amount, currency)],
        ..CostLine::new(line)
    }));
    Ok(Cost {
        lines: rows,
        totals: [total(before)?, total(after)?],
        obstacle: String::new(),
    })
}

fn total(order: &SnapshotParts) -> Result<String> {
    let total = bill(order)?.total();
    Ok(match order.is_priced() {
        true => money(total, order.content.currency),
        false => "not priced".to_owned(),
    })
}

impl BillLine {
    fn is_about(&self, other: &Self) -> bool {
        (self.fee, &self.item) == (other.fee, &other.item)
    }

    fn is_same(&self, other: &Self) -> bool {
        self.is_about(other) && (&self.rule, self.amount) == (&other.rule, other.amount)
    }
}

impl CostLine {
    fn new(line: BillLine) -> Self {
        Self {
            fee: line.fee.as_str(),
            item: line.item,
            rule: line.rule,
            amounts: [String::new(), String::new()],
        }
    }
}
