//! Cases about sessions and sign-in links.

use std::net::{IpAddr, Ipv6Addr};

use pressline_backoffice::operator::{
    Account, Confirmation, MAX_SESSIONS, Operator, Preferences, Proof, Revocation, SecretDigest,
    Session, SignInLink,
};
use pressline_domain::value::{OperatorId, SessionId, Timestamp};

use super::added;
use crate::at_once::at_once;
use crate::check::{holds, is_stale, same};
use crate::random::Random;
use crate::samples::{NOW, at};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    a_link_is_found_with_its_account,
    a_link_of_an_unknown_operator_is_refused,
    a_link_opens_one_session,
    of_concurrent_uses_of_a_link_one_opens_a_session,
    an_operator_has_a_bounded_number_of_sessions,
    a_session_is_found_with_its_account,
    sessions_of_an_operator_are_listed_latest_first,
    the_latest_use_of_a_session_is_kept,
    a_confirmation_is_recorded_with_the_session,
    only_a_session_of_the_operator_is_closed,
    only_what_is_over_is_pruned,
    pruning_is_bounded,
    a_revoked_operator_is_signed_out,
];

/// Number of concurrent calls.
const CONCURRENT_CALLS: usize = 12;
const HOUR: i64 = 3_600_000;

impl Random {
    pub(crate) fn session(&mut self, operator: OperatorId, signed_in_at: i64) -> Session {
        let signed_in_at = Timestamp::from_millis(signed_in_at);
        Session {
            id: SessionId::new(self.uuid()),
            operator,
            digest: SecretDigest::new(self.bytes()),
            client: IpAddr::V6(Ipv6Addr::from_bits(u128::from_be_bytes(self.bytes()))),
            signed_in_at,
            last_used_at: signed_in_at,
            confirmed_at: signed_in_at,
            confirmed_by: Confirmation::Link,
        }
    }

    pub(super) fn link(&mut self, operator: OperatorId, expires_at: i64) -> SignInLink {
        SignInLink {
            digest: SecretDigest::new(self.bytes()),
            operator,
            expires_at: Timestamp::from_millis(expires_at),
        }
    }
}

/// Adds a random operator named `name`.
pub(crate) async fn operator(
    adapters: &Adapters,
    random: &mut Random,
    name: &str,
) -> Result<Operator, CaseError> {
    Ok(added(adapters, random, name).await?.operator)
}

/// Opens `session` with a new link.
pub(crate) async fn opened(
    adapters: &Adapters,
    random: &mut Random,
    session: &Session,
) -> CaseResult {
    let link = random.link(session.operator, NOW);
    adapters.sessions.add_link(&link).await?;
    let is_open = adapters
        .sessions
        .open(session, &Proof::Link(link.digest))
        .await?;
    holds("a new link opens a session", is_open)
}

/// Returns the account of an operator who has set neither password nor preferences.
pub(super) fn new_account(operator: &Operator) -> Account {
    Account {
        operator: operator.clone(),
        password: None,
        preferences: Preferences::default(),
    }
}

async fn a_link_is_found_with_its_account(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let ana = operator(&adapters, random, "Ana").await?;
    let bob = operator(&adapters, random, "Bob").await?;
    let sessions = &adapters.sessions;
    for operator in [&ana, &bob, &ana] {
        let link = random.link(operator.id, NOW);
        same("no link", &sessions.link(link.digest).await?, &None)?;
        sessions.add_link(&link).await?;
        let expected = Some((link.clone(), new_account(operator)));
        same("the link", &sessions.link(link.digest).await?, &expected)?;
    }
    Ok(())
}

async fn a_link_of_an_unknown_operator_is_refused(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let unknown = OperatorId::new(random.uuid());
    let link = random.link(unknown, NOW);
    is_stale("the link", adapters.sessions.add_link(&link).await)?;
    same(
        "no link",
        &adapters.sessions.link(link.digest).await?,
        &None,
    )
}

