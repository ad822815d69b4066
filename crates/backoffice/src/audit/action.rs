//! Actions of the audit log.

pressline_kit::named! {
    /// Kind of action that an audit entry records. The entry is stored and shown with the kind's
    /// string, such as `store-created`.
    pub enum AuditAction {
        /// A store was created, with its first key.
        StoreCreated = "store-created",
        /// Settings of a store were changed, or the store was enabled or disabled.
        StoreChanged = "store-changed",
        /// A key was added to a store. If the store then had more than
        /// [`LIVE_KEYS`](pressline_domain::store::LIVE_KEYS) keys, the oldest key was removed.
        KeyRotated = "key-rotated",
        /// A key of a store was revoked.
        KeyRevoked = "key-revoked",
        /// Products, prices, shipping rates or fees were imported, or rates or fees were removed.
        CatalogImported = "catalog-imported",
        /// An operator was created, with or without a first token.
        OperatorCreated = "operator-created",
        /// All tokens, sessions, sign-in links and the password of an operator were removed.
        OperatorRevoked = "operator-revoked",
        /// A token was added to an operator.
        TokenCreated = "token-created",
        /// A single token of an operator was revoked.
        TokenRevoked = "token-revoked",
        /// A sign-in link for an operator was created.
        LinkCreated = "link-created",
        /// An operator has signed in, by a password or by a link.
        SignedIn = "signed-in",
        /// An operator ended the session that they were using.
        SignedOut = "signed-out",
        /// An operator ended one of their sessions, other than the session in use.
        SessionRevoked = "session-revoked",
        /// An operator set a first or a new password, which ends all their other sessions.
        PasswordSet = "password-set",
        /// A webhook endpoint of a store or of the print shop was created.
        WebhookCreated = "webhook-created",
        /// A webhook endpoint was changed, enabled or disabled.
        WebhookChanged = "webhook-changed",
        /// A webhook endpoint was deleted, with its deliveries.
        WebhookDeleted = "webhook-deleted",
        /// The secret of a webhook endpoint was replaced.
        SecretRotated = "secret-rotated",
        /// A test event was sent to a webhook endpoint.
        WebhookTested = "webhook-tested",
        /// The event of one webhook delivery was queued to be sent again.
        DeliveryResent = "delivery-resent",
        /// All undelivered events of a webhook endpoint since a given position were queued again.
        DeliveriesRecovered = "deliveries-recovered",
        /// All stored secrets were encrypted with a new master key.
        MasterKeyRotated = "master-key-rotated",
        /// Counters were skipped ahead after the database was restored or a replica was promoted.
        DatabaseRestored = "database-restored",
    }
}
