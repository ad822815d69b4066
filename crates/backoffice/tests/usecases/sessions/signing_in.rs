//! How sessions begin, how long they last, and how they end.

use std::sync::atomic::Ordering;

use pressline_backoffice::audit::AuditContext;
use pressline_backoffice::operator::{
    Activity, Confirmation, OperatorRole, SessionError, SignedIn,
};

use super::{HOUR, MINUTE, PASSWORD, World, at, client};

async fn authenticated(world: &World, text: &str, activity: Activity) -> Option<SignedIn> {
    let found = world.sessions.authenticate(text, activity).await;
    found.unwrap()
}

#[tokio::test]
async fn a_link_signs_in_once() {
    let world = World::new().await;
    let link = world.link("Ana").await;
    let opened = world.sessions.sign_in_by_link(&link, &client()).await;
    let opened = opened.unwrap();
    assert_eq!(opened.signed_in.operator.name, "Ana");
    assert_eq!(opened.signed_in.session.confirmed_by, Confirmation::Link);
    assert!(!opened.signed_in.has_password);
    let text = opened.text.expose();
    assert_ne!(text, link);
    let found = authenticated(&world, text, Activity::Action).await;
    assert_eq!(found, Some(opened.signed_in));
    let again = world.sessions.sign_in_by_link(&link, &client()).await;
    assert!(matches!(again, Err(SessionError::LinkDenied)));
}

#[tokio::test]
async fn a_link_works_for_10_minutes() {
    let world = World::new().await;
    let (early, late) = (world.link("Ana").await, world.link("Ana").await);
    world.wait(10 * MINUTE - 1);
    let sessions = &world.sessions;
    assert!(sessions.sign_in_by_link(&early, &client()).await.is_ok());
    world.wait(1);
    let refused = sessions.sign_in_by_link(&late, &client()).await;
    assert!(matches!(refused, Err(SessionError::LinkDenied)));
}

#[tokio::test]
async fn other_secrets_are_neither_links_nor_sessions() {
    let world = World::new().await;
    let opened = world.by_link().await;
    let text = opened.text.expose();
    // Empty, too short, unknown, and of the wrong case.
    for wrong in [
        "",
        "link",
        &"0".repeat(63),
        &"f".repeat(64),
        &text.to_uppercase(),
    ] {
        let refused = world.sessions.sign_in_by_link(wrong, &client()).await;
        assert!(matches!(refused, Err(SessionError::LinkDenied)), "{wrong}");
        let found = authenticated(&world, wrong, Activity::Action).await;
        assert_eq!(found, None, "{wrong}");
    }
    // A session's secret is not a link.
    let refused = world.sessions.sign_in_by_link(text, &client()).await;
    assert!(matches!(refused, Err(SessionError::LinkDenied)));
}

#[tokio::test]
async fn carriers_and_unknown_operators_get_no_link() {
    let world = World::new().await;
    let refused = world
        .sessions
        .make_link("Carl", AuditContext::COMMAND_LINE)
        .await;
    let reason = refused.unwrap_err();
    assert!(matches!(&reason, SessionError::Carrier(name) if name == "Carl"));
    assert!(reason.to_string().contains("carrier"), "{reason}");
    let refused = world
        .sessions
        .make_link("Bob", AuditContext::COMMAND_LINE)
        .await;
    assert!(matches!(refused, Err(SessionError::NotFound(name)) if name == "Bob"));
}

#[tokio::test]
async fn a_name_and_its_password_sign_in() {
    let world = World::new().await;
    world.with_password().await;
    let opened = world.sessions.sign_in(" Ana ", PASSWORD, &client()).await;
    let opened = opened.unwrap();
    assert!(opened.signed_in.has_password);
    let session = &opened.signed_in.session;
    assert_eq!(session.confirmed_by, Confirmation::Password);
    let found = authenticated(&world, opened.text.expose(), Activity::Action).await;
    assert_eq!(found, Some(opened.signed_in));
}

