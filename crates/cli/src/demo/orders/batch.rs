//! Batch of the demo: half of its items are packed.

use pressline_backoffice::production::{
    BatchDraft, BatchNameDraft, MisprintDraft, ProductionError, RecordDraft, StepName,
};
use pressline_domain::check::Field;
use pressline_domain::value::Timestamp;

use super::DemoOrders;

const MINUTE: i64 = 60_000;
const ITEMS: usize = 12;

impl DemoOrders {
    /// Uses the first [`ITEMS`] items. All of them reach the last step, and half of them pass it.
    pub(super) async fn make_batch(
        &self,
        codes: &[String],
        now: Timestamp,
    ) -> Result<(), ProductionError> {
        let codes = codes.get(..ITEMS).unwrap_or(codes);
        let items = codes.iter().map(|code| Field::Value(code.clone()));
        let draft = BatchDraft {
            items: Field::Value(items.collect()),
            name: "Morning press run".into(),
        };
        let (production, operator) = (&self.production, &self.operator);
        self.clock.set(now.plus_millis(-150 * MINUTE));
        let made = production.create_batch(operator, &draft, &self.by_operator);
        let batch = BatchNameDraft {
            batch: made.await?.header.number.to_string().into(),
        };
        self.clock.advance(5 * MINUTE);
        let started = production.start_batch(operator, &batch, &self.by_operator);
        started.await?;
        // Before all other records, so that the misprinted unit passes the steps again.
        self.misprint(codes).await?;
        let steps = production.steps.names();
        for (position, step) in steps.iter().enumerate() {
            let is_last = position + 1 == steps.len();
            let passed = if is_last {
                codes.len() / 2
            } else {
                codes.len()
            };
            for code in codes.iter().take(passed) {
                self.clock.advance(2 * MINUTE);
                self.record(code, step).await?;
            }
        }
        Ok(())
    }

    async fn misprint(&self, codes: &[String]) -> Result<(), ProductionError> {
        let steps = self.production.steps.names();
        let (Some(code), Some(step)) = (codes.first(), steps.first()) else {
            return Ok(());
        };
        self.record(code, step).await?;
        let draft = MisprintDraft {
            item_code: code.as_str().into(),
            units: 1.into(),
            reason: "The print is smeared".into(),
            ..MisprintDraft::default()
        };
        let (operator, by) = (&self.operator, &self.by_operator);
        let noted = self.production.misprint(operator, &draft, by).await;
        noted.map(drop)
    }

    /// Records that all units of the item `code` that wait at `step` have passed it.
    async fn record(&self, code: &str, step: &StepName) -> Result<(), ProductionError> {
        let draft = RecordDraft {
            item_code: code.into(),
            step: step.as_str().into(),
            ..RecordDraft::default()
        };
        let (operator, by) = (&self.operator, &self.by_operator);
        let recorded = self.production.record(operator, &draft, by).await;
        recorded.map(drop)
    }
}
