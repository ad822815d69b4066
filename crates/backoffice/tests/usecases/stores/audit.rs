//! Audit entries about the administration of stores.

use std::sync::Arc;

use pressline_backoffice::audit::{Audit, AuditAction, AuditActor, AuditContext};
use pressline_backoffice::memory::MemoryAudit;
use pressline_backoffice::store::StoreChange;
use pressline_domain::runtime::MonotonicIds;
use pressline_domain::value::{KeyId, OperatorId};
use uuid::Uuid;

use super::{named, office};

#[tokio::test]
async fn changes_of_stores_are_recorded_with_their_author() {
    let (admin, clock) = office();
    let ids = Arc::new(MonotonicIds::new());
    let audit = Audit::new(Arc::new(MemoryAudit::default()), clock, ids);
    let admin = admin.audited(audit.clone());
    // Without an author, the entry names the service.
    admin.create(named("Demo")).await.unwrap();
    assert_eq!(audit.entries(None, 10).await.unwrap(), []);

    let author = AuditContext {
        actor: AuditActor::Operator {
            id: OperatorId::new(Uuid::from_u128(7)),
            name: "Ana".to_owned(),
        },
        request_id: Some("request-1".to_owned()),
    };
    let admin = admin.by(author.clone());
    let made = admin.create(named("Mugs")).await.unwrap();
    let store = made.record.store.id;
    let change = StoreChange {
        name: Some("Cups".to_owned()),
        enabled: Some(false),
        ..StoreChange::default()
    };
    admin.change(store, &change).await.unwrap();
    admin.rotate_key(store).await.unwrap();
    admin.revoke_key(store, made.key_id).await.unwrap();
    let unknown = KeyId::new(Uuid::from_u128(8));
    assert!(admin.revoke_key(store, unknown).await.is_err());

    let entries = audit.entries(None, 10).await.unwrap();
    assert!(entries.iter().all(|entry| entry.author == author));
    let shown: Vec<_> = entries
        .iter()
        .rev()
        .map(|entry| (entry.action, entry.subject.clone()))
        .collect();
    let expected = [
        (AuditAction::StoreCreated, format!("{store} Mugs")),
        (
            AuditAction::StoreChanged,
            format!("MUGS {store} name, disabled"),
        ),
        (AuditAction::KeyRotated, format!("MUGS {store}")),
        (
            AuditAction::KeyRevoked,
            format!("MUGS {store} {}", made.key_id),
        ),
    ];
    assert_eq!(shown, expected);
}