#[tokio::test]
async fn wrong_names_and_wrong_passwords_are_indistinguishable() {
    let world = World::new().await;
    world.with_password().await;
    world.create("Without", OperatorRole::Admin).await;
    // Wrong passwords, a name in the wrong case, an unknown name, an operator without a password,
    // and a carrier.
    for (name, password) in [
        ("Ana", "violet anvil hum"),
        ("Ana", ""),
        ("ana", PASSWORD),
        ("Unknown", PASSWORD),
        ("Without", ""),
        ("Carl", PASSWORD),
    ] {
        let before = world.hasher.comparisons.load(Ordering::Relaxed);
        let refused = world.sessions.sign_in(name, password, &client()).await;
        assert!(matches!(refused, Err(SessionError::Denied)), "{name}");
        let after = world.hasher.comparisons.load(Ordering::Relaxed);
        // A comparison is made for every name, so that timing does not reveal names.
        assert_eq!(after - before, 1, "{name}");
    }
}

#[tokio::test]
async fn a_name_has_5_sign_in_attempts_per_minute() {
    let world = World::new().await;
    world.with_password().await;
    for number in 0..5 {
        // Another address each time, so that only the limit per name applies.
        let from = at(&format!("192.0.2.{number}"));
        // A right password counts as an attempt too.
        let password = if number == 0 { PASSWORD } else { "wrong" };
        let _ = world.sessions.sign_in("Ana", password, &from).await;
    }
    let before = world.hasher.comparisons.load(Ordering::Relaxed);
    world.wait(10_000);
    let refused = world.sessions.sign_in("Ana", PASSWORD, &client()).await;
    let Err(SessionError::TooManyTries { retry_after }) = refused else {
        panic!("{refused:?}");
    };
    // One minute after the first attempt.
    assert_eq!(retry_after.as_secs(), 50);
    // Refused before the password was hashed.
    assert_eq!(world.hasher.comparisons.load(Ordering::Relaxed), before);
    // The limit is per operator name. A link contains no name, so attackers cannot lock Ana out.
    let link = world.link("Ana").await;
    let opened = world.sessions.sign_in_by_link(&link, &client()).await;
    assert!(opened.is_ok());
    world.wait(50_000);
    let opened = world.sessions.sign_in("Ana", PASSWORD, &client()).await;
    assert!(opened.is_ok());
}

#[tokio::test]
async fn an_address_has_20_sign_in_attempts_per_minute() {
    let world = World::new().await;
    for number in 0..20 {
        // All clones share the limit.
        let sessions = world.sessions.clone();
        let refused = sessions.sign_in(&number.to_string(), "", &client()).await;
        assert!(matches!(refused, Err(SessionError::Denied)));
    }
    let refused = world.sessions.sign_in("Ana", PASSWORD, &client()).await;
    assert!(matches!(refused, Err(SessionError::TooManyTries { .. })));
    // Behind an untrusted proxy, all operators share this address: links must still work.
    for _ in 0..30 {
        let wrong = "f".repeat(64);
        let refused = world.sessions.sign_in_by_link(&wrong, &client()).await;
        assert!(matches!(refused, Err(SessionError::LinkDenied)));
    }
    let link = world.link("Ana").await;
    let opened = world.sessions.sign_in_by_link(&link, &client()).await;
    assert!(opened.is_ok());
}

#[tokio::test]
async fn a_session_ends_after_12_hours_without_an_action() {
    let world = World::new().await;
    let opened = world.by_link().await;
    let text = opened.text.expose();
    world.wait(11 * HOUR);
    assert!(
        authenticated(&world, text, Activity::Action)
            .await
            .is_some()
    );
    for _ in 0..11 {
        world.wait(HOUR);
        assert!(authenticated(&world, text, Activity::Poll).await.is_some());
    }
    // Polling does not prolong the session.
    world.wait(HOUR);
    assert_eq!(authenticated(&world, text, Activity::Poll).await, None);
    assert_eq!(authenticated(&world, text, Activity::Action).await, None);
}

