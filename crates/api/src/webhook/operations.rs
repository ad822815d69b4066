//! Operations on webhook endpoints. Each is declared for stores and for operators.

use super::caller::WebhookCall;
use super::request::{
    CreateWebhook, EnableWebhook, ListWebhooks, OPERATOR_FIELDS, RotateWebhookSecret,
    UpdateWebhook, WebhookIdRequest,
};
use super::response::{self, DeliveryDocument, Nothing, WebhookDocument, WebhookResponse};
use crate::operation::operations;
use crate::request::Request;
use crate::response::{ListOf, Response, ResponseOf, respond};

operations! {
    const OPERATIONS;

    /// Create a webhook endpoint
    ///
    /// Events from now on are sent to `url`. Only this response shows the secret that signs them.
    store "createWebhook" at "/app/v1/webhooks/create";
    tag "webhooks", span "api.webhook.create", handler create;
    errors [TooManyWebhooks];
    request CreateWebhook, without OPERATOR_FIELDS;
    response WebhookResponse: "The endpoint with its secret.";
    example "All events": "examples/create" request response;

    /// List webhook endpoints
    ///
    /// Returns your endpoints, oldest first, or only the endpoint `webhookId`.
    store "listWebhooks" at "/app/v1/webhooks/list";
    tag "webhooks", span "api.webhook.list", handler list;
    errors [WebhookNotFound];
    request ListWebhooks, without OPERATOR_FIELDS;
    response ListOf<WebhookDocument>: "The endpoints.";
    example "All endpoints": "examples/list" request response;

    /// Change a webhook endpoint
    ///
    /// Absent fields remain unchanged. A paused endpoint is tried immediately if its `url` changes.
    store "updateWebhook" at "/app/v1/webhooks/update";
    tag "webhooks", span "api.webhook.update", handler update;
    errors [WebhookNotFound];
    request UpdateWebhook, without OPERATOR_FIELDS;
    response WebhookResponse: "The endpoint as it now is.";
    example "Another URL, fewer types": "examples/update" request response;

    /// Enable a webhook endpoint
    ///
    /// The endpoint continues where it stopped (`from` is `stopped`), starts with events from now
    /// on (`now`), or starts after `afterSequence`. With `now` or `afterSequence`, events that wait
    /// to be sent again are dropped. A paused endpoint is tried immediately.
    store "enableWebhook" at "/app/v1/webhooks/enable";
    tag "webhooks", span "api.webhook.enable", handler enable;
    errors [WebhookNotFound];
    request EnableWebhook, without OPERATOR_FIELDS;
    response WebhookResponse: "The endpoint as it now is.",
        replayed: "`true` if the endpoint was already enabled and not paused, and nothing changed.";
    example "From where it stopped": "examples/enable" request response;

    /// Disable a webhook endpoint
    ///
    /// No event is sent to the endpoint until it is enabled.
    store "disableWebhook" at "/app/v1/webhooks/disable";
    tag "webhooks", span "api.webhook.disable", handler disable;
    errors [WebhookNotFound];
    request WebhookIdRequest, without OPERATOR_FIELDS;
    response WebhookResponse: "The endpoint as it now is.",
        replayed: "`true` if the endpoint was already disabled and nothing changed.";
    example "Disable it": "examples/disable" request response;

    /// Delete a webhook endpoint
    ///
    /// Deletes the endpoint with its deliveries. `data` is `null`.
    store "deleteWebhook" at "/app/v1/webhooks/delete";
    tag "webhooks", span "api.webhook.delete", handler delete;
    errors [WebhookNotFound];
    request WebhookIdRequest, without OPERATOR_FIELDS;
    response ResponseOf<Nothing>: "It is deleted.";
    example "Delete it": "examples/delete" request response;

    /// Create another secret of a webhook endpoint
    ///
    /// Only this response shows the new secret. The old secret signs too, for `keepOldSeconds`, by
    /// default a day. At most two secrets sign: another rotation in this time ends the older
    /// secret.
    store "rotateWebhookSecret" at "/app/v1/webhooks/rotate-secret";
    tag "webhooks", span "api.webhook.rotate_secret", handler rotate_secret;
    errors [WebhookNotFound];
    request RotateWebhookSecret, without OPERATOR_FIELDS;
    response WebhookResponse: "The endpoint with the new secret.";
    example "Another secret": "examples/rotate_secret" request response;

    /// Test a webhook endpoint
    ///
    /// Immediately sends an event of the type `webhook.test`, even to a paused or disabled
    /// endpoint, and returns the delivery. The event is sent only once, and the result does not
    /// change the endpoint. The event is not in the feed.
    store "testWebhook" at "/app/v1/webhooks/test";
    tag "webhooks", span "api.webhook.test", handler test;
    errors [WebhookNotFound];
    request WebhookIdRequest, without OPERATOR_FIELDS;
    response ResponseOf<DeliveryDocument>: "The delivery.";
    example "Try it": "examples/test" request response;
}

