//! Cases about a directory of operators.

mod accounts;
pub(crate) mod sessions;

use std::collections::BTreeSet;

use pressline_backoffice::operator::{
    Operator, OperatorRecord, OperatorRole, OperatorToken, Revocation, SecretDigest, TokenUses,
};
use pressline_domain::value::{OperatorId, StoreId, Timestamp, TokenId};

use crate::at_once::winners;
use crate::check::{is_duplicate, is_stale, same};
use crate::random::Random;
use crate::samples::{NOW, at};
use crate::{Adapters, Case, CaseError, CaseResult, cases};

pub(crate) use accounts::CASES as ACCOUNTS;
pub(crate) use sessions::CASES as SESSIONS;

pub(crate) const CASES: &[Case] = cases![
    an_added_operator_is_listed_as_given,
    a_name_of_an_operator_is_unique,
    of_concurrent_adds_of_a_name_one_wins,
    operators_and_tokens_are_listed_oldest_first,
    a_token_is_added_to_its_operator,
    a_token_of_an_unknown_operator_is_refused,
    a_revoked_token_is_gone,
    all_tokens_of_an_operator_are_revoked,
    the_latest_use_of_a_token_is_kept,
    uses_of_unknown_tokens_are_ignored,
];

/// Number of concurrent calls.
const CONCURRENT_CALLS: usize = 12;
const MINUTE: i64 = 60_000;

impl Random {
    /// Creates a random operator `name` with one token.
    fn operator(&mut self, name: &str) -> Result<OperatorRecord, CaseError> {
        let role = self.pick(&OperatorRole::ALL).copied();
        let stores = self.maybe(|random| {
            let count = random.index(3);
            (0..count).map(|_| StoreId::new(random.uuid())).collect()
        });
        let operator = Operator {
            id: OperatorId::new(self.uuid()),
            name: name.to_owned(),
            role: role.ok_or_else(|| CaseError::new("there is no role"))?,
            stores,
            created_at: at(0),
        };
        Ok(OperatorRecord {
            operator,
            tokens: vec![self.token(NOW)],
        })
    }

    fn token(&mut self, created_at: i64) -> OperatorToken {
        OperatorToken {
            id: TokenId::new(self.uuid()),
            digest: SecretDigest::new(self.bytes()),
            created_at: Timestamp::from_millis(created_at),
            expires_at: self.maybe(|_| Timestamp::from_millis(created_at + MINUTE)),
            last_used_at: None,
        }
    }
}

/// Adds a random operator named `name`.
async fn added(
    adapters: &Adapters,
    random: &mut Random,
    name: &str,
) -> Result<OperatorRecord, CaseError> {
    let record = random.operator(name)?;
    adapters.operators.add(&record).await?;
    Ok(record)
}

/// Checks that the list contains exactly `expected`, sorted by creation.
async fn are_listed(adapters: &Adapters, expected: &[&OperatorRecord]) -> CaseResult {
    let mut expected = expected.to_vec();
    expected.sort_by_key(|record| (record.operator.created_at, record.operator.id));
    let listed = adapters.operators.list().await?;
    same("the list", &listed.iter().collect(), &expected)
}

async fn an_added_operator_is_listed_as_given(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    are_listed(&adapters, &[]).await?;
    let mut records = Vec::new();
    for number in 0..20 {
        let name = format!("{} {number}", random.text().replace('\0', ""));
        let mut record = random.operator(&name)?;
        match number {
            0 => record.tokens.clear(),
            1 => record.operator.stores = Some(BTreeSet::new()),
            2 => record.tokens.push(random.token(NOW + 1)),
            _ => {}
        }
        adapters.operators.add(&record).await?;
        records.push(record);
    }
    are_listed(&adapters, &records.iter().collect::<Vec<_>>()).await
}

async fn a_name_of_an_operator_is_unique(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let first = added(&adapters, random, "Ana").await?;
    let second = random.operator("Ana")?;
    is_duplicate("the same name", adapters.operators.add(&second).await)?;
    let other = added(&adapters, random, "ana").await?;
    are_listed(&adapters, &[&first, &other]).await
}

async fn of_concurrent_adds_of_a_name_one_wins(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let mut calls = Vec::new();
    for _ in 0..CONCURRENT_CALLS {
        let (record, operators) = (random.operator("Ana")?, adapters.operators.clone());
        calls.push(async move { operators.add(&record).await.map(|()| record) });
    }
    let added = winners(calls, |refused| is_duplicate("the same name", refused)).await?;
    same("operators added", &added.len(), &1)?;
    are_listed(&adapters, &added.iter().collect::<Vec<_>>()).await
}

