//! Advice for failed TLS connections.

use diesel::ConnectionError;

/// Parts of messages of libpq, OpenSSL and the server, each with advice.
const ADVICE: [(&str, &str); 6] = [
    (
        "certificate verify failed",
        "the server's certificate has expired, or no authority in sslrootcert has signed it: set sslrootcert=FILE to \
         the certificate of its authority, or sslrootcert=system for a public authority; renew an expired certificate",
    ),
    (
        "does not match host name",
        "connect to a name in the server's certificate, or set sslmode=verify-ca, which does not compare names",
    ),
    (
        "server does not support SSL",
        "turn TLS on at the server (ssl = on), or set sslmode=prefer on a network that you trust",
    ),
    (
        "no encryption",
        "the server refuses connections without TLS: set sslmode=verify-full, which also checks its certificate",
    ),
    (
        "requires a valid client certificate",
        "set sslcert=FILE and sslkey=FILE to a client certificate and its key",
    ),
    (
        "alert unknown ca",
        "the server does not know the authority that signed the client certificate in sslcert: set sslcert=FILE and \
         sslkey=FILE to another one, or add the authority to the server's ssl_ca_file",
    ),
];

pub(crate) fn advice(message: &str) -> Option<&'static str> {
    let mut advice = ADVICE.iter();
    advice
        .find(|(part, _)| message.contains(part))
        .map(|(_, advice)| *advice)
}

pub(crate) fn explained(error: &ConnectionError) -> String {
    let text = error.to_string();
    let message = text.trim_end();
    match advice(message) {
        Some(advice) => format!("{message}; {advice}"),
        None => message.to_owned(),
    }
}
