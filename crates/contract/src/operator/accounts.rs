//! Cases about passwords and preferences.

use std::sync::Arc;

use pressline_backoffice::operator::{
    Account, Confirmation, Operator, Paper, PasswordHash, Preferences, Proof, Revocation, Session,
    Theme,
};
use pressline_domain::value::{OperatorId, SessionId, Timestamp};
use tokio::sync::Barrier;

use super::sessions::{new_account, opened, operator};
use crate::check::{holds, is_stale, same};
use crate::random::Random;
use crate::samples::{NOW, at};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) const CASES: &[Case] = cases![
    an_account_begins_without_a_password,
    a_password_is_set_by_a_session,
    a_session_that_is_gone_sets_no_password,
    a_new_password_ends_other_sessions,
    a_password_that_was_changed_opens_no_session,
    preferences_are_kept_with_the_account,
    preferences_of_an_unknown_operator_are_refused,
    nothing_that_is_opened_at_once_survives_a_revocation,
];

/// Number of revocations that race with other calls.
const RACES: usize = 20;

fn hash(text: &str) -> PasswordHash {
    PasswordHash::new(format!("$argon2id$v=19$m=19456,t=2,p=1$c2FsdA${text}"))
}

fn later() -> Timestamp {
    at(1)
}

/// Opens a session of a new operator and sets the password with `hash`.
async fn with_password(
    adapters: &Adapters,
    random: &mut Random,
    hash: &PasswordHash,
) -> Result<(Operator, Session), CaseError> {
    let ana = operator(adapters, random, "Ana").await?;
    let session = random.session(ana.id, NOW);
    opened(adapters, random, &session).await?;
    let accounts = &adapters.accounts;
    let is_set = accounts.set_password(session.id, hash, later()).await?;
    holds("the password is set", is_set)?;
    Ok((ana, session))
}

async fn account(adapters: &Adapters, name: &str) -> Result<Account, CaseError> {
    let account = adapters.accounts.account(name).await?;
    account.ok_or_else(|| CaseError::new(format!("there is no account `{name}`")))
}

async fn an_account_begins_without_a_password(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let ana = operator(&adapters, random, "Ana").await?;
    same(
        "the account",
        &account(&adapters, "Ana").await?,
        &new_account(&ana),
    )?;
    same(
        "another case",
        &adapters.accounts.account("ana").await?,
        &None,
    )
}

async fn a_password_is_set_by_a_session(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let (ana, session) = with_password(&adapters, random, &hash("one")).await?;
    let accounts = &adapters.accounts;
    let again = at(2);
    accounts
        .set_password(session.id, &hash("two"), again)
        .await?;
    let expected = Account {
        password: Some(hash("two")),
        ..new_account(&ana)
    };
    same("the account", &account(&adapters, "Ana").await?, &expected)?;
    let confirmed = Session {
        confirmed_at: again,
        confirmed_by: Confirmation::Password,
        ..session
    };
    let found = adapters.sessions.find(confirmed.digest).await?;
    same("the session", &found, &Some((confirmed, expected)))
}

async fn a_session_that_is_gone_sets_no_password(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let (ana, session) = with_password(&adapters, random, &hash("one")).await?;
    adapters.sessions.close(ana.id, session.id).await?;
    let accounts = &adapters.accounts;
    for gone in [session.id, SessionId::new(random.uuid())] {
        let is_set = accounts.set_password(gone, &hash("two"), later()).await?;
        holds("no password is set", !is_set)?;
    }
    let password = account(&adapters, "Ana").await?.password;
    same("the password", &password, &Some(hash("one")))
}

async fn a_new_password_ends_other_sessions(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let (ana, session) = with_password(&adapters, random, &hash("one")).await?;
    let bob = operator(&adapters, random, "Bob").await?;
    let sessions = &adapters.sessions;
    let (other, of_bob) = (random.session(ana.id, NOW), random.session(bob.id, NOW));
    opened(&adapters, random, &other).await?;
    opened(&adapters, random, &of_bob).await?;
    let (link, link_of_bob) = (random.link(ana.id, NOW), random.link(bob.id, NOW));
    sessions.add_link(&link).await?;
    sessions.add_link(&link_of_bob).await?;
    let accounts = &adapters.accounts;
    accounts
        .set_password(session.id, &hash("two"), later())
        .await?;
    let left: Vec<_> = sessions.list(ana.id).await?;
    let left: Vec<_> = left.iter().map(|session| session.id).collect();
    same("the sessions", &left, &vec![session.id])?;
    same("the link", &sessions.link(link.digest).await?, &None)?;
    same("the other's", &sessions.list(bob.id).await?, &vec![of_bob])?;
    let link_of_bob = sessions.link(link_of_bob.digest).await?;
    holds("the other's link is there", link_of_bob.is_some())
}

