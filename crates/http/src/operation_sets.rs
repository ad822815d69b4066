//! Sets of operations that can end with the same errors, by their `operationId`.

/// The operations that concern items of an order.
pub(crate) const ITEM_COMMANDS: &[&str] = &[
    "addFeeLine",
    "answerOrder",
    "cancelOrder",
    "createShipment",
    "holdOrder",
    "releaseOrder",
    "replaceOrder",
    "updateOrder",
];
/// The operations that change an order.
pub(crate) const COMMANDS: &[&str] = &[
    "addFeeLine",
    "answerOrder",
    "cancelOrder",
    "createShipment",
    "decideChange",
    "holdOrder",
    "moveSandboxOrder",
    "processOrderNow",
    "releaseOrder",
    "replaceOrder",
    "trackShipment",
    "updateOrder",
    "updateOrderLabel",
    "updateShipment",
    "voidShipment",
    "withdrawOrderChange",
];
/// The operations that name an order.
pub(crate) const OF_AN_ORDER: &[&str] = &[
    "addFeeLine",
    "addNote",
    "answerOrder",
    "cancelOrder",
    "createShipment",
    "decideChange",
    "getOrder",
    "getOrderHistory",
    "holdOrder",
    "moveSandboxOrder",
    "processOrderNow",
    "releaseOrder",
    "replaceOrder",
    "searchDeliveries",
    "searchEvents",
    "trackShipment",
    "updateOrder",
    "updateOrderLabel",
    "updateShipment",
    "voidShipment",
    "withdrawOrderChange",
];

/// The operations that name a webhook endpoint.
pub(crate) const OF_A_WEBHOOK: &[&str] = &[
    "arrangeSandboxWebhook",
    "deleteWebhook",
    "disableWebhook",
    "enableWebhook",
    "listWebhooks",
    "recoverDeliveries",
    "rotateWebhookSecret",
    "searchDeliveries",
    "testWebhook",
    "updateWebhook",
];
/// The operations that name a store.
pub(crate) const OF_A_STORE: &[&str] = &[
    "createWebhook",
    "deleteWebhook",
    "disableStore",
    "disableWebhook",
    "enableStore",
    "enableWebhook",
    "listWebhooks",
    "recoverDeliveries",
    "resendDelivery",
    "revokeStoreKey",
    "rotateStoreKey",
    "rotateWebhookSecret",
    "searchDeliveries",
    "setStore",
    "showStore",
    "testWebhook",
    "updateWebhook",
];