operations! {
    const FOR_OPERATORS;

    /// Create a webhook endpoint
    ///
    /// An endpoint of the print shop receives the events of all stores or of some. With `storeId`,
    /// the endpoint belongs to this store, and receives only its events. The print shop and each
    /// store can have up to 10 endpoints.
    operator "createWebhook" at "/admin/v1/webhooks/create";
    tag "webhooks", span "api.webhook.create", handler create;
    errors [StoreNotFound, TooManyWebhooks];
    request CreateWebhook;
    response WebhookResponse: "The endpoint with its secret.";
    example "All events": "examples/operator_create" request response;

    /// List webhook endpoints
    ///
    /// Returns the endpoints of the print shop, or of the store `storeId`, oldest first. Operators
    /// with access to only some stores see only endpoints that receive no other stores' events.
    operator "listWebhooks" at "/admin/v1/webhooks/list";
    tag "webhooks", span "api.webhook.list", handler list;
    errors [StoreNotFound, WebhookNotFound];
    request ListWebhooks;
    response ListOf<WebhookDocument>: "The endpoints.";
    example "All endpoints": "examples/operator_list" request response;

    /// Change a webhook endpoint
    ///
    /// Absent fields remain unchanged. If you add a store, the endpoint receives the store's events
    /// from the next event on.
    operator "updateWebhook" at "/admin/v1/webhooks/update";
    tag "webhooks", span "api.webhook.update", handler update;
    errors [StoreNotFound, WebhookNotFound];
    request UpdateWebhook;
    response WebhookResponse: "The endpoint as it now is.";
    example "Another URL, fewer types": "examples/operator_update" request response;

    /// Enable a webhook endpoint
    ///
    /// The endpoint continues where it stopped (`from` is `stopped`), or starts with events from
    /// now on (`now`). With `storeId`, it can also start after `afterSequence`. With `now` or
    /// `afterSequence`, events that wait to be sent again are dropped. A paused endpoint is tried
    /// immediately.
    operator "enableWebhook" at "/admin/v1/webhooks/enable";
    tag "webhooks", span "api.webhook.enable", handler enable;
    errors [StoreNotFound, WebhookNotFound];
    request EnableWebhook;
    response WebhookResponse: "The endpoint as it now is.",
        replayed: "`true` if the endpoint was already enabled and not paused, and nothing changed.";
    example "From where it stopped": "examples/operator_enable" request response;

    /// Disable a webhook endpoint
    ///
    /// No event is sent to the endpoint until it is enabled.
    operator "disableWebhook" at "/admin/v1/webhooks/disable";
    tag "webhooks", span "api.webhook.disable", handler disable;
    errors [StoreNotFound, WebhookNotFound];
    request WebhookIdRequest;
    response WebhookResponse: "The endpoint as it now is.",
        replayed: "`true` if the endpoint was already disabled and nothing changed.";
    example "Disable it": "examples/operator_disable" request response;

    /// Delete a webhook endpoint
    ///
    /// Deletes the endpoint with its deliveries. `data` is `null`.
    operator "deleteWebhook" at "/admin/v1/webhooks/delete";
    tag "webhooks", span "api.webhook.delete", handler delete;
    errors [StoreNotFound, WebhookNotFound];
    request WebhookIdRequest;
    response ResponseOf<Nothing>: "It is deleted.";
    example "Delete it": "examples/operator_delete" request response;

    /// Create another secret of a webhook endpoint
    ///
    /// Only this response shows the new secret. The old secret signs too, for `keepOldSeconds`, by
    /// default a day. At most two secrets sign: another rotation in this time ends the older
    /// secret.
    operator "rotateWebhookSecret" at "/admin/v1/webhooks/rotate-secret";
    tag "webhooks", span "api.webhook.rotate_secret", handler rotate_secret;
    errors [StoreNotFound, WebhookNotFound];
    request RotateWebhookSecret;
    response WebhookResponse: "The endpoint with the new secret.";
    example "Another secret": "examples/operator_rotate_secret" request response;

    /// Test a webhook endpoint
    ///
    /// Immediately sends an event of the type `webhook.test`, even to a paused or disabled
    /// endpoint, and returns the delivery. The event is sent only once, and the result does not
    /// change the endpoint. For endpoints of the print shop, the event's `storeId` is the nil UUID.
    operator "testWebhook" at "/admin/v1/webhooks/test";
    tag "webhooks", span "api.webhook.test", handler test;
    errors [StoreNotFound, WebhookNotFound];
    request WebhookIdRequest;
    response ResponseOf<DeliveryDocument>: "The delivery.";
    example "Try it": "examples/operator_test" request response;
}

