//! A dry run or an estimate returns the order that would be stored, to the last digit, and stores
//! nothing.

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
