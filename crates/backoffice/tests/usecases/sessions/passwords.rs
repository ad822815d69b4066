//! Confirming a session, setting a password, and preferences.

use pressline_backoffice::operator::{
    Activity, Confirmation, PasswordProblem, Preferences, SessionError, Theme,
};
use pressline_domain::runtime::Clock;

use super::{HOUR, MINUTE, PASSWORD, World, client};

const ANOTHER: &str = "copper lantern drifts";

#[tokio::test]
async fn a_confirmation_holds_for_10_minutes_and_the_password_renews_it() {
    let world = World::new().await;
    let opened = world.with_password().await;
    let who = opened.signed_in;
    world.wait(10 * MINUTE - 1);
    assert!(who.is_confirmed(world.clock.now()));
    world.wait(1);
    assert!(!who.is_confirmed(world.clock.now()));
    let wrong = world.sessions.confirm(&who, ANOTHER, &client()).await;
    assert!(matches!(wrong, Err(SessionError::Denied)));
    let confirmed = world.sessions.confirm(&who, PASSWORD, &client()).await;
    let confirmed = confirmed.unwrap();
    assert!(confirmed.is_confirmed(world.clock.now()));
    let text = opened.text.expose();
    let found = world.sessions.authenticate(text, Activity::Poll).await;
    assert_eq!(found.unwrap(), Some(confirmed));
}

#[tokio::test]
async fn confirming_counts_as_a_try() {
    let world = World::new().await;
    let who = world.with_password().await.signed_in;
    for _ in 0..5 {
        let wrong = world.sessions.confirm(&who, "wrong", &client()).await;
        assert!(matches!(wrong, Err(SessionError::Denied)));
    }
    let refused = world.sessions.confirm(&who, PASSWORD, &client()).await;
    assert!(matches!(refused, Err(SessionError::TooManyTries { .. })));
}

#[tokio::test]
async fn a_session_that_has_ended_is_not_confirmed() {
    let world = World::new().await;
    let who = world.with_password().await.signed_in;
    world.sessions.sign_out(&who, &client()).await.unwrap();
    let refused = world.sessions.confirm(&who, PASSWORD, &client()).await;
    assert!(matches!(refused, Err(SessionError::Ended)));
    let set = world.set_password(&who, Some(PASSWORD), ANOTHER);
    assert!(matches!(set.await, Err(SessionError::Ended)));
}

#[tokio::test]
async fn a_new_password_must_be_long_and_hard_to_guess() {
    let world = World::new().await;
    let who = world.by_link().await.signed_in;
    let set = async |new: &str| {
        let set = world.set_password(&who, None, new);
        set.await.unwrap_err()
    };
    let short = set("elevenchars").await;
    assert!(matches!(
        short,
        SessionError::Unfit(PasswordProblem::Short(11))
    ));
    assert!(short.to_string().contains("at least 12 characters"));
    let long = set(&"é".repeat(501)).await;
    assert!(matches!(long, SessionError::Unfit(PasswordProblem::Long)));
    // Words that an attacker would try: the names of the operator and of the product.
    for known in ["Ana Ana Ana Ana", "pressline admin"] {
        let weak = set(known).await;
        assert!(
            matches!(weak, SessionError::Unfit(PasswordProblem::Weak(_))),
            "{known}"
        );
    }
}

#[tokio::test]
async fn changing_a_password_needs_the_current_password_or_a_new_link() {
    let world = World::new().await;
    let who = world.with_password().await.signed_in;
    let sessions = &world.sessions;
    assert!(who.needs_current_password(world.clock.now()));
    let without = world.set_password(&who, None, ANOTHER).await;
    assert!(matches!(without, Err(SessionError::CurrentNeeded)));
    let wrong = world.set_password(&who, Some("wrong"), ANOTHER);
    assert!(matches!(wrong.await, Err(SessionError::Denied)));
    let right = world.set_password(&who, Some(PASSWORD), ANOTHER);
    assert!(right.await.is_ok());
    assert!(sessions.sign_in("Ana", ANOTHER, &client()).await.is_ok());

    // After signing in by link, a forgotten password is not asked for.
    let who = world.by_link().await.signed_in;
    assert!(!who.needs_current_password(world.clock.now()));
    let set = world.set_password(&who, None, PASSWORD).await;
    assert_eq!(set.unwrap().session.confirmed_by, Confirmation::Password);
    let who = world.by_link().await.signed_in;
    // The sign-in by link counts as a confirmation for 10 minutes only.
    world.wait(10 * MINUTE);
    let late = world.set_password(&who, None, ANOTHER).await;
    assert!(matches!(late, Err(SessionError::CurrentNeeded)));
}

#[tokio::test]
async fn a_new_password_ends_all_other_sessions() {
    let world = World::new().await;
    let (other, opened) = (world.by_link().await, world.by_link().await);
    let who = &opened.signed_in;
    let set = world.set_password(who, None, PASSWORD);
    set.await.unwrap();
    let find = async |text: &str| {
        let found = world.sessions.authenticate(text, Activity::Action).await;
        found.unwrap()
    };
    assert_eq!(find(other.text.expose()).await, None);
    assert!(find(opened.text.expose()).await.unwrap().has_password);
}

#[tokio::test]
async fn preferences_persist_until_the_next_sign_in() {
    let world = World::new().await;
    let who = world.by_link().await.signed_in;
    assert_eq!(who.preferences, Preferences::default());
    let chosen = Preferences {
        time_zone: "Europe/Berlin".parse().unwrap(),
        theme: Theme::Dark,
        sounds: false,
        ..Preferences::default()
    };
    let saved = world.sessions.save_preferences(&who, &chosen).await;
    saved.unwrap();
    world.wait(HOUR);
    assert_eq!(world.by_link().await.signed_in.preferences, chosen);
}