async fn a_link_opens_one_session(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let ana = operator(&adapters, random, "Ana").await?;
    let bob = operator(&adapters, random, "Bob").await?;
    let sessions = &adapters.sessions;
    let link = random.link(ana.id, NOW);
    sessions.add_link(&link).await?;
    let proof = Proof::Link(link.digest);
    let of_another = random.session(bob.id, NOW);
    let opened = sessions.open(&of_another, &proof).await?;
    holds("another operator's link opens nothing", !opened)?;
    let first = random.session(ana.id, NOW);
    holds("the link opens", sessions.open(&first, &proof).await?)?;
    same("the used link", &sessions.link(link.digest).await?, &None)?;
    let second = random.session(ana.id, NOW);
    let opened = sessions.open(&second, &proof).await?;
    holds("a used link opens nothing", !opened)?;
    same("the sessions", &sessions.list(ana.id).await?, &vec![first])
}

async fn of_concurrent_uses_of_a_link_one_opens_a_session(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let ana = operator(&adapters, random, "Ana").await?;
    let link = random.link(ana.id, NOW);
    adapters.sessions.add_link(&link).await?;
    let calls = (0..CONCURRENT_CALLS).map(|_| {
        let (session, sessions) = (random.session(ana.id, NOW), adapters.sessions.clone());
        let proof = Proof::Link(link.digest);
        async move { sessions.open(&session, &proof).await }
    });
    let mut opened = 0;
    for is_opened in at_once(calls).await? {
        opened += usize::from(is_opened?);
    }
    same("sessions opened", &opened, &1)?;
    same("sessions", &adapters.sessions.list(ana.id).await?.len(), &1)
}

async fn an_operator_has_a_bounded_number_of_sessions(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let ana = operator(&adapters, random, "Ana").await?;
    let bob = operator(&adapters, random, "Bob").await?;
    let of_bob = random.session(bob.id, NOW - HOUR);
    opened(&adapters, random, &of_bob).await?;
    let mut expected = Vec::new();
    for later in 0..i64::from(MAX_SESSIONS) + 3 {
        let session = random.session(ana.id, NOW + later);
        opened(&adapters, random, &session).await?;
        expected.insert(0, session);
    }
    expected.truncate(usize::try_from(MAX_SESSIONS)?);
    let sessions = &adapters.sessions;
    same("the latest", &sessions.list(ana.id).await?, &expected)?;
    same("the other's", &sessions.list(bob.id).await?, &vec![of_bob])
}

async fn a_session_is_found_with_its_account(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    for name in ["Ana", "Đỗ 'quoted' %"] {
        let operator = operator(&adapters, random, name).await?;
        let mut session = random.session(operator.id, NOW);
        session.last_used_at = at(1);
        session.confirmed_at = at(2);
        session.confirmed_by = Confirmation::Password;
        opened(&adapters, random, &session).await?;
        let found = adapters.sessions.find(session.digest).await?;
        same(
            "the session",
            &found,
            &Some((session, new_account(&operator))),
        )?;
    }
    let unknown = SecretDigest::new(random.bytes());
    same("unknown", &adapters.sessions.find(unknown).await?, &None)
}

async fn sessions_of_an_operator_are_listed_latest_first(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let ana = operator(&adapters, random, "Ana").await?;
    let mut expected = Vec::new();
    // Two of the sessions sign in at the same time.
    for later in [2, 0, 3, 1, 3] {
        let session = random.session(ana.id, NOW + later);
        opened(&adapters, random, &session).await?;
        expected.push(session);
    }
    expected.sort_by_key(|session| std::cmp::Reverse((session.signed_in_at, session.id)));
    same(
        "the list",
        &adapters.sessions.list(ana.id).await?,
        &expected,
    )
}

async fn the_latest_use_of_a_session_is_kept(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let ana = operator(&adapters, random, "Ana").await?;
    let (used, other) = (random.session(ana.id, NOW + 1), random.session(ana.id, NOW));
    opened(&adapters, random, &used).await?;
    opened(&adapters, random, &other).await?;
    let sessions = &adapters.sessions;
    // Uses may arrive out of order.
    for later in [2, 5, 5, 3] {
        let at = at(later * HOUR);
        sessions.note_session_use(used.id, at).await?;
        let unknown = SessionId::new(random.uuid());
        sessions.note_session_use(unknown, at).await?;
    }
    let expected = Session {
        last_used_at: at(5 * HOUR),
        ..used
    };
    same(
        "the list",
        &sessions.list(ana.id).await?,
        &vec![expected, other],
    )
}

