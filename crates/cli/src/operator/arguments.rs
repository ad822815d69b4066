//! The arguments of `pressline operator`.

use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use pressline_backoffice::operator::OperatorRole;

use crate::store::arguments::StoreName;

#[derive(Debug, Subcommand)]
pub(crate) enum OperatorCommand {
    /// Create an operator and print its first token, once.
    Create(OperatorCreate),
    /// Create another token for an operator and print it, once. Existing tokens stay valid.
    Token(OperatorToken),
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
    pub(crate) name: String,
    /// Role of the operator: viewer reads; carrier reports deliveries only; operator also moves and
    /// changes orders; admin also administers stores.
    #[arg(long, value_parser = roles())]
    pub(crate) role: OperatorRole,
    /// Limit the operator to this store, by id or prefix; can be repeated. Default: all stores.
    #[arg(long = "store", value_name = "STORE")]
    pub(crate) stores: Vec<StoreName>,
    #[command(flatten)]
    pub(crate) expiry: Expiry,
}

#[derive(Debug, Args)]
pub(crate) struct OperatorToken {
    /// Name of the operator.
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) expiry: Expiry,
}

#[derive(Debug, Args)]
pub(crate) struct Expiry {
    /// Lifetime of the token: a whole number with s, m, h or d, such as 90d. Default: unlimited.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) expires: Option<Duration>,
}

fn roles() -> impl TypedValueParser<Value = OperatorRole> {
    let names = OperatorRole::ALL.map(OperatorRole::as_str);
    PossibleValuesParser::new(names)
        .try_map(|name| OperatorRole::from_name(&name).ok_or("not a role"))
}

fn duration(text: &str) -> Result<Duration, &'static str> {
    const FORM: &str = "expected a whole number with s, m, h or d, such as 90d";
    let unit = text.chars().last().unwrap_or_default();
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 60 * 60,
        'd' => 24 * 60 * 60,
        _ => return Err(FORM),
    };
    let number = text.strip_suffix(unit).unwrap_or_default();
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(FORM);
    }
    let number: u64 = number.parse().map_err(|_| FORM)?;
    let seconds = number.checked_mul(seconds).ok_or("too long")?;
    Ok(Duration::from_secs(seconds))
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
