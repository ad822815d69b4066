//! Passwords are hashed with Argon2id, a few concurrently, and their strength is estimated.

use std::sync::Arc;

use pressline_auth::Argon2Hasher;
use pressline_backoffice::operator::{HashingError, Password, PasswordHash, PasswordHasher};
use tokio::task::JoinSet;
use tokio::time::Instant;

const GOOD: &str = "violet anvil hums softly";

#[tokio::test]
async fn a_hash_matches_only_its_password() {
    let hasher = Argon2Hasher::default();
    let password = Password::new(GOOD);
    let hash = hasher.hash(&password).await.unwrap();
    assert!(hash.as_str().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
    assert!(hasher.is_of(Some(&hash), &password).await.unwrap());
    // A trailing space makes another password.
    let other = Password::new("violet anvil hums softly ");
    assert!(!hasher.is_of(Some(&hash), &other).await.unwrap());
}

#[tokio::test]
async fn the_same_password_has_another_hash_each_time() {
    let hasher = Argon2Hasher::default();
    let password = Password::new(GOOD);
    let first = hasher.hash(&password).await.unwrap();
    let second = hasher.hash(&password).await.unwrap();
    assert_ne!(first.as_str(), second.as_str());
}

#[tokio::test]
async fn without_a_hash_every_password_is_wrong_and_takes_the_same_time() {
    let hasher = Argon2Hasher::default();
    let password = Password::new(GOOD);
    let hash = hasher.hash(&password).await.unwrap();
    let mut times = [std::time::Duration::MAX; 2];
    // The shortest of many runs, because other processes disturb it least.
    for _ in 0..50 {
        for (place, hash) in [Some(&hash), None].into_iter().enumerate() {
            let begin = Instant::now();
            let is_right = hasher.is_of(hash, &password).await.unwrap();
            assert_eq!(is_right, hash.is_some());
            times[place] = times[place].min(begin.elapsed());
        }
        let [with, without] = times;
        if without > with / 2 && with > without / 2 {
            return;
        }
    }
    let [with, without] = times;
    panic!("{without:?} without, {with:?} with a hash");
}

#[tokio::test]
async fn an_unreadable_hash_is_an_error() {
    let hasher = Argon2Hasher::default();
    // Empty, not a hash, and a hash of another algorithm.
    for text in ["", "secret", "$scrypt$ln=1$c2FsdA$aGFzaA"] {
        let hash = PasswordHash::new(text.to_owned());
        let result = hasher.is_of(Some(&hash), &Password::new(GOOD)).await;
        assert!(matches!(result, Err(HashingError::Failed(_))), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_passwords_wait_or_are_refused() {
    let hasher = Arc::new(Argon2Hasher::default());
    // More passwords than are hashed concurrently.
    let mut calls = JoinSet::new();
    for _ in 0..8 {
        let hasher = hasher.clone();
        calls.spawn(async move { hasher.is_of(None, &Password::new(GOOD)).await });
    }
    for result in calls.join_all().await {
        assert!(matches!(result, Ok(false) | Err(HashingError::Busy)));
    }
}

#[tokio::test]
async fn a_password_of_known_words_is_weak_with_a_reason() {
    let hasher = Argon2Hasher::default();
    let strength = async |text: &str| {
        let known = ["Marguerite Oyelaran"];
        hasher.strength(&Password::new(text), &known).await.unwrap()
    };
    let good = strength(GOOD).await;
    assert!(good.score >= 3 && good.advice.is_empty(), "{good:?}");
    // A common password, and the user's own name.
    let common = strength("password1234").await;
    assert!(common.score < 3 && !common.advice.is_empty(), "{common:?}");
    let known = strength("oyelaranmarguerite").await;
    assert!(known.score < 3, "{known:?}");
}
