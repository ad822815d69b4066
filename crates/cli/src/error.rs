//! Errors of commands, with their exit codes.

use std::error::Error;
use std::fmt::Write;

use pressline_backoffice::import::catalog::Findings;
use pressline_backoffice::operator::{OperatorError, SessionError};
use pressline_backoffice::store::StoreError;
use pressline_backoffice::webhook::WebhookError;
use pressline_domain::error::RepositoryError;
use pressline_domain::store::SealError;
use pressline_host::logging::LogError;
use pressline_host::settings::SettingsError;
use pressline_host::terminal::{escape, escape_json, escape_lines, shorten};

use crate::location::FileError;

pub(crate) type Result<T = (), E = CommandError> = std::result::Result<T, E>;

/// Error of a command. The variant determines the exit code and the message.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The command line, the configuration or the state of the database does not permit the
    /// command. Exit code 2.
    #[error("{0}")]
    Usage(String),
    /// `StoreAdmin` failed, or refused its arguments, such as an invalid name.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// `OperatorAdmin` failed, or refused its arguments, such as an invalid lifetime of a token.
    #[error(transparent)]
    Operator(#[from] OperatorError),
    /// `SessionService` could not create a sign-in link.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// `EndpointService` failed, or refused its arguments.
    #[error(transparent)]
    Webhook(#[from] WebhookError),
    /// A file could not be read, written or imported.
    #[error(transparent)]
    File(#[from] FileError),
    /// The object of the command, such as a store, does not exist. Exit code 4.
    #[error("{0}")]
    NotFound(String),
    /// A query failed. Exit code 3 if the error `is_transient`, such as a lost connection; else 1.
    #[error(transparent)]
    Repository(#[from] RepositoryError),
    /// `files check` has no verdict, because of this error. Exit code 3 in place of 1 and 2, which
    /// are verdicts.
    #[error(transparent)]
    NoVerdict(Box<Self>),
    /// Failure of another action, such as writing to standard output.
    #[error("{context}")]
    Other {
        /// Exit code of the process: 1 from [`CommandError::other`], 2 from
        /// [`CommandError::configuration`], 3 from [`CommandError::database`].
        exit_code: u8,
        /// Failed action or its object, such as `standard output`.
        context: String,
        /// Cause, printed after `context`.
        #[source]
        source: BoxedError,
    },
}

type BoxedError = Box<dyn Error + Send + Sync>;

impl CommandError {
    /// Creates an error with exit code 1, printed as `context`, then `source`.
    pub fn other(context: impl Into<String>, source: impl Into<BoxedError>) -> Self {
        Self::Other {
            exit_code: 1,
            context: context.into(),
            source: source.into(),
        }
    }

    /// Creates a configuration error: as [`other`](Self::other), but with exit code 2.
    pub fn configuration(context: impl Into<String>, source: impl Into<BoxedError>) -> Self {
        Self::other(context, source).with_exit_code(2)
    }

    /// Creates a database error: as [`other`](Self::other), but with exit code 3.
    pub fn database(context: impl Into<String>, source: impl Into<BoxedError>) -> Self {
        Self::other(context, source).with_exit_code(3)
    }

    /// Creates the error for an import of the file `name` that failed because of `findings`.
    pub fn bad_rows(name: &str, findings: Findings) -> Self {
        Self::File(FileError::Bad {
            path: name.to_owned(),
            findings,
        })
    }

    fn with_exit_code(mut self, code: u8) -> Self {
        if let Self::Other { exit_code, .. } = &mut self {
            *exit_code = code;
        }
        self
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_)
            | Self::Store(
                StoreError::Name | StoreError::Seal(SealError::AnotherMasterKey { .. }),
            )
            | Self::Operator(OperatorError::Name | OperatorError::Lifetime)
            | Self::Webhook(
                WebhookError::Invalid(_) | WebhookError::Seal(SealError::AnotherMasterKey { .. }),
            ) => 2,
            Self::Other { exit_code, .. } => *exit_code,
            Self::NoVerdict(error) => match error.exit_code() {
                1 | 2 => 3,
                code => code,
            },
            Self::Repository(error)
            | Self::Store(StoreError::Repository(error))
            | Self::Operator(OperatorError::Repository(error))
            | Self::Session(SessionError::Repository(error))
            | Self::Webhook(WebhookError::Repository(error))
                // The same command can succeed a moment later.
                if error.is_transient() =>
            {
                3
            }
            Self::NotFound(_)
            | Self::Store(StoreError::NotFound(_) | StoreError::NoSuchKey(_))
            | Self::Operator(OperatorError::NotFound(_) | OperatorError::NoSuchToken(_))
            | Self::Session(SessionError::NotFound(_))
            | Self::Webhook(WebhookError::NotFound | WebhookError::StoreNotFound(_)) => 4,
            Self::Store(_)
            | Self::Operator(_)
            | Self::Session(_)
            | Self::Webhook(_)
            | Self::File(_)
            | Self::Repository(_) => 1,
        }
    }

    /// Lists the error, its causes and findings. Escapes characters that could steer the terminal.
    pub(crate) fn explain(self) -> String {
        if let Self::NoVerdict(error) = self {
            return error.explain();
        }
        let mut chain = self.to_string();
        let mut source = self.source();
        while let Some(error) = source {
            let _ = write!(chain, ": {error}");
            source = error.source();
        }
        // Some errors, such as TOML's, have several lines.
        let mut text = escape_lines(&chain).into_owned();
        // The domain does not know the names of settings.
        if let Self::Store(StoreError::Seal(SealError::AnotherMasterKey { .. })) = &self {
            text.push_str(
                "; set auth.master_key or auth.master_key_file to the key that seals, or, while \
                 `pressline master-key rotate` is to replace it, auth.previous_master_key or …_file",
            );
        }
        if let Self::Webhook(WebhookError::Invalid(report)) = &self {
            for problem in &report.violations {
                let _ = write!(text, "\n  {}: {}", problem.field, escape(&problem.message));
            }
        }
        if let Self::File(
            FileError::Bad { mut findings, .. } | FileError::Overtaken { mut findings, .. },
        ) = self
        {
            for finding in findings.shown() {
                // A finding may quote text of the file: print it as one short line.
                let _ = write!(text, "\n  {}", escape(&shorten(&finding.to_string())));
            }
            let more = findings.count() - findings.shown().len();
            if more > 0 {
                let _ = write!(text, "\n  and {more} more");
            }
        }
        text
    }
}

impl From<SettingsError> for CommandError {
    fn from(error: SettingsError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<LogError> for CommandError {
    fn from(error: LogError) -> Self {
        match error {
            LogError::Filter(cause) => Self::configuration("configuration: log.level", cause),
            LogError::Start(cause) => Self::other("the log cannot be started", cause),
        }
    }
}

pub(crate) fn json(exit_code: u8, message: &str) -> String {
    let error = serde_json::json!({ "error": { "exitCode": exit_code, "message": message } });
    // JSON does not require escapes of characters such as C1 controls, which can steer a terminal.
    escape_json(&error.to_string()).into_owned()
}

#[cfg(test)]
mod tests {
    use pressline_backoffice::import::catalog::{Finding, Findings};

    use super::*;

    #[test]
    fn text_of_a_file_cannot_steer_the_terminal() {
        let message = "`\u{1b}[2J\nline 1: fine` is not in the catalog".to_owned();
        let finding = Finding {
            line: 7,
            column: "sku\u{9b}".to_owned(),
            message,
        };
        let error = CommandError::from(FileError::Bad {
            path: "a\u{7}.csv".to_owned(),
            findings: finding.into(),
        });
        assert_eq!(
            error.explain(),
            "a\\u{7}.csv: 1 problem; nothing was imported\n  \
             line 7, sku\\u{9b}: `\\u{1b}[2J\\u{a}line 1: fine` is not in the catalog"
        );
    }

    #[test]
    fn a_hundred_problems_are_shown_and_the_rest_is_counted() {
        let mut findings = Findings::default();
        for line in (1..=1000).rev() {
            findings.add(Finding {
                line,
                column: "sku".to_owned(),
                message: "required".to_owned(),
            });
        }
        let explained = CommandError::from(FileError::Bad {
            path: "a.csv".to_owned(),
            findings,
        })
        .explain();
        let lines: Vec<&str> = explained.lines().collect();
        assert_eq!(lines.len(), 102);
        assert_eq!(lines[0], "a.csv: 1000 problems; nothing was imported");
        assert_eq!(
            (lines[1], lines[100]),
            ("  line 1, sku: required", "  line 100, sku: required")
        );
        assert_eq!(lines[101], "  and 900 more");
    }
}