async fn a_password_that_was_changed_opens_no_session(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let (ana, session) = with_password(&adapters, random, &hash("one")).await?;
    let accounts = &adapters.accounts;
    accounts
        .set_password(session.id, &hash("two"), later())
        .await?;
    let bob = operator(&adapters, random, "Bob").await?;
    for (operator, password, opens) in [
        (ana.id, "one", false),
        (ana.id, "two", true),
        (bob.id, "two", false),
        (OperatorId::new(random.uuid()), "two", false),
    ] {
        let session = random.session(operator, NOW);
        let proof = Proof::Password(hash(password));
        let opened = adapters.sessions.open(&session, &proof).await?;
        same("whether it opens", &opened, &opens)?;
        let is_there = adapters.sessions.find(session.digest).await?.is_some();
        same("whether it is there", &is_there, &opens)?;
    }
    Ok(())
}

async fn preferences_are_kept_with_the_account(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let ana = operator(&adapters, random, "Ana").await?;
    let bob = operator(&adapters, random, "Bob").await?;
    let session = random.session(ana.id, NOW);
    opened(&adapters, random, &session).await?;
    let mut expected = new_account(&ana);
    // `sounds` and `keys` always differ, so that mixing them up shows.
    for (zone, paper, theme, flag) in [
        ("Europe/Berlin", Paper::Letter, Theme::Dark, false),
        ("America/New_York", Paper::Label, Theme::Light, true),
    ] {
        expected.preferences = Preferences {
            time_zone: zone.parse()?,
            paper,
            theme,
            sounds: flag,
            keys: !flag,
        };
        let accounts = &adapters.accounts;
        accounts
            .save_preferences(ana.id, &expected.preferences)
            .await?;
        same("the account", &account(&adapters, "Ana").await?, &expected)?;
        // Password and preferences are set independently.
        accounts
            .set_password(session.id, &hash(zone), later())
            .await?;
        expected.password = Some(hash(zone));
        same("the account", &account(&adapters, "Ana").await?, &expected)?;
    }
    same(
        "another",
        &account(&adapters, "Bob").await?,
        &new_account(&bob),
    )
}

async fn preferences_of_an_unknown_operator_are_refused(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let unknown = OperatorId::new(random.uuid());
    let accounts = &adapters.accounts;
    let preferences = Preferences::default();
    let saved = accounts.save_preferences(unknown, &preferences).await;
    is_stale("an unknown operator", saved)
}

async fn nothing_that_is_opened_at_once_survives_a_revocation(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    for race in 0..RACES {
        let name = format!("Operator {race}");
        let of_race = operator(&adapters, random, &name).await?;
        let first = random.session(of_race.id, NOW);
        opened(&adapters, random, &first).await?;
        let accounts = &adapters.accounts;
        accounts
            .set_password(first.id, &hash("one"), later())
            .await?;
        let barrier = Arc::new(Barrier::new(3));
        let second = random.session(of_race.id, NOW);
        let opening = tokio::spawn({
            let (sessions, barrier) = (adapters.sessions.clone(), barrier.clone());
            async move {
                barrier.wait().await;
                let proof = Proof::Password(hash("one"));
                sessions.open(&second, &proof).await
            }
        });
        let setting = tokio::spawn({
            let (accounts, barrier) = (adapters.accounts.clone(), barrier.clone());
            async move {
                barrier.wait().await;
                accounts.set_password(first.id, &hash("two"), later()).await
            }
        });
        barrier.wait().await;
        let revoke = adapters.operators.revoke(Revocation::Operator(of_race.id));
        revoke.await?;
        // Any of the calls may come first; afterwards nothing must be left.
        opening.await??;
        setting.await??;
        let left = adapters.sessions.list(of_race.id).await?;
        same("the sessions", &left, &Vec::new())?;
        let password = account(&adapters, &name).await?.password;
        same("the password", &password, &None)?;
    }
    Ok(())
}
