//! Due changes that the service applies by itself.

use pressline_domain::event::Role;
use pressline_domain::order::DueOrder;
use pressline_domain::value::Timestamp;

use super::command::{Command, CommandCase};
use super::life::{Life, Lives};
use super::shop::Outcome;
use crate::check::same;
use crate::{CaseError, CaseResult};

/// Duration of the service's lease on a due order, in milliseconds.
const LEASE: i64 = 60_000;

impl Lives<'_> {
    /// Applies all due changes, as a server does regularly. Checks that exactly the due orders are
    /// leased.
    pub(super) async fn sweep(&mut self) -> CaseResult {
        let now = self.now();
        let mut wanted = self.due_orders()?;
        let mut taken = self.shop.service.due.take_due(1000).await?;
        let key = |due: &DueOrder| due.order;
        wanted.sort_by_key(key);
        taken.sort_by_key(key);
        same("orders taken", &taken, &wanted)?;
        for due in taken {
            let is_it = |life: &Life| {
                life.current()
                    .is_ok_and(|order| order.content.id == due.order)
            };
            let place = self
                .orders
                .iter()
                .position(is_it)
                .ok_or_else(|| CaseError::new("an unknown order was taken"))?;
            let until = Timestamp::from_millis(now.as_millis() + LEASE);
            self.life_mut(place)?.taken_until = Some(until);
            self.move_due(place).await?;
        }
        Ok(())
    }

    /// Returns the orders with a due change that the service has not leased.
    pub(super) fn due_orders(&self) -> Result<Vec<DueOrder>, CaseError> {
        let now = self.now();
        let mut due = Vec::new();
        for life in &self.orders {
            let order = life.current()?;
            // A leased order is due again when the lease ends.
            let at = life.taken_until.max(order.state.due_at);
            if order.state.due_at.is_some() && at.is_some_and(|at| at <= now) {
                due.push(DueOrder {
                    store: order.content.store_id,
                    order: order.content.id,
                });
            }
        }
        Ok(due)
    }

    async fn move_due(&mut self, place: usize) -> CaseResult {
        let given = CommandCase {
            command: Command::Due,
            by: Role::Service,
            reason: None,
            is_offered: false,
        };
        let life = self.life(place)?;
        let store = self.store(life.store)?.store.clone();
        let before = life.current()?.clone();
        match self.shop.give(&store, &before, &given).await? {
            Outcome::Done {
                order,
                is_replay: false,
            } => {
                let what = format!("due of {}", before.content.order_id);
                let changed = self.changed(place, &given, *order).await;
                changed.map_err(|error| error.in_context(&what))
            }
            _ => Err(CaseError::new("what was due is not done")),
        }
    }
}
