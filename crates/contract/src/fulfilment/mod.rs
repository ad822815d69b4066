//! Model test: random commands by stores, operators, carriers and the clock run through the use
//! cases and the ports of an adapter. The resulting orders are compared with a second, independent
//! description of the rules.

mod command;
mod decisions;
mod drafts;
mod generate;
mod goods;
mod history;
mod life;
mod money;
mod races;
mod rendezvous;
mod shop;
mod state;
mod sweep;
mod table;
mod updates;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::check::holds;
use crate::random::Random;
use crate::{Adapters, Case, CaseResult, cases};
use life::Lives;
use shop::Shop;

pub(crate) const CASES: &[Case] = cases![
    random_lives_follow_the_table,
    of_racing_commands_one_follows_the_other,
];

/// Environment variable with the number of steps.
const VARIABLE: &str = "PRESSLINE_CONTRACT_STEPS";
/// Number of steps if [`VARIABLE`] is not set.
const STEPS: u64 = 250;
/// Number of steps per group of parallel lives.
const STEPS_OF_LIVES: u64 = 250;
/// Steps counted for each race; a race has about 25 commands.
const STEPS_OF_RACE: u64 = 20;
/// Number of steps after which every type of event must have occurred.
const ENOUGH_STEPS: u64 = 5000;
/// Number of event types that can occur without a replacement order.
const EVENT_TYPES: usize = 19;

fn steps() -> u64 {
    let given = std::env::var(VARIABLE).ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(STEPS)
}

async fn random_lives_follow_the_table(adapters: Adapters) -> CaseResult {
    let shop = Shop::open(adapters).await?;
    let mut seen: BTreeMap<&'static str, u32> = BTreeMap::new();
    for number in 0..steps().div_ceil(STEPS_OF_LIVES) {
        let random = Random::of_run(number);
        let seed = random.to_string();
        let mut lives = Lives::begin(&shop, number, random).await?;
        for step in 0..STEPS_OF_LIVES {
            let done = lives.step().await;
            done.map_err(|error| error.in_context(&format!("{seed}, step {step}")))?;
        }
        let ended = lives.end().await;
        ended.map_err(|error| error.in_context(&format!("{seed}, the end")))?;
        for (kind, count) in lives.seen {
            *seen.entry(kind).or_default() += count;
        }
    }
    let is_complete = seen.len() == EVENT_TYPES || steps() < ENOUGH_STEPS;
    holds(&format!("types of events seen: {seen:?}"), is_complete)
}

async fn of_racing_commands_one_follows_the_other(adapters: Adapters) -> CaseResult {
    let shop = Arc::new(Shop::open(adapters).await?);
    for number in 0..steps().div_ceil(STEPS_OF_RACE) {
        let random = Random::of_run(number);
        let seed = random.to_string();
        let raced = races::race(&shop, number, random).await;
        raced.map_err(|error| error.in_context(&seed))?;
    }
    Ok(())
}