async fn operators_and_tokens_are_listed_oldest_first(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let mut records = Vec::new();
    for number in 0..12 {
        let mut record = random.operator(&format!("Operator {number}"))?;
        // Some records have the same time and are then sorted by id.
        let created_at = NOW - i64::try_from(random.below(6))?;
        record.operator.created_at = Timestamp::from_millis(created_at);
        for _ in 0..3 {
            let created_at = NOW - i64::try_from(random.below(3))?;
            record.tokens.push(random.token(created_at));
        }
        adapters.operators.add(&record).await?;
        record
            .tokens
            .sort_by_key(|token| (token.created_at, token.id));
        records.push(record);
    }
    are_listed(&adapters, &records.iter().collect::<Vec<_>>()).await
}

async fn a_token_is_added_to_its_operator(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let mut record = added(&adapters, random, "Ana").await?;
    let other = added(&adapters, random, "Bob").await?;
    for later in 1..4 {
        let token = random.token(NOW + later);
        let operators = &adapters.operators;
        operators.add_token(record.operator.id, &token).await?;
        record.tokens.push(token);
    }
    are_listed(&adapters, &[&record, &other]).await
}

async fn a_token_of_an_unknown_operator_is_refused(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let record = added(&adapters, random, "Ana").await?;
    let unknown = OperatorId::new(random.uuid());
    let token = random.token(NOW);
    let refused = adapters.operators.add_token(unknown, &token).await;
    is_stale("an unknown operator", refused)?;
    are_listed(&adapters, &[&record]).await
}

async fn a_revoked_token_is_gone(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let mut record = added(&adapters, random, "Ana").await?;
    let token = random.token(NOW + 1);
    let operators = &adapters.operators;
    operators.add_token(record.operator.id, &token).await?;
    // Revoking an unknown token is not an error.
    let unknown = Revocation::Token(TokenId::new(random.uuid()));
    operators.revoke(unknown).await?;
    for revoked in std::mem::take(&mut record.tokens) {
        // Revoking a revoked token is not an error.
        operators.revoke(Revocation::Token(revoked.id)).await?;
        operators.revoke(Revocation::Token(revoked.id)).await?;
    }
    record.tokens.push(token);
    are_listed(&adapters, &[&record]).await
}

async fn all_tokens_of_an_operator_are_revoked(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let mut record = added(&adapters, random, "Ana").await?;
    let other = added(&adapters, random, "Bob").await?;
    let operators = &adapters.operators;
    operators
        .add_token(record.operator.id, &random.token(NOW + 1))
        .await?;
    let all = Revocation::Operator(record.operator.id);
    operators.revoke(all).await?;
    record.tokens.clear();
    are_listed(&adapters, &[&record, &other]).await
}

async fn the_latest_use_of_a_token_is_kept(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let mut ana = added(&adapters, random, "Ana").await?;
    let mut bob = added(&adapters, random, "Bob").await?;
    let second = random.token(NOW + 1);
    let operators = &adapters.operators;
    operators.add_token(ana.operator.id, &second).await?;
    ana.tokens.push(second);
    // Each call has a use of each token. Uses may arrive out of order.
    for minutes in [[2, 4, 9], [5, 3, 9], [5, 8, 9], [3, 7, 9], [1, 0, 9]] {
        let uses = tokens([&ana, &bob]).zip(minutes.map(|minute| at(minute * MINUTE)));
        operators.note_token_uses(&uses.collect()).await?;
    }
    let latest = [5, 8, 9].map(|minute| Some(at(minute * MINUTE)));
    let used = ana.tokens.iter_mut().chain(&mut bob.tokens);
    used.zip(latest)
        .for_each(|(token, minute)| token.last_used_at = minute);
    are_listed(&adapters, &[&ana, &bob]).await
}

/// Returns the ids of the tokens, operator by operator.
fn tokens(of: [&OperatorRecord; 2]) -> impl Iterator<Item = TokenId> {
    let tokens = of.into_iter().flat_map(|record| &record.tokens);
    tokens.map(|token| token.id)
}

async fn uses_of_unknown_tokens_are_ignored(adapters: Adapters) -> CaseResult {
    let random = &mut Random::new();
    let mut ana = added(&adapters, random, "Ana").await?;
    let mut bob = added(&adapters, random, "Bob").await?;
    let operators = &adapters.operators;
    let uses: TokenUses = tokens([&ana, &bob])
        .chain([TokenId::new(random.uuid())])
        .map(|token| (token, at(MINUTE)))
        .collect();
    for revoked in std::mem::take(&mut bob.tokens) {
        operators.revoke(Revocation::Token(revoked.id)).await?;
    }
    operators.note_token_uses(&uses).await?;
    operators.note_token_uses(&TokenUses::new()).await?;
    for token in &mut ana.tokens {
        token.last_used_at = Some(at(MINUTE));
    }
    are_listed(&adapters, &[&ana, &bob]).await
}
