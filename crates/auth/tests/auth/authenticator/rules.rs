//! Signatures, timestamps and settings: accepted calls, and the form of refusals.

use pressline_domain::store::{Denied, SecretKey, SignatureForm, StoreSettings};
use pressline_domain::value::StoreId;

use crate::authenticator::world::{NOW, Request, World, id};

const BASE64_OF_ZEROS: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

fn is_permission<T>(verdict: &Result<T, Denied>) -> bool {
    matches!(verdict, Err(Denied::Permission(_)))
}

#[tokio::test(start_paused = true)]
async fn a_signed_call_is_accepted() {
    let world = World::new().await;
    let mut request = world.signed(&world.key);
    world.ask(&request).await.unwrap();
    // Store ids are compared without regard to case.
    request.store_id = request.store_id.map(|id| id.to_uppercase());
    world.ask(&request).await.unwrap();
}

type Make = fn(&World) -> Request;

/// Returns all kinds of refusals that a caller can cause, each with its own world.
async fn refusals() -> Vec<(&'static str, World, Request)> {
    let mut cases = Vec::new();
    let plain: [(&str, Make); 6] = [
        ("unknown store", |world| {
            let known = world.signed(&world.key).signature.unwrap();
            Request::of(StoreId::new(id(99))).signature(&known)
        }),
        ("no signature", |world| Request::of(world.store)),
        ("empty signature", |world| {
            Request::of(world.store).signature("")
        }),
        ("not a signature", |world| {
            Request::of(world.store).signature("é, nothing like one")
        }),
        ("wrong signature", |world| {
            Request::of(world.store).signature(BASE64_OF_ZEROS)
        }),
        ("another key's", |world| {
            world.signed(&SecretKey::new("another".to_owned()))
        }),
    ];
    for (name, request) in plain {
        let world = World::new().await;
        let request = request(&world);
        cases.push((name, world, request));
    }
    let world = World::new().await;
    world.disable().await;
    let request = world.signed(&world.key);
    cases.push(("disabled store", world, request));
    let world = World::new().await;
    world
        .admin
        .revoke_key(world.store, world.key_id)
        .await
        .unwrap();
    let request = world.signed(&world.key);
    cases.push(("no keys", world, request));
    cases
}

#[tokio::test(start_paused = true)]
async fn all_refusals_cost_the_same() {
    for (name, world, request) in refusals().await {
        let mut counts = Vec::new();
        // The first call loads the store, the second may reload it, the third may not.
        for _ in 0..3 {
            counts.push((
                world.verifications(&request).await,
                world.directory.finds.reads(),
            ));
            world.pass(1).await;
        }
        assert_eq!(counts, [(1, 1), (2, 2), (1, 2)], "{name}");
    }
}

#[tokio::test(start_paused = true)]
async fn invalid_store_ids_are_not_looked_up() {
    let world = World::new().await;
    let known = world.signed(&world.key);
    // A UUID without hyphens.
    let compact = world.store.to_string().replace('-', "");
    for store_id in [
        None,
        Some(""),
        Some("1"),
        Some("' or 1=1 --"),
        Some(compact.as_str()),
    ] {
        let request = Request {
            store_id: store_id.map(str::to_owned),
            ..known.clone()
        };
        assert_eq!(world.verifications(&request).await, 1, "{store_id:?}");
    }
    assert_eq!(world.directory.finds.reads(), 0);
}

