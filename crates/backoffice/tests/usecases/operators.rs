//! Administration of operators and their tokens, and the stores in an operator's scope.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use pressline_backoffice::memory::MemoryOperators;
use pressline_backoffice::operator::{
    NewOperator, OperatorAdmin, OperatorError, OperatorRole, RIGHTS, SecretBytes, SecretSource,
};
use pressline_domain::error::Source;
use pressline_domain::runtime::FixedClock;
use pressline_domain::runtime::MonotonicIds;
use pressline_domain::value::{StoreId, Timestamp};
use uuid::Uuid;

const NOW: i64 = 1_760_000_000_000;

pub(crate) struct Secrets;

impl SecretSource for Secrets {
    fn secret(&self) -> Result<SecretBytes, Source> {
        Ok(SecretBytes::from([7; 32]))
    }
}

fn admin() -> OperatorAdmin {
    OperatorAdmin::new(
        Arc::new(MemoryOperators::default()),
        Arc::new(Secrets),
        Arc::new(FixedClock::at(Timestamp::from_millis(NOW))),
        Arc::new(MonotonicIds::new()),
    )
}

fn viewer(name: &str) -> NewOperator {
    NewOperator {
        name: name.to_owned(),
        role: OperatorRole::Viewer,
        stores: None,
        lifetime: None,
    }
}

#[tokio::test]
async fn a_new_operator_has_one_token_stored_as_a_digest() {
    let admin = admin();
    let new = NewOperator {
        lifetime: Some(Duration::from_secs(90)),
        ..viewer("Ana")
    };
    let made = admin.create(new).await.unwrap();
    let records = admin.list().await.unwrap();
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].operator, made.operator);
    assert_eq!(records[0].tokens, std::slice::from_ref(&made.token));
    assert_eq!(made.token.digest, made.text.digest());
    let expires = Timestamp::from_millis(NOW + 90_000);
    assert_eq!(made.token.expires_at, Some(expires));
    assert!(made.text.expose().ends_with(&"07".repeat(32)));
}

#[tokio::test]
async fn names_are_unique_short_and_not_ids() {
    let admin = admin();
    admin.create(viewer("Ana")).await.unwrap();
    let again = admin.create(viewer("Ana")).await;
    assert!(matches!(again, Err(OperatorError::NameTaken(_))));
    admin.create(viewer(&"é".repeat(255))).await.unwrap();
    let too_long = "é".repeat(256);
    for wrong in [
        "",
        " ",
        " Ana",
        "Ana ",
        "A\nB",
        &too_long,
        "0197f3c2-0000-7000-8000-000000000001",
    ] {
        let refused = admin.create(viewer(wrong)).await;
        assert!(matches!(refused, Err(OperatorError::Name)), "{wrong}");
    }
}

#[tokio::test]
async fn a_lifetime_has_bounds() {
    let admin = admin();
    let day = 24 * 60 * 60;
    for (seconds, is_right) in [
        (0, false),
        (1, true),
        (3650 * day, true),
        (3650 * day + 1, false),
    ] {
        let new = NewOperator {
            lifetime: Some(Duration::from_secs(seconds)),
            ..viewer(&format!("Ana {seconds}"))
        };
        let made = admin.create(new).await;
        assert_eq!(made.is_ok(), is_right, "{seconds}");
    }
}

#[tokio::test]
async fn tokens_are_added_and_revoked() {
    let admin = admin();
    let first = admin.create(viewer("Ana")).await.unwrap();
    let second = admin.issue_token("Ana", None).await.unwrap();
    assert_eq!(second.operator, first.operator);
    let left = admin.revoke_token(first.token.id).await.unwrap();
    assert_eq!(left.tokens, [second.token]);
    let again = admin.revoke_token(first.token.id).await;
    assert!(matches!(again, Err(OperatorError::NoSuchToken(_))));
    assert_eq!(admin.revoke_all("Ana").await.unwrap().tokens, []);
    assert_eq!(admin.list().await.unwrap()[0].tokens, []);
    // Without its last token, the operator still exists and can get a new token.
    admin.issue_token("Ana", None).await.unwrap();
    for unknown in [
        admin.issue_token("Bob", None).await.err(),
        admin.revoke_all("Bob").await.err(),
    ] {
        assert!(matches!(unknown, Some(OperatorError::NotFound(_))));
    }
}

#[tokio::test]
async fn an_operator_has_a_hundred_tokens_at_most() {
    let admin = admin();
    admin.create(viewer("Ana")).await.unwrap();
    for _ in 1..100 {
        admin.issue_token("Ana", None).await.unwrap();
    }
    let refused = admin.issue_token("Ana", None).await;
    assert!(matches!(refused, Err(OperatorError::TooManyTokens)));
}

#[tokio::test]
async fn unlisted_calls_are_forbidden_to_every_role() {
    let made = admin().create(viewer("Ana")).await.unwrap();
    for role in OperatorRole::ALL {
        let mut operator = made.operator.clone();
        operator.role = role;
        assert!(!operator.may("stores/unknown") && !operator.may(""));
        for right in RIGHTS {
            assert_eq!(operator.may(right.call), role.includes(right.least_role));
        }
    }
}

#[tokio::test]
async fn an_operator_has_access_to_its_stores_only() {
    let [bound, other] = [1, 2].map(|number| StoreId::new(Uuid::from_u128(number)));
    let made = admin().create(viewer("Ana")).await.unwrap();
    let mut operator = made.operator;
    assert!(operator.reaches(bound) && operator.reaches(other));
    operator.stores = Some(BTreeSet::from([bound]));
    assert!(operator.reaches(bound) && !operator.reaches(other));
    operator.stores = Some(BTreeSet::new());
    assert!(!operator.reaches(bound));
}
