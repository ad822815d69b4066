//! Cases about an id source.

use std::collections::HashSet;
use std::thread;

use pressline_domain::runtime::IdSource;
use pressline_domain::value::Timestamp;
use uuid::Uuid;

use crate::check::{holds, same};
use crate::{CaseError, CaseResult, PureCase, pure_cases};

pub(crate) const CASES: &[PureCase<dyn IdSource>] = pure_cases![
    ids_grow_strictly,
    ids_of_threads_never_meet,
    an_id_says_when_it_was_made
];

/// 2030-01-01, later than any time that an earlier call may have passed.
const LATER: i64 = 1_893_456_000_000;

fn ids_grow_strictly(ids: &dyn IdSource) -> CaseResult {
    let mut last = ids.next(Timestamp::from_millis(LATER));
    // The clock stands still, advances, and goes back by an hour.
    for millis in (0..3000)
        .map(|i| LATER + i / 1000)
        .chain((0..1000).map(|i| LATER + i - 3_600_000))
    {
        let next = ids.next(Timestamp::from_millis(millis));
        holds(
            &format!("{next} at {millis} is not above {last}"),
            next > last,
        )?;
        last = next;
    }
    Ok(())
}

fn ids_of_threads_never_meet(ids: &dyn IdSource) -> CaseResult {
    let now = Timestamp::from_millis(LATER);
    let made: Vec<Vec<Uuid>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| (0..2000).map(|_| ids.next(now)).collect::<Vec<Uuid>>()))
            .collect();
        threads
            .into_iter()
            .map(|thread| {
                thread
                    .join()
                    .map_err(|_| CaseError::new("a thread panicked"))
            })
            .collect::<Result<_, _>>()
    })?;
    for of_thread in &made {
        holds(
            "the ids of one thread do not grow",
            of_thread.is_sorted_by(|one, next| one < next),
        )?;
    }
    let distinct: HashSet<&Uuid> = made.iter().flatten().collect();
    same("distinct ids", &distinct.len(), &8000)
}

fn an_id_says_when_it_was_made(ids: &dyn IdSource) -> CaseResult {
    let millis = LATER + 86_400_000;
    let id = ids.next(Timestamp::from_millis(millis));
    same("the version", &id.get_version_num(), &7)?;
    same("the variant", &id.get_variant(), &uuid::Variant::RFC4122)?;
    let made = id.get_timestamp().map(|timestamp| timestamp.to_unix());
    let (seconds, nanos) = made.ok_or_else(|| CaseError::new("the id has no time"))?;
    same(
        "its time in seconds",
        &i64::try_from(seconds)?,
        &(millis / 1000),
    )?;
    same(
        "its milliseconds",
        &i64::from(nanos / 1_000_000),
        &(millis % 1000),
    )
}
