//! Logging: one line per request, and no secrets.

use serde_json::Value;

use crate::common::*;

#[actix_web::test]
async fn a_call_is_one_line_without_secrets() {
    let world = World::new().await;
    world
        .send(signed(&format!("{CREATE}?token=hidden"), order("A-1")))
        .await;
    let logged = take_lines();
    assert_eq!(logged.len(), 1, "{logged:?}");
    let fields = &logged[0]["fields"];
    assert_eq!(fields["method"], "POST");
    assert_eq!(fields["path"], CREATE);
    assert_eq!(fields["status"], 200);
    assert_eq!(fields["store"], STORE);
    assert_eq!(fields["request_id"], "call-1");
    assert!(fields["duration_ms"].is_u64());
    let text = logged[0].to_string();
    for secret in ["hidden", GOOD, "350 5th", "Ana", "A-1"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}

#[actix_web::test]
async fn the_log_contains_reasons_that_responses_hide() {
    let world = World::new().await;
    let refused = world
        .send(signed(CREATE, "{}").insert_header(("X-Service-Hmac-Sha256", BAD)))
        .await;
    assert!(!refused.body.contains("bad signature"));
    let logged = take_lines();
    assert_eq!(logged.len(), 1, "{logged:?}");
    let fields = &logged[0]["fields"];
    assert_eq!(
        (&fields["code"], &fields["reason"]),
        (&"permission_denied".into(), &"bad signature".into())
    );
    assert_eq!(logged[0]["level"], "INFO");
    let sha256 = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
    assert_eq!(
        (&fields["body_length"], &fields["body_sha256"]),
        (&2.into(), &sha256.into()),
        "of {{}}"
    );
    assert!(
        fields.get("store").is_none(),
        "a store that is only claimed is not named"
    );

    world.fail(Fault::Refused);
    world.post(SEARCH, "{}").await;
    let logged = take_lines();
    assert_eq!(logged[0]["level"], "ERROR");
    let reason = &logged[0]["fields"]["reason"];
    assert_eq!(
        reason,
        "the storage refused a call: syntax error at secret_table"
    );
}

#[actix_web::test]
async fn an_unknown_path_is_not_repeated() {
    let world = World::new().await;
    world.send(signed("/some/where/hidden", "{}")).await;
    let logged = take_lines();
    assert_eq!(logged[0]["fields"]["path"], "(none)");
    assert!(!logged[0].to_string().contains("hidden"));
}

#[actix_web::test]
async fn the_line_of_a_400_names_codes_and_paths_and_no_values() {
    let world = World::new().await;
    let mut bad = order("A-1");
    bad["line_items"][0]["fileUrls"] = vec!["hidden://file"].into();
    bad["line_items"][1]["quantity"] = 0.into();
    world.post(CREATE, &bad).await;
    world.post(CREATE, "{\n  \"order_id\": }").await;
    bad["line_items"] = vec![serde_json::json!({ "sku": "S", "quantity": 0 }); 40].into();
    world.post(CREATE, &bad).await;
    world.post(CREATE, order("A-1")).await;
    let logged = take_lines();
    let errors: Vec<&Value> = logged
        .iter()
        .map(|line| &line["fields"]["errors"])
        .collect();
    assert_eq!(
        errors[0],
        "invalid_format line_items[0].fileUrls[0], out_of_range line_items[1].quantity"
    );
    assert_eq!(errors[1], "invalid_json at 2:15");
    let many = errors[2].as_str().unwrap();
    assert!(
        many.ends_with(" and 30 more") && many.len() < 1000,
        "{many}"
    );
    assert!(errors[3].is_null(), "a good call has none");
    assert!(
        logged
            .iter()
            .all(|line| line["fields"].get("body_sha256").is_none()),
        "{logged:?}"
    );
    assert!(
        !logged
            .iter()
            .any(|line| line.to_string().contains("hidden")),
        "{logged:?}"
    );
}
