//! Waiting for the lists of words, which servers build in the background (docs/adr/0018).

use std::thread;
use std::time::{Duration, Instant};

use crate::BenchError;
use crate::context::Context;
use crate::database::text;
use crate::progress::say;

/// Between two looks.
const PAUSE: Duration = Duration::from_secs(2);
/// A million orders take some minutes.
const DEADLINE: Duration = Duration::from_secs(3600);
/// The stores that have as many orders behind their lists as a segment takes.
const WITHOUT_LISTS: &str = "SELECT count(*)::text AS value \
    FROM store_counters \
    WHERE 16384 < ( \
        SELECT count(*) \
        FROM order_words \
        WHERE order_words.store_id = store_counters.store_id \
          AND id < chunk_from \
          AND id >= COALESCE( \
              ( \
                  SELECT max(before_id) \
                  FROM word_segments \
                  WHERE word_segments.store_id = store_counters.store_id \
                    AND build > 0 \
              ), \
              '' \
          ) \
    )";

/// Waits until all lists are built, so that no measurement pays for it.
pub(in crate::task) fn wait(context: &Context, database: &str) -> Result<(), BenchError> {
    let mut connection = context.cluster.connect(database)?;
    let begun = Instant::now();
    while text(&mut connection, WITHOUT_LISTS)? != "0" {
        if begun.elapsed() > DEADLINE {
            return Err("no lists of words are built".into());
        }
        thread::sleep(PAUSE);
    }
    let seconds = begun.elapsed().as_secs();
    say(&format!("lists of words were ready after {seconds} s"));
    Ok(())
}
