//! What the audit records.

pressline_kit::named! {
    /// What was done, in the words of the audit.
    pub enum AuditAction {
        /// A store was created.
        StoreCreated = "store-created",
        /// Settings of a store were changed; also whether it is served.
        StoreChanged = "store-changed",
        /// A store got another key.
        KeyRotated = "key-rotated",
        /// A key of a store was revoked.
        KeyRevoked = "key-revoked",
        /// Products, prices, shipping rates or fees were imported.
        CatalogImported = "catalog-imported",
        /// An operator was created.
        OperatorCreated = "operator-created",
        /// An operator lost its tokens, its password, its sessions and its links.
        OperatorRevoked = "operator-revoked",
        /// An operator got another token.
        TokenCreated = "token-created",
        /// A token was revoked.
        TokenRevoked = "token-revoked",
        /// A link for signing in was made.
        LinkCreated = "link-created",
        /// An operator has signed in.
        SignedIn = "signed-in",
        /// An operator has signed out.
        SignedOut = "signed-out",
        /// An operator has ended another session of its own.
        SessionRevoked = "session-revoked",
        /// An operator has set its password.
        PasswordSet = "password-set",
        /// A webhook endpoint was created.
        WebhookCreated = "webhook-created",
        /// A webhook endpoint was changed; also whether it is served.
        WebhookChanged = "webhook-changed",
        /// A webhook endpoint was deleted.
        WebhookDeleted = "webhook-deleted",
        /// A webhook endpoint got another secret.
        SecretRotated = "secret-rotated",
        /// A test event was sent to a webhook endpoint.
        WebhookTested = "webhook-tested",
        /// The event of a delivery was sent again.
        DeliveryResent = "delivery-resent",
        /// All events were sent again that a webhook endpoint did not take.
        DeliveriesRecovered = "deliveries-recovered",
        /// All secrets were sealed with another master key.
        MasterKeyRotated = "master-key-rotated",
    }
}
