//! The columns of the tables about accounts of operators, their sessions and the audit, listed once
//! like those in `columns.rs`.

/// The columns of accounts: what operators have set for themselves.
macro_rules! account_columns {
    ($callback:ident! $($arguments:tt)*) => {
        $callback! {
            ($($arguments)*)
            operator_id: String = Text,
            password_hash: Option<String> = Nullable<Text>,
            time_zone: String = Text,
            paper: String = Text,
            theme: String = Text,
            sounds: bool = Bool,
            keys: bool = Bool,
        }
    };
}

/// The columns of sessions of operators.
macro_rules! session_columns {
    ($callback:ident! $($arguments:tt)*) => {
        $callback! {
            ($($arguments)*)
            session_id: String = Text,
            operator_id: String = Text,
            digest: Vec<u8> = Binary,
            client: String = Text,
            signed_in_at: i64 = BigInt,
            last_used_at: i64 = BigInt,
            confirmed_at: i64 = BigInt,
            confirmed_by: String = Text,
        }
    };
}

/// The columns of links for signing in.
macro_rules! link_columns {
    ($callback:ident! $($arguments:tt)*) => {
        $callback! {
            ($($arguments)*)
            digest: Vec<u8> = Binary,
            operator_id: String = Text,
            expires_at: i64 = BigInt,
        }
    };
}

/// The columns of entries of the audit.
macro_rules! audit_columns {
    ($callback:ident! $($arguments:tt)*) => {
        $callback! {
            ($($arguments)*)
            entry_id: String = Text,
            at: i64 = BigInt,
            operator_id: Option<String> = Nullable<Text>,
            operator_name: Option<String> = Nullable<Text>,
            request_id: Option<String> = Nullable<Text>,
            action: String = Text,
            subject: String = Text,
        }
    };
}

/// The columns of results of forms.
macro_rules! form_columns {
    ($callback:ident! $($arguments:tt)*) => {
        $callback! {
            ($($arguments)*)
            operator_id: String = Text,
            form_id: String = Text,
            claimed_at: i64 = BigInt,
            result: Option<String> = Nullable<Text>,
        }
    };
}