async fn a_confirmation_is_recorded_with_the_session(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let ana = operator(&adapters, random, "Ana").await?;
    let session = random.session(ana.id, NOW);
    opened(&adapters, random, &session).await?;
    let sessions = &adapters.sessions;
    let (at, by) = (at(HOUR), Confirmation::Password);
    holds("recorded", sessions.confirm(session.id, at, by).await?)?;
    let unknown = SessionId::new(random.uuid());
    let recorded = sessions.confirm(unknown, at, by).await?;
    holds("an unknown session is not confirmed", !recorded)?;
    let expected = Session {
        confirmed_at: at,
        confirmed_by: by,
        ..session
    };
    same("the list", &sessions.list(ana.id).await?, &vec![expected])
}

async fn only_a_session_of_the_operator_is_closed(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let ana = operator(&adapters, random, "Ana").await?;
    let bob = operator(&adapters, random, "Bob").await?;
    let session = random.session(ana.id, NOW);
    opened(&adapters, random, &session).await?;
    let sessions = &adapters.sessions;
    let closed = sessions.close(bob.id, session.id).await?;
    holds("another operator does not close it", !closed)?;
    holds(
        "it is there",
        sessions.find(session.digest).await?.is_some(),
    )?;
    holds("closed", sessions.close(ana.id, session.id).await?)?;
    same("gone", &sessions.find(session.digest).await?, &None)?;
    let closed = sessions.close(ana.id, session.id).await?;
    holds("a second time there is nothing to close", !closed)
}

async fn only_what_is_over_is_pruned(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let ana = operator(&adapters, random, "Ana").await?;
    let mut kept = Vec::new();
    // Hours since sign-in, hours since last use, and whether the session has expired.
    for (signed_in, used, is_over) in [
        (11, 11, false),
        (12, 12, true),
        (7 * 24 - 1, 1, false),
        (7 * 24, 0, true),
    ] {
        let mut session = random.session(ana.id, NOW - signed_in * HOUR);
        session.last_used_at = Timestamp::from_millis(NOW - used * HOUR);
        opened(&adapters, random, &session).await?;
        if !is_over {
            kept.push(session);
        }
    }
    // A link that expires now has expired.
    let (valid, expired) = (random.link(ana.id, NOW + 1), random.link(ana.id, NOW));
    let sessions = &adapters.sessions;
    sessions.add_link(&valid).await?;
    sessions.add_link(&expired).await?;
    let now = at(0);
    same("removed", &sessions.prune_sessions(now, 100).await?, &3)?;
    same("the sessions", &sessions.list(ana.id).await?, &kept)?;
    holds("the link", sessions.link(valid.digest).await?.is_some())?;
    same(
        "the expired link",
        &sessions.link(expired.digest).await?,
        &None,
    )
}

async fn pruning_is_bounded(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let ana = operator(&adapters, random, "Ana").await?;
    let sessions = &adapters.sessions;
    for _ in 0..5 {
        let session = random.session(ana.id, NOW - 12 * HOUR);
        opened(&adapters, random, &session).await?;
        sessions.add_link(&random.link(ana.id, NOW)).await?;
    }
    // Each call removes up to two sessions and two links.
    for removed in [4, 4, 2, 0] {
        let now = at(0);
        let pruned = sessions.prune_sessions(now, 2).await?;
        same("removed", &pruned, &removed)?;
    }
    Ok(())
}

async fn a_revoked_operator_is_signed_out(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let ana = operator(&adapters, random, "Ana").await?;
    let bob = operator(&adapters, random, "Bob").await?;
    let sessions = &adapters.sessions;
    let (of_ana, of_bob) = (random.session(ana.id, NOW), random.session(bob.id, NOW));
    opened(&adapters, random, &of_ana).await?;
    opened(&adapters, random, &of_bob).await?;
    let link = random.link(ana.id, NOW);
    sessions.add_link(&link).await?;
    let revoke = adapters.operators.revoke(Revocation::Operator(ana.id));
    revoke.await?;
    same("the sessions", &sessions.list(ana.id).await?, &Vec::new())?;
    same("the link", &sessions.link(link.digest).await?, &None)?;
    same("the other's", &sessions.list(bob.id).await?, &vec![of_bob])
}