#[tokio::test]
async fn a_session_ends_after_7_days_even_if_used() {
    let world = World::new().await;
    let opened = world.by_link().await;
    let text = opened.text.expose();
    for _ in 1..7 * 24 {
        world.wait(HOUR);
        assert!(
            authenticated(&world, text, Activity::Action)
                .await
                .is_some()
        );
    }
    world.wait(HOUR);
    assert_eq!(authenticated(&world, text, Activity::Action).await, None);
}

#[tokio::test]
async fn the_last_use_is_written_at_most_once_a_minute() {
    let world = World::new().await;
    let opened = world.by_link().await;
    let text = opened.text.expose();
    let began = opened.signed_in.session.last_used_at;
    for (wait, noted) in [
        (MINUTE - 1, 0),
        (1, MINUTE),
        (MINUTE - 1, MINUTE),
        (1, 2 * MINUTE),
    ] {
        world.wait(wait);
        let found = authenticated(&world, text, Activity::Action).await;
        let used = found.unwrap().session.last_used_at;
        assert_eq!(used.millis_since(began), noted);
    }
}

#[tokio::test]
async fn a_session_ends_when_its_operator_signs_out() {
    let world = World::new().await;
    let (opened, other) = (world.by_link().await, world.by_link().await);
    let who = &opened.signed_in;
    world.sessions.sign_out(who, &client()).await.unwrap();
    let text = opened.text.expose();
    assert_eq!(authenticated(&world, text, Activity::Action).await, None);
    let text = other.text.expose();
    assert!(
        authenticated(&world, text, Activity::Action)
            .await
            .is_some()
    );
}

#[tokio::test]
async fn an_operator_sees_and_ends_its_own_sessions_only() {
    let world = World::new().await;
    world.create("Bob", OperatorRole::Viewer).await;
    let link = world.link("Bob").await;
    let bob = world
        .sessions
        .sign_in_by_link(&link, &client())
        .await
        .unwrap();
    let (old, mid) = (world.by_link().await, world.by_link().await);
    world.wait(11 * HOUR);
    authenticated(&world, mid.text.expose(), Activity::Action).await;
    let new = world.by_link().await;
    world.wait(HOUR);
    let who = &new.signed_in;
    let listed = world.sessions.sessions(who).await.unwrap();
    let ids: Vec<_> = listed.iter().map(|session| session.id).collect();
    assert_eq!(ids, [new.signed_in.session.id, mid.signed_in.session.id]);
    assert!(!ids.contains(&old.signed_in.session.id), "it is over");
    let end = async |id| world.sessions.revoke(who, id, &client()).await.unwrap();
    assert!(!end(bob.signed_in.session.id).await);
    assert!(end(mid.signed_in.session.id).await);
    assert_eq!(
        authenticated(&world, mid.text.expose(), Activity::Action).await,
        None
    );
}

#[tokio::test]
async fn a_revoked_operator_needs_a_new_link() {
    let world = World::new().await;
    let opened = world.with_password().await;
    let link = world.link("Ana").await;
    world.admin.revoke_all("Ana").await.unwrap();
    let text = opened.text.expose();
    assert_eq!(authenticated(&world, text, Activity::Action).await, None);
    let by_link = world.sessions.sign_in_by_link(&link, &client()).await;
    assert!(matches!(by_link, Err(SessionError::LinkDenied)));
    let by_password = world.sessions.sign_in("Ana", PASSWORD, &client()).await;
    assert!(matches!(by_password, Err(SessionError::Denied)));
    let again = world.by_link().await;
    // Revoking deletes the password as well.
    assert!(!again.signed_in.has_password);
}

#[tokio::test]
async fn expired_sessions_are_removed() {
    let world = World::new().await;
    world.by_link().await;
    world.link("Ana").await;
    assert_eq!(world.sessions.prune(10).await.unwrap(), 0);
    world.wait(12 * HOUR);
    // The session and the unused link.
    assert_eq!(world.sessions.prune(10).await.unwrap(), 2);
}
