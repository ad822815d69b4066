//! Layers of the crates and their permitted dependencies. docs/ARCHITECTURE.md has the reasons.

/// Permitted dependencies of a layer's crates.
pub(super) struct Layer {
    pub(super) name: &'static str,
    /// Layers that all code may use.
    pub(super) uses: &'static [&'static str],
    /// Additional layers that tests may use.
    pub(super) tests_use: &'static [&'static str],
    /// External crates that code other than tests may use; `None` permits all.
    pub(super) outside: Option<&'static [&'static str]>,
}

/// All layers, innermost first.
pub(super) const LAYERS: [Layer; 20] = [
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
        // No I/O, runtime, clock, HTTP or diesel: the program that embeds the domain chooses them.
        outside: Some(&[
            "async-trait",
            "email_address",
            "iso_currency",
            // Without default features: the calendar, but no clock, time zones or files.
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
        // As pure as the domain; time zones are bundled.
        outside: Some(&[
            "async-trait",
            // Combinators of futures, independent of the runtime.
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
        // The adapter contract must not depend on the technology of an adapter.
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
            // Reads the tokens of source files.
            "proc-macro2",
            "rustix",
            "tempfile",
            "thiserror",
        ]),
    },
    Layer {
        // A macro of the compiler: it sees the text of the code, and no value at run time.
        name: "store-derive",
        uses: &[],
        tests_use: &[],
        outside: Some(&["quote", "syn"]),
    },
    Layer {
        name: "store-kit",
        uses: &["kit", "domain", "backoffice", "store-derive"],
        tests_use: &["contract", "testkit"],
        // Of tokio, only channels: callers wait for the write queue without blocking a thread.
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
        // Converts strings; its callers read and write files.
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
        // The process around the service: it knows neither orders nor operators.
        name: "host",
        uses: &["kit"],
        tests_use: &[],
        outside: None,
    },
    Layer {
        name: "cli",
        uses: &["kit", "host", "domain", "backoffice", "tabular"],
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
        name: "media",
        uses: &["kit", "domain", "backoffice", "egress"],
        tests_use: &["contract", "testkit"],
        outside: None,
    },
    Layer {
        name: "server",
        uses: &[
            "kit",
            "host",
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
            "media",
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

/// External crates that belong to a technology, and the only packages that may use them outside
/// tests.
pub(super) const CONFINED: [(&str, &[&str]); 28] = [
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
    // Decoders of strangers' files run in the child process of `media` only.
    ("hayro", &["pressline-media"]),
    ("hayro-syntax", &["pressline-media"]),
    // Requests to foreign URLs must go through the address check of `egress`.
    ("hyper", &["pressline-egress"]),
    ("hyper-util", &["pressline-egress"]),
    ("image", &["pressline-media"]),
    ("image-webp", &["pressline-media"]),
    ("jpeg-decoder", &["pressline-media"]),
    (
        "libsqlite3-sys",
        &["pressline-store-sqlite", "pressline-bench"],
    ),
    ("moxcms", &["pressline-media"]),
    ("multer", &["pressline-console"]),
    ("png", &["pressline-media"]),
    (
        "pq-sys",
        &[
            "pressline-store-postgres",
            "pressline-testkit",
            "pressline-bench",
        ],
    ),
    ("r2d2", &["pressline-store-postgres"]),
    ("resvg", &["pressline-media"]),
    ("tiff", &["pressline-media"]),
    ("tokio-rustls", &["pressline-egress"]),
    ("tracing-subscriber", &["pressline-host"]),
    ("utoipa", &["pressline-http", "pressline-api"]),
    ("utoipa-swagger-ui", &["pressline-api"]),
    ("zip", &["pressline-console"]),
];

/// A permitted edge that breaks a rule. An unnecessary exception is also a finding.
pub(super) struct Exception {
    pub(super) from: &'static str,
    pub(super) to: &'static str,
}

/// No exception is needed. A new exception must have a comment with its reason.
pub(super) const EXCEPTIONS: [Exception; 0] = [];
