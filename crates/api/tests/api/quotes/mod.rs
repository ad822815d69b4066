//! Quotes: an estimate or a dry run is the order that would be stored, to the last digit, and
//! nothing is stored.

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
