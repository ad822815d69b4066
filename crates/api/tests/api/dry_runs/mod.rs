//! Dry runs and estimates return exactly the order that would be stored, and store nothing.

mod placed;
mod prices;
mod refusals;
mod shop;

use serde_json::Value;

fn dry(request: &Value) -> Value {
    let mut request = request.clone();
    request["dryRun"] = true.into();
    request
}
