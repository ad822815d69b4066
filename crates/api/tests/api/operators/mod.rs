//! The operator API: rights by role, and store access by token.

mod catalog;
mod checks;
mod examples;
mod imports;
mod matrix;
mod parcels;
mod production;
mod stores;
mod world;

use pressline_backoffice::operator::OperatorRole;
use serde_json::json;

use crate::common::{Response, STORE};
use world::{OTHER_STORE, OperatorWorld, admin, token};

/// A response for each row of the error table that can only occur in the operator API.
pub(crate) async fn provoked() -> Vec<Response> {
    let world = OperatorWorld::new().await;
    let viewer = token(OperatorRole::Viewer, false);
    let bound = token(OperatorRole::Admin, true);
    let unknown_key = json!({ "storeId": STORE, "keyId": STORE });
    let taken = json!({ "name": "Shop", "prefix": "DEMO" });
    let other = json!({ "storeId": OTHER_STORE });
    world.send_parcels().await;
    // Must come before all units of the order are shipped.
    let mut provoked = world.provoke_production().await;
    let first = parcels::good_body("shipments/create", STORE);
    world
        .call(&admin(), "shipments/create", first.clone())
        .await;
    let (mut other_parcel, unknown) =
        (first, json!({ "shipmentId": STORE, "status": "delivered" }));
    other_parcel["carrier"] = "DHL".into();
    provoked.extend([
        world.call(&viewer, "stores/list", json!({})).await,
        world.call(&bound, "stores/show", other).await,
        world
            .call(&admin(), "stores/keys/revoke", unknown_key)
            .await,
        world.call(&admin(), "stores/create", taken).await,
        world.call(&admin(), "shipments/track", unknown).await,
        world.call(&admin(), "shipments/create", other_parcel).await,
    ]);
    provoked
}
