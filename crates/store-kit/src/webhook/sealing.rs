//! Sealing the secrets of all endpoints with another master key, page by page.

use pressline_domain::store::{KeyIssuer, KeyOwner, MasterKeyId, ResealReport};

use super::row::SecretRow;
use crate::cold::Value;
use crate::cold_store::{Db, Failure};

/// Endpoints whose secrets are in memory at once.
const PAGE: i64 = 200;

/// Seals the secrets of all endpoints with the master key `with`, and reports those that could not be
/// opened. Every endpoint that has secrets gets a new version.
pub(crate) fn reseal(
    db: &mut Db<'_>,
    with: MasterKeyId,
    issuer: &dyn KeyIssuer,
    report: &mut ResealReport,
) -> Result<(), Failure> {
    let mut after = String::new();
    loop {
        let mut ids = db.load::<String>(
            "SELECT DISTINCT endpoint_id
             FROM webhook_secrets
             WHERE endpoint_id > :after
             ORDER BY endpoint_id
             LIMIT :limit",
            &[
                ("after", Value::text(&after)),
                ("limit", Value::BigInt(PAGE)),
            ],
        )?;
        let Some(last) = ids.pop() else {
            return Ok(());
        };
        reseal_page(db, (&after, &last), with, issuer, report)?;
        after = last;
    }
}

/// Seals the secrets of the endpoints after one id, up to another.
fn reseal_page(
    db: &mut Db<'_>,
    (after, last): (&str, &str),
    with: MasterKeyId,
    issuer: &dyn KeyIssuer,
    report: &mut ResealReport,
) -> Result<(), Failure> {
    let page = [("after", Value::text(after)), ("last", Value::text(last))];
    // Before the secrets: this locks the endpoints, as a change of one endpoint does.
    db.execute(
        "UPDATE webhook_endpoints
         SET version = version + 1
         WHERE endpoint_id > :after
           AND endpoint_id <= :last
           AND endpoint_id IN (SELECT endpoint_id FROM webhook_secrets)",
        &page,
    )?;
    let secrets = db.load::<SecretRow>(
        "SELECT webhook_secrets.*
         FROM webhook_secrets
         WHERE endpoint_id > :after
           AND endpoint_id <= :last",
        &page,
    )?;
    for row in secrets {
        let (endpoint, secret) = row.clone().restore_with_endpoint()?;
        let owner = KeyOwner::Endpoint(endpoint);
        let Some(sealed) = report.reseal(owner, &secret.key, with, issuer) else {
            continue;
        };
        db.execute(
            "UPDATE webhook_secrets
             SET sealed = :sealed, sealed_with = :sealed_with
             WHERE endpoint_id = :endpoint_id
               AND key_id = :key_id",
            &[
                ("sealed", Value::binary(&sealed)),
                ("sealed_with", Value::text(&with.to_string())),
                ("endpoint_id", Value::text(&row.endpoint_id)),
                ("key_id", Value::text(&row.key_id)),
            ],
        )?;
    }
    Ok(())
}
