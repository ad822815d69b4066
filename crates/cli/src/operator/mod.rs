//! `pressline operator`: administers operators and their tokens.

use std::collections::BTreeSet;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use pressline_backoffice::audit::AuditContext;
use pressline_backoffice::operator::{
    NewLink, NewOperator, Operator, OperatorAdmin, OperatorRecord, OperatorRole, OperatorToken,
    OperatorWithToken,
};
use pressline_domain::value::{Timestamp, TokenId};
use serde::Serialize;

use crate::error::Result;
use crate::output::Output;
use crate::services::{ConfiguredProgram, Services};
use crate::sign_in::sign_in_url;
use crate::store::{self, StoreName};

#[derive(Debug, Subcommand)]
pub(crate) enum OperatorCommand {
    /// Create an operator and print its first token, once.
    Create(OperatorCreate),
    /// Create another token for an operator and print it, once. Existing tokens stay valid.
    Token(NewToken),
    /// List all operators with their tokens.
    List,
    /// Print a sign-in link of an operator to the console. It works once, within 10 minutes.
    SignIn {
        /// Name of the operator.
        name: String,
    },
    /// Revoke a token, or all access of an operator: its tokens, password, sessions and sign-in
    /// links. Tokens are refused within 5 seconds, all else immediately.
    ///
    /// The operator is kept, because order histories name it. It can get another token or link.
    Revoke {
        /// A token's id, or an operator's name.
        which: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct OperatorCreate {
    /// The operator's name, unique among operators.
    #[arg(long)]
    name: String,
    /// Role of the operator: viewer reads; carrier reports deliveries only; operator also moves and
    /// changes orders; admin also administers stores.
    #[arg(long, value_parser = roles())]
    role: OperatorRole,
    /// Limit the operator to this store, by id or prefix; can be repeated. Default: all stores.
    #[arg(long = "store", value_name = "STORE")]
    stores: Vec<StoreName>,
    #[command(flatten)]
    expiry: Expiry,
}

#[derive(Debug, Args)]
pub(crate) struct NewToken {
    /// Name of the operator.
    name: String,
    #[command(flatten)]
    expiry: Expiry,
}

#[derive(Debug, Args)]
pub(crate) struct Expiry {
    /// Lifetime of the token: a whole number with s, m, h or d, such as 90d. Default: unlimited.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    expires: Option<Duration>,
}

fn roles() -> impl TypedValueParser<Value = OperatorRole> {
    let names = OperatorRole::ALL.map(OperatorRole::as_str);
    PossibleValuesParser::new(names)
        .try_map(|name| OperatorRole::from_name(&name).ok_or("not a role"))
}

fn duration(text: &str) -> Result<Duration, &'static str> {
    const FORM: &str = "expected a whole number with s, m, h or d, such as 90d";
    let unit = text.chars().last().unwrap_or_default();
    let unit_seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 60 * 60,
        'd' => 24 * 60 * 60,
        _ => return Err(FORM),
    };
    let digits = text.strip_suffix(unit).unwrap_or_default();
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(FORM);
    }
    let number: u64 = digits.parse().map_err(|_| FORM)?;
    let seconds = number.checked_mul(unit_seconds).ok_or("too long")?;
    Ok(Duration::from_secs(seconds))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OperatorDocument {
    operator_id: String,
    name: String,
    role: &'static str,
    /// Ids of the stores that the operator is limited to; `null` for all stores.
    stores: Option<Vec<String>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MadeDocument {
    #[serde(flatten)]
    operator: OperatorDocument,
    token_id: String,
    token: String,
    expires_at: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RecordDocument {
    #[serde(flatten)]
    operator: OperatorDocument,
    created_at: String,
    tokens: Vec<TokenDocument>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TokenDocument {
    token_id: String,
    created_at: String,
    expires_at: Option<String>,
    last_used_at: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LinkDocument {
    #[serde(flatten)]
    operator: OperatorDocument,
    link: String,
    expires_at: String,
}

impl From<&Operator> for OperatorDocument {
    fn from(operator: &Operator) -> Self {
        let stores = operator.stores.as_ref();
        Self {
            operator_id: operator.id.to_string(),
            name: operator.name.clone(),
            role: operator.role.as_str(),
            stores: stores.map(|stores| stores.iter().map(ToString::to_string).collect()),
        }
    }
}

impl From<&OperatorToken> for TokenDocument {
    fn from(token: &OperatorToken) -> Self {
        let shown = |moment: Option<Timestamp>| moment.map(|moment| moment.to_string());
        Self {
            token_id: token.id.to_string(),
            created_at: token.created_at.to_string(),
            expires_at: shown(token.expires_at),
            last_used_at: shown(token.last_used_at),
        }
    }
}

impl From<&OperatorRecord> for RecordDocument {
    fn from(record: &OperatorRecord) -> Self {
        Self {
            operator: OperatorDocument::from(&record.operator),
            created_at: record.operator.created_at.to_string(),
            tokens: record.tokens.iter().map(TokenDocument::from).collect(),
        }
    }
}

impl From<&OperatorWithToken> for MadeDocument {
    fn from(made: &OperatorWithToken) -> Self {
        Self {
            operator: OperatorDocument::from(&made.operator),
            token_id: made.token.id.to_string(),
            token: made.text.expose(),
            expires_at: made.token.expires_at.map(|moment| moment.to_string()),
        }
    }
}

impl OperatorDocument {
    fn lines(&self) -> Vec<String> {
        let stores = match &self.stores {
            None => "all".to_owned(),
            Some(stores) => stores.join(", "),
        };
        vec![
            format!("Operator    {}  {}", self.operator_id, self.name),
            format!("  role      {}", self.role),
            format!("  stores    {stores}"),
        ]
    }
}

impl MadeDocument {
    fn text(&self) -> String {
        let mut lines = self.operator.lines();
        lines.push(format!("New token   {}", self.token_id));
        if let Some(expires) = &self.expires_at {
            lines.push(format!("  expires   {expires}"));
        }
        lines.push(format!("Token       {}", self.token));
        lines.push("            Save it now: it is not shown again.".to_owned());
        lines.join("\n")
    }
}

impl LinkDocument {
    fn new(made: &NewLink, console: &str) -> Self {
        Self {
            operator: OperatorDocument::from(&made.operator),
            link: sign_in_url(console, made),
            expires_at: made.expires_at.to_string(),
        }
    }

    fn text(&self) -> String {
        let mut lines = self.operator.lines();
        lines.push(format!("Link        {}", self.link));
        lines.push(format!("  expires   {}; works once", self.expires_at));
        lines.join("\n")
    }
}

impl RecordDocument {
    fn text(&self) -> String {
        let mut lines = self.operator.lines();
        lines.push(format!("  created   {}", self.created_at));
        for token in &self.tokens {
            let expires = token.expires_at.as_deref().unwrap_or("never");
            let used = token.last_used_at.as_deref().unwrap_or("never");
            lines.push(format!(
                "  token     {}  created {}, expires {expires}, last used {used}",
                token.token_id, token.created_at
            ));
        }
        lines.join("\n")
    }
}

pub(super) async fn run(
    program: &dyn ConfiguredProgram,
    command: OperatorCommand,
    output: &Output,
) -> Result {
    let services = program.open().await?;
    let admin = services.operators.by(AuditContext::COMMAND_LINE);
    match command {
        OperatorCommand::Create(new) => {
            let made = admin.create(new_operator(&services, new).await?).await?;
            print_made(&made, output)
        }
        OperatorCommand::Token(token) => {
            let made = admin.issue_token(&token.name, token.expiry.expires).await?;
            print_made(&made, output)
        }
        OperatorCommand::List => list(&admin, output).await,
        OperatorCommand::SignIn { name } => {
            // Checked first: without this URL a new link could not be opened.
            let console = services.console_url?;
            let sessions = services.sessions;
            let made = sessions
                .make_link(&name, AuditContext::COMMAND_LINE)
                .await?;
            let document = LinkDocument::new(&made, &console);
            output.print(&document, || document.text())
        }
        OperatorCommand::Revoke { which } => {
            // Text that is not a token id is an operator's name.
            let record = match which.parse::<TokenId>() {
                Ok(id) => admin.revoke_token(id).await?,
                Err(_) => admin.revoke_all(&which).await?,
            };
            let document = RecordDocument::from(&record);
            output.print(&document, || document.text())
        }
    }
}

async fn new_operator(services: &Services, new: OperatorCreate) -> Result<NewOperator> {
    let mut stores = BTreeSet::new();
    for name in &new.stores {
        stores.insert(store::find(services, &name.0).await?.id);
    }
    Ok(NewOperator {
        name: new.name,
        role: new.role,
        // No stores on the command line means all stores.
        stores: Some(stores).filter(|stores| !stores.is_empty()),
        lifetime: new.expiry.expires,
    })
}

fn print_made(made: &OperatorWithToken, output: &Output) -> Result {
    let document = MadeDocument::from(made);
    output.print(&document, || document.text())
}

async fn list(admin: &OperatorAdmin, output: &Output) -> Result {
    let records = admin.list().await?;
    let documents: Vec<RecordDocument> = records.iter().map(RecordDocument::from).collect();
    output.print(&documents, || match documents.as_slice() {
        [] => "No operators yet; `pressline operator create --name NAME --role ROLE` creates one."
            .to_owned(),
        documents => documents
            .iter()
            .map(RecordDocument::text)
            .collect::<Vec<_>>()
            .join("\n"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_whole_numbers_with_a_unit() {
        for (text, seconds) in [("1s", 1), ("90m", 5400), ("2h", 7200), ("90d", 7_776_000)] {
            assert_eq!(duration(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        let too_long = format!("{}d", u64::MAX);
        for wrong in [
            "", "d", "90", "1.5h", "-1d", "+1d", "1 d", "1w", "1é", &too_long,
        ] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
