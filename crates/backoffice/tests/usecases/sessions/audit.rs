//! Audit entries about operators and their sessions.

use pressline_backoffice::audit::{AuditAction, AuditActor, AuditContext};

use super::{PASSWORD, World, client};

#[tokio::test]
async fn session_actions_are_recorded_with_operator_and_request() {
    let world = World::new().await;
    let opened = world.with_password().await;
    let who = &opened.signed_in;
    let other = world.by_link().await.signed_in.session.id;
    let revoked = world.sessions.revoke(who, other, &client()).await;
    assert!(revoked.unwrap());
    world.sessions.sign_out(who, &client()).await.unwrap();
    let entries = world.audit.entries(None, 5).await.unwrap();
    let actions: Vec<_> = entries.iter().map(|entry| entry.action).collect();
    let expected = [
        AuditAction::SignedOut,
        AuditAction::SessionRevoked,
        AuditAction::SignedIn,
        AuditAction::LinkCreated,
        AuditAction::PasswordSet,
    ];
    assert_eq!(actions, expected);
    for entry in &entries {
        let by = &entry.author;
        if entry.action == AuditAction::LinkCreated {
            assert_eq!(by, &AuditContext::COMMAND_LINE);
        } else {
            let id = who.operator.id;
            let name = "Ana".to_owned();
            assert_eq!(by.actor, AuditActor::Operator { id, name });
            assert_eq!(by.request_id.as_deref(), Some("request-1"));
        }
    }
    assert_eq!(entries[1].subject, format!("Ana {other}"));
    assert!(entries[2].subject.ends_with("from 192.0.2.1 by link"));
}

#[tokio::test]
async fn no_entry_contains_a_secret() {
    let world = World::new().await;
    let opened = world.with_password().await;
    let signed_in = world.sessions.sign_in("Ana", PASSWORD, &client()).await;
    let secrets = [
        PASSWORD,
        opened.text.expose(),
        signed_in.as_ref().unwrap().text.expose(),
    ];
    let entries = world.audit.entries(None, 100).await.unwrap();
    assert_eq!(entries.len(), 4);
    let shown = format!("{entries:?}");
    for secret in secrets {
        assert!(!shown.contains(secret));
    }
}

#[tokio::test]
async fn operator_administration_is_recorded_if_its_author_is_set() {
    let world = World::new().await;
    assert_eq!(world.recorded().await, []);
    let admin = world.admin.by(AuditContext::COMMAND_LINE);
    let token = admin.issue_token("Ana", None).await.unwrap().token.id;
    admin.revoke_token(token).await.unwrap();
    admin.revoke_all("Ana").await.unwrap();
    let refused = admin.revoke_all("Unknown").await;
    assert!(refused.is_err());
    let expected = [
        (AuditAction::TokenCreated, format!("Ana {token}")),
        (AuditAction::TokenRevoked, format!("Ana {token}")),
        (AuditAction::OperatorRevoked, "Ana".to_owned()),
    ];
    assert_eq!(world.recorded().await, expected);
}
