//! The layers, and who may depend on what. docs/ARCHITECTURE.md says why.

/// What the crates of one layer may depend on.
pub(super) struct Layer {
    pub(super) name: &'static str,
    /// Layers that everything but tests may use.
    pub(super) uses: &'static [&'static str],
    /// Further layers that tests may use.
    pub(super) tests_use: &'static [&'static str],
    /// Outside crates that everything but tests may use; `None` allows any.
    pub(super) outside: Option<&'static [&'static str]>,
}

/// Every layer, from the inside out.
pub(super) const LAYERS: [Layer; 17] = [
    Layer {
        name: "kit",
        uses: &[],
        tests_use: &[],
        outside: Some(&[
            "async-recursion",
            "deunicode",
            "rust_iso3166",
            "strsim",
            "thiserror",
            "unicode-normalization",
        ]),
    },
    Layer {
        name: "domain",
        uses: &["kit"],
        tests_use: &["contract", "testkit"],
        // No I/O, no runtime, no clock, no HTTP, no diesel: whoever embeds the domain chooses them.
        outside: Some(&[
            "async-trait",
            "email_address",
            // Combinators of futures, which run on any runtime.
            "futures-util",
            "iso_currency",
            // Without its default features it knows the calendar, but no clock, no time zones and no files.
            "jiff",
            "serde",
            "sha2",
            "thiserror",
            "unicode-normalization",
            "uuid",
            "zeroize",
        ]),
    },
    Layer {
        name: "backoffice",
        uses: &["kit", "domain"],
        tests_use: &["contract", "testkit"],
        // As pure as the domain; its time zones are bundled.
        outside: Some(&[
            "async-trait",
            "futures-util",
            "jiff",
            "serde",
            "sha2",
            "thiserror",
            "uuid",
            "zeroize",
        ]),
    },
    Layer {
        name: "contract",
        uses: &["kit", "domain", "backoffice"],
        tests_use: &["contract", "testkit"],
        // What is asked of every adapter must not lean on one adapter's technology.
        outside: Some(&[
            "async-trait",
            "fastrand",
            "libtest-mimic",
            "serde",
            "serde_json",
            "thiserror",
            "tokio",
            "uuid",
        ]),
    },
    Layer {
        name: "testkit",
        uses: &["kit", "domain"],
        tests_use: &["contract", "testkit"],
        outside: Some(&[
            "diesel",
            "openssl-sys",
            "pq-sys",
            "rustix",
            "tempfile",
            "thiserror",
        ]),
    },
    Layer {
        name: "store-kit",
        uses: &["kit", "domain", "backoffice"],
        tests_use: &["contract", "testkit"],
        // Of tokio the channels of the queue of writes, whose callers wait without holding a
        // thread.
        outside: Some(&[
            "async-trait",
            "diesel",
            "serde",
            "serde_json",
            "sha2",
            "thiserror",
            "tokio",
            "tracing",
            "uuid",
        ]),
    },
    Layer {
        name: "tabular",
        uses: &["kit", "domain", "backoffice"],
        tests_use: &[],
        // It converts texts; files are read and written by its callers.
        outside: Some(&["csv", "serde", "serde_json"]),
    },
    Layer {
        name: "store",
        uses: &["kit", "domain", "backoffice", "store-kit"],
        tests_use: &["contract", "testkit"],
        outside: None,
    },
    Layer {
        name: "auth",
        uses: &["kit", "domain", "backoffice"],
        tests_use: &["contract", "testkit"],
        outside: None,
    },
    Layer {
        name: "egress",
        uses: &["kit", "domain", "backoffice"],
        tests_use: &["contract", "testkit"],
        outside: None,
    },
    Layer {
        name: "http",
        uses: &["kit", "domain", "backoffice"],
        tests_use: &["contract", "testkit"],
        outside: None,
    },
    Layer {
        name: "api",
        uses: &["kit", "domain", "backoffice", "tabular", "http"],
        tests_use: &["contract", "testkit"],
        outside: None,
    },
    Layer {
        name: "console",
        uses: &["kit", "domain", "backoffice", "tabular", "http"],
        tests_use: &["contract", "testkit"],
        outside: None,
    },
    Layer {
        name: "cli",
        uses: &["kit", "domain", "backoffice", "tabular"],
        tests_use: &["contract", "testkit"],
        outside: None,
    },
    Layer {
        name: "webhooks",
        uses: &["kit", "domain", "backoffice", "egress"],
        tests_use: &["contract", "testkit"],
        outside: None,
    },
    Layer {
        name: "server",
        uses: &[
            "kit",
            "domain",
            "backoffice",
            "tabular",
            "store",
            "auth",
            "egress",
            "http",
            "api",
            "console",
            "cli",
            "webhooks",
        ],
        tests_use: &["contract", "testkit", "store-kit"],
        outside: None,
    },
    Layer {
        name: "tooling",
        uses: &["kit", "domain", "backoffice", "contract", "testkit"],
        tests_use: &[],
        outside: None,
    },
];

/// Outside crates that belong to one technology, and the only packages that may name them, tests
/// apart.
pub(super) const CONFINED: [(&str, &[&str]); 19] = [
    (
        "actix-web",
        &[
            "pressline-http",
            "pressline-api",
            "pressline-console",
            "pressline-cli",
            "pressline",
        ],
    ),
    ("aes-gcm", &["pressline-auth"]),
    ("askama", &["pressline-console"]),
    ("code128", &["pressline-console"]),
    ("csv", &["pressline-tabular"]),
    (
        "diesel",
        &[
            "pressline-store-postgres",
            "pressline-store-kit",
            "pressline-store-sqlite",
            "pressline-testkit",
            "pressline-bench",
        ],
    ),
    ("governor", &["pressline-http"]),
    (
        "hmac",
        &[
            "pressline-auth",
            "pressline-console",
            "pressline-webhooks",
            "pressline-bench",
        ],
    ),
    // Requests to URLs that others gave must have their addresses checked.
    ("hyper", &["pressline-egress"]),
    ("hyper-util", &["pressline-egress"]),
    (
        "libsqlite3-sys",
        &["pressline-store-sqlite", "pressline-bench"],
    ),
    ("multer", &["pressline-console"]),
    (
        "pq-sys",
        &[
            "pressline-store-postgres",
            "pressline-testkit",
            "pressline-bench",
        ],
    ),
    ("r2d2", &["pressline-store-postgres"]),
    ("tokio-rustls", &["pressline-egress"]),
    ("tracing-subscriber", &["pressline-cli"]),
    ("utoipa", &["pressline-http", "pressline-api"]),
    ("utoipa-swagger-ui", &["pressline-api"]),
    ("zip", &["pressline-console"]),
];

/// An edge that breaks a rule and is allowed. One that is no longer needed is a finding too.
pub(super) struct Exception {
    pub(super) from: &'static str,
    pub(super) to: &'static str,
}

/// None is needed. Each one that comes here says in a comment why.
pub(super) const EXCEPTIONS: [Exception; 0] = [];