#[tokio::test(start_paused = true)]
async fn the_log_contains_the_reason_that_the_caller_does_not_see() {
    let mut reasons = Vec::new();
    for (name, world, request) in refusals().await {
        let Err(Denied::Permission(reason)) = world.ask(&request).await else {
            panic!("{name}")
        };
        reasons.push(reason);
    }
    let wrong = "no live key of the store made this signature of this body";
    assert_eq!(
        reasons,
        [
            "no store has this id",
            "X-Service-Hmac-Sha256 is missing",
            "X-Service-Hmac-Sha256 is empty",
            wrong,
            wrong,
            wrong,
            "the store is disabled",
            "the store has no live key",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_timestamp_may_differ_by_300_seconds() {
    let world = World::new().await;
    for off in [-300, -1, 0, 1, 300] {
        let request = Request::of(world.store).stamped(&(NOW + off).to_string(), &world.key);
        world.ask(&request).await.unwrap();
    }
    // Milliseconds instead of seconds.
    let milliseconds = (NOW * 1000).to_string();
    let out = [
        (NOW - 301).to_string(),
        (NOW + 301).to_string(),
        milliseconds,
        i64::MIN.to_string(),
    ];
    let no_number = [
        "",
        "now",
        "1760000000.0",
        " 1760000000",
        "99999999999999999999",
    ]
    .map(str::to_owned);
    for timestamp in out.iter().chain(&no_number) {
        let request = Request::of(world.store).stamped(timestamp, &world.key);
        let verdict = world.ask(&request).await;
        assert!(
            matches!(verdict, Err(Denied::TimestampOutOfRange)),
            "{timestamp}: {verdict:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn with_a_timestamp_the_signature_must_cover_the_whole_text() {
    let world = World::new().await;
    let good = Request::of(world.store).stamped(&NOW.to_string(), &world.key);
    let of_the_body = world.signed(&world.key);
    for wrong in [
        Request {
            signature: of_the_body.signature,
            ..good.clone()
        },
        Request {
            timestamp: Some((NOW + 1).to_string()),
            ..good.clone()
        },
        // A wrong signature is reported as such, even if its timestamp is missing or too old.
        Request {
            timestamp: None,
            ..good.clone()
        },
        Request {
            timestamp: Some("0".to_owned()),
            ..good
        },
    ] {
        let verdict = world.ask(&wrong).await;
        assert!(is_permission(&verdict), "{wrong:?}: {verdict:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_missing_timestamp_is_reported_only_with_a_valid_signature() {
    let world = World::with(StoreSettings {
        require_timestamp: true,
        ..StoreSettings::default()
    })
    .await;
    world
        .ask(&Request::of(world.store).stamped(&NOW.to_string(), &world.key))
        .await
        .unwrap();
    let verdict = world.ask(&world.signed(&world.key)).await;
    assert!(
        matches!(verdict, Err(Denied::TimestampRequired)),
        "{verdict:?}"
    );
    for wrong in [
        world.signed(&SecretKey::new("another".to_owned())),
        Request::of(world.store),
    ] {
        let verdict = world.ask(&wrong).await;
        assert!(is_permission(&verdict), "{wrong:?}: {verdict:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_body_signature_is_refused_if_it_must_cover_the_path() {
    let world = World::new().await;
    let timestamped = |request: Request| Request {
        form: SignatureForm::Timestamped,
        ..request
    };
    let stamped = Request::of(world.store).stamped(&NOW.to_string(), &world.key);
    world.ask(&timestamped(stamped)).await.unwrap();
    let verdict = world.ask(&timestamped(world.signed(&world.key))).await;
    assert!(
        matches!(verdict, Err(Denied::TimestampRequired)),
        "{verdict:?}"
    );
    for wrong in [world.signed_wrongly(), Request::of(world.store)] {
        let verdict = world.ask(&timestamped(wrong)).await;
        assert!(is_permission(&verdict), "{verdict:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_setting_permits_unsigned_searches() {
    let open = StoreSettings {
        allow_unsigned_search: true,
        ..StoreSettings::default()
    };
    let closed = World::new().await;
    assert!(is_permission(
        &closed.ask(&Request::of(closed.store).search()).await
    ));
    let world = World::with(open.clone()).await;
    let unsigned = Request::of(world.store).search();
    world.ask(&unsigned).await.unwrap();
    world.ask(&world.signed(&world.key).search()).await.unwrap();
    for wrong in [
        Request::of(world.store),
        unsigned.clone().signature(""),
        unsigned.clone().signature(BASE64_OF_ZEROS),
        world.signed(&SecretKey::new("another".to_owned())).search(),
    ] {
        let verdict = world.ask(&wrong).await;
        assert!(is_permission(&verdict), "{wrong:?}: {verdict:?}");
    }
    // An unsigned timestamp would prove nothing, so unsigned calls need none. A signed call still
    // needs one.
    let both = World::with(StoreSettings {
        require_timestamp: true,
        ..open
    })
    .await;
    both.ask(&Request::of(both.store).search()).await.unwrap();
    let verdict = both.ask(&both.signed(&both.key).search()).await;
    assert!(
        matches!(verdict, Err(Denied::TimestampRequired)),
        "{verdict:?}"
    );

    world.disable().await;
    // Longer than a store is cached.
    world.pass(5_000).await;
    assert!(is_permission(&world.ask(&unsigned).await));
}
