//! Cases about the audit log.

use pressline_backoffice::audit::{AuditAction, AuditActor, AuditContext, AuditEntry};
use pressline_domain::value::{AuditId, OperatorId};
use uuid::Uuid;

use crate::check::same;
use crate::random::Random;
use crate::samples::at;
use crate::{Adapters, Case, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    an_audit_entry_is_read_as_given,
    the_audit_is_read_newest_first,
];

fn entry(random: &mut Random, number: u128, action: AuditAction) -> AuditEntry {
    let actor = match number % 2 {
        0 => AuditActor::CommandLine,
        _ => AuditActor::Operator {
            id: OperatorId::new(random.uuid()),
            name: "Đỗ 'quoted' %".to_owned(),
        },
    };
    AuditEntry {
        id: AuditId::new(Uuid::from_u128(number)),
        at: at(0),
        author: AuditContext {
            actor,
            request_id: random.maybe(|_| "abc-1".to_owned()),
        },
        action,
        subject: format!("entry {number}: \"quoted\""),
    }
}

async fn an_audit_entry_is_read_as_given(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    for (number, action) in (1..).zip(AuditAction::ALL) {
        let given = entry(random, number, action);
        adapters.audit.append(&given).await?;
        let read = adapters.audit.entries(None, 1).await?;
        same("the newest entry", &read, &vec![given])?;
    }
    Ok(())
}

async fn the_audit_is_read_newest_first(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let mut given = Vec::new();
    for number in [3, 1, 5, 2, u128::MAX, 4] {
        let entry = entry(random, number, AuditAction::SignedIn);
        adapters.audit.append(&entry).await?;
        given.push(entry);
    }
    given.sort_by_key(|entry| std::cmp::Reverse(entry.id));
    let audit = &adapters.audit;
    same("all", &audit.entries(None, 100).await?, &given)?;
    let mut read = Vec::new();
    loop {
        let before = read.last().map(|entry: &AuditEntry| entry.id);
        let page = audit.entries(before, 4).await?;
        if page.is_empty() {
            break;
        }
        read.extend(page);
    }
    same("page by page", &read, &given)
}