async fn create(call: impl WebhookCall, request: Request<CreateWebhook>) -> Response {
    let endpoints = call.service();
    let result = endpoints
        .create(call.caller(), &request.draft)
        .await
        .inspect(|made| call.log_change(made.outcome.view.record.endpoint.id));
    respond(result, request.unknown, response::with_secret)
}

async fn list(call: impl WebhookCall, request: Request<ListWebhooks>) -> Response {
    let endpoints = call.service();
    let result = endpoints.list(call.caller(), &request.draft).await;
    respond(result, request.unknown, response::list)
}

async fn update(call: impl WebhookCall, request: Request<UpdateWebhook>) -> Response {
    let endpoints = call.service();
    let result = endpoints
        .update(call.caller(), &request.draft)
        .await
        .inspect(|changed| call.log_change(changed.view.record.endpoint.id));
    respond(result, request.unknown, response::changed)
}

async fn enable(call: impl WebhookCall, request: Request<EnableWebhook>) -> Response {
    let endpoints = call.service();
    let result = endpoints
        .enable(call.caller(), &request.draft)
        .await
        .inspect(|changed| call.log_change(changed.view.record.endpoint.id));
    respond(result, request.unknown, response::changed)
}

async fn disable(call: impl WebhookCall, request: Request<WebhookIdRequest>) -> Response {
    let endpoints = call.service();
    let result = endpoints
        .disable(call.caller(), &request.draft)
        .await
        .inspect(|changed| call.log_change(changed.view.record.endpoint.id));
    respond(result, request.unknown, response::changed)
}

async fn delete(call: impl WebhookCall, request: Request<WebhookIdRequest>) -> Response {
    let endpoints = call.service();
    let result = endpoints.delete(call.caller(), &request.draft).await;
    // The endpoint no longer exists, so only the request has its id.
    let id = request.draft.webhook_id.text().unwrap_or_default();
    respond(
        result.inspect(|()| call.log_change(id)),
        request.unknown,
        response::deleted,
    )
}

async fn rotate_secret(call: impl WebhookCall, request: Request<RotateWebhookSecret>) -> Response {
    let endpoints = call.service();
    let result = endpoints
        .rotate_secret(call.caller(), &request.draft)
        .await
        .inspect(|made| call.log_change(made.outcome.view.record.endpoint.id));
    respond(result, request.unknown, response::with_secret)
}

async fn test(call: impl WebhookCall, request: Request<WebhookIdRequest>) -> Response {
    let endpoints = call.service();
    let result = endpoints.test(call.caller(), &request.draft).await;
    respond(result, request.unknown, response::delivery)
}
