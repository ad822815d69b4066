//! Random records compared with a model of the rules, and concurrent records.

use std::sync::Arc;

use pressline_backoffice::production::{ProductionError, RecordDraft};
use proptest::prelude::*;
use tokio::task::JoinSet;

use super::floor::{Floor, done};

const STEPS: [&str; 3] = ["print", "check", "pack"];
const QUANTITY: u32 = 6;

#[derive(Debug, Clone, Copy)]
enum Act {
    Record(usize, Option<u32>),
    Misprint(u32),
    Ship(u32),
    PutBack,
    Cancel,
}

fn any_act() -> impl Strategy<Value = Act> {
    prop_oneof![
        12 => (0..3_usize, proptest::option::of(1..4_u32)).prop_map(|(step, units)| Act::Record(step, units)),
        4 => (1..4_u32).prop_map(Act::Misprint),
        2 => (1..3_u32).prop_map(Act::Ship),
        1 => Just(Act::PutBack),
        1 => Just(Act::Cancel),
    ]
}

/// Number of completed steps of each unit. Shipped units have completed all steps.
struct Units {
    steps: Vec<usize>,
    shipped: usize,
}

impl Units {
    fn new() -> Self {
        Self {
            steps: vec![0; QUANTITY as usize],
            shipped: 0,
        }
    }

    /// Units that have completed exactly `step` steps, shipped units last.
    fn waiting(&self, step: usize) -> Vec<usize> {
        let units = self.steps.iter().enumerate();
        let waiting = units.filter(|(_, done)| **done == step);
        waiting.map(|(unit, _)| unit).collect()
    }

    fn done(&self) -> Vec<u32> {
        let done = |step: usize| self.steps.iter().filter(|done| **done > step).count();
        (0..3)
            .map(|step| u32::try_from(done(step)).unwrap())
            .collect()
    }

    /// Records units as done; returns `false` if fewer wait.
    fn record(&mut self, step: usize, units: Option<u32>) -> bool {
        let waiting = self.waiting(step);
        let units = units.map_or(waiting.len(), |units| units as usize);
        if units == 0 || units > waiting.len() {
            return false;
        }
        waiting
            .iter()
            .take(units)
            .for_each(|unit| self.steps[*unit] += 1);
        true
    }

    /// Takes back the units with the fewest completed steps; returns `false` if there are too few.
    fn misprint(&mut self, units: u32) -> bool {
        let mut printed: Vec<usize> = (0..self.steps.len())
            .filter(|unit| self.steps[*unit] > 0)
            .collect();
        printed.sort_by_key(|unit| self.steps[*unit]);
        let free = printed.len().saturating_sub(self.shipped);
        if units as usize > free {
            return false;
        }
        printed
            .iter()
            .take(units as usize)
            .for_each(|unit| self.steps[*unit] = 0);
        true
    }

    /// Ships `units` units, beginning with units that have completed the most steps.
    fn ship(&mut self, units: u32) {
        self.shipped += units as usize;
        self.steps
            .sort_unstable_by_key(|done| std::cmp::Reverse(*done));
        self.steps
            .iter_mut()
            .take(self.shipped)
            .for_each(|done| *done = 3);
    }
}

/// Applies `act` to the service and to the model, and compares. Returns `false` if the item is
/// cancelled.
async fn act(floor: &Floor, units: &mut Units, act: Act, number: usize) -> bool {
    match act {
        Act::Record(step, wanted) => {
            let before = units.done()[step];
            let outcome = floor
                .record("DEMO-1-1", STEPS[step], wanted.map(i64::from))
                .await;
            let nothing_waits = units.waiting(step).is_empty();
            let is_repeated =
                nothing_waits && before > 0 && (wanted.is_none() || before == QUANTITY);
            let is_recorded = units.record(step, wanted);
            match outcome {
                Ok(recorded) => assert_eq!(recorded.replayed, !is_recorded, "{act:?}"),
                Err(ProductionError::OutOfOrder(_)) => assert!(!is_recorded, "{act:?}"),
                Err(error) => panic!("{act:?}: {error}"),
            }
            assert!(
                is_recorded
                    || is_repeated
                    || floor.item("DEMO-1-1").await.production.units.done()[step] == before
            );
        }
        Act::Misprint(wanted) => {
            let outcome = floor.misprint("DEMO-1-1", i64::from(wanted)).await;
            assert_eq!(outcome.is_ok(), units.misprint(wanted), "{act:?}");
        }
        Act::Ship(wanted) => {
            if units.shipped + wanted as usize >= QUANTITY as usize {
                return true;
            }
            let order = floor.shop.stored("T-1").await.unwrap();
            floor
                .ship(&order, &format!("box {number}"), i64::from(wanted))
                .await;
            units.ship(wanted);
        }
        Act::PutBack => {
            if units.shipped == 0 && floor.status("DEMO-1-1").await.as_str() == "in-production" {
                floor.give("put-back", "DEMO-1").await;
            }
        }
        Act::Cancel => {
            if units.shipped == 0 {
                floor.give("cancel", "DEMO-1").await;
                assert!(floor.record("DEMO-1-1", "print", Some(1)).await.is_err());
                return false;
            }
        }
    }
    true
}

async fn run(acts: Vec<Act>) {
    let floor = Floor::open().await;
    floor.ready("T-1", &[i64::from(QUANTITY)]).await;
    let mut units = Units::new();
    for (number, next) in acts.into_iter().enumerate() {
        if !act(&floor, &mut units, next, number).await {
            break;
        }
        let item = floor.item("DEMO-1-1").await;
        assert_eq!(done(&item), units.done(), "after {next:?}");
        assert!(
            item.production
                .units
                .done()
                .is_sorted_by(|one, next| one >= next)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_records_never_exceed_the_quantity(acts in proptest::collection::vec(any_act(), 1..40)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(run(acts));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_records_never_exceed_the_quantity() {
    let floor = Arc::new(Floor::open().await);
    floor.ready("T-1", &[20]).await;
    let mut calls = JoinSet::new();
    for _ in 0..30 {
        let floor = Arc::clone(&floor);
        calls.spawn(async move {
            let draft = RecordDraft {
                item_code: "DEMO-1-1".into(),
                step: "print".into(),
                units: 1.into(),
                ..RecordDraft::default()
            };
            let recorded = floor.try_record(&floor.desk.operator, &draft).await;
            recorded.is_ok_and(|recorded| !recorded.replayed)
        });
    }
    let mut recorded = 0;
    while let Some(was_recorded) = calls.join_next().await {
        recorded += u32::from(was_recorded.unwrap());
    }
    assert_eq!(recorded, 20);
    assert_eq!(done(&floor.item("DEMO-1-1").await), [20, 0, 0]);
}
