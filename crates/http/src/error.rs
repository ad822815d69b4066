//! The table of errors: HTTP status, meaning and remedy of each code. All other files of the HTTP
//! interfaces take their status codes from this file.

use actix_web::http::StatusCode;

/// Status of every successful response.
pub const OK: StatusCode = StatusCode::OK;
/// Status of a redirect to a page with another path.
pub const FOUND: StatusCode = StatusCode::FOUND;
/// Status of the redirect after a submitted form.
pub const SEE_OTHER: StatusCode = StatusCode::SEE_OTHER;
/// Status of a document that has not changed since the caller received it.
pub const NOT_MODIFIED: StatusCode = StatusCode::NOT_MODIFIED;

/// `Retry-After` of an error without a better estimate, in seconds.
pub const RETRY_AFTER_SECONDS: u32 = 2;

/// Scope of an error code: the calls that can end with this error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// All operations, for stores and for operators.
    Every,
    /// All operations that stores call, and none that operators call.
    Stores,
    /// All operations that operators call, and none that stores call.
    Operators,
    /// Operations with the error in the list `errors` of their declaration in the API.
    Declared,
    /// Unknown paths and methods. The errors are `not_found` and `method_not_allowed`.
    Elsewhere,
}

/// Definition of a code: an entry of [`TABLE`].
#[derive(Debug, Clone, Copy)]
pub struct Definition {
    /// The [`Code`] that this entry defines.
    pub code: Code,
    /// Name of the code, as in the field `code` of responses, such as `not_found`.
    pub name: &'static str,
    /// HTTP status of the response.
    pub status: StatusCode,
    /// Short name of the kind of problem: `title` of RFC 9457.
    pub title: &'static str,
    /// Conditions under which the error occurs, in Markdown, for the error reference.
    pub when: &'static str,
    /// Advice to the caller after the error, in Markdown, for the error reference.
    pub then: &'static str,
    /// Headers that responses with this error can have, such as `Retry-After`.
    pub headers: &'static [&'static str],
    /// Calls that can get this error.
    pub scope: Scope,
}

macro_rules! definitions {
    ($($code:ident $name:literal $status:ident [$($header:literal),*] $scope:expr; $title:literal
        when $when:literal then $then:literal)*) => {
        /// The `code` of an error response.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Code {
            $(#[doc = $when] $code,)*
        }

        impl Code {
            /// Returns the entry of [`TABLE`] for this code.
            pub const fn definition(self) -> &'static Definition {
                match self {
                    $(Self::$code => &Definition {
                        code: Self::$code,
                        name: $name,
                        status: StatusCode::$status,
                        title: $title,
                        when: $when,
                        then: $then,
                        headers: &[$($header),*],
                        scope: $scope,
                    }),*
                }
            }
        }

        /// All definitions, sorted by `status`.
        pub const TABLE: &[&Definition] = &[$(Code::$code.definition()),*];
    };
}

definitions! {
    InvalidJson "invalid_json" BAD_REQUEST [] Scope::Every; "The body is not a JSON object"
        when "The body is not one JSON object in UTF-8, nests deeper than 64 levels, repeats a key, or contains \
              U+0000 or half a surrogate pair. The message names line and column, and so does `errors[0]`."
        then "Correct the program that writes the body."
    ValidationFailed "validation_failed" BAD_REQUEST [] Scope::Every; "The request has invalid fields"
        when "Fields are missing, of the wrong type or out of range. `errors` lists all of them with their paths."
        then "Correct the fields that `errors` names; the same request fails again."
    UnknownItem "unknown_item" BAD_REQUEST [] Scope::Declared; "The order has no such item"
        when "An `appItemId` of the update is not the `id` of an item of the order; or a code names no item. Nothing was \
              changed."
        then "Search the order and take the ids, or the codes, from its `childDetails`."
    PermissionDenied "permission_denied" UNAUTHORIZED ["WWW-Authenticate"] Scope::Every; "Permission denied"
        when "The store or the signature, or an operator's token, is not accepted. For safety the response does not \
              say why; but where an authentication header is missing, empty or repeated, `errors` names it."
        then "Check the store id, the secret key, and that exactly the bytes sent are signed. Support needs the \
              `requestId`."
    TimestampOutOfRange "timestamp_out_of_range" UNAUTHORIZED ["WWW-Authenticate"] Scope::Stores;
        "The timestamp is out of range"
        when "The signature is good, but `X-Service-Timestamp` is more than 300 seconds from the server's clock."
        then "Set the clock, and sign each request when it is sent."
    TimestampRequired "timestamp_required" UNAUTHORIZED ["WWW-Authenticate"] Scope::Stores; "A timestamp is required"
        when "The signature is good, but the operation requires `X-Service-Timestamp`, or the store does."
        then "Send the header and sign `<timestamp>.<path>.<body>`."
    Forbidden "forbidden" FORBIDDEN [] Scope::Operators; "The role does not include the right"
        when "The operator's role does not include the right to make this call, or the operator is bound to some \
              stores and the call concerns all."
        then "Use the token of another operator."
    NotATestStore "not_a_test_store" FORBIDDEN [] Scope::Stores; "The store is not a test store"
        when "A call of the sandbox, or one with the header `X-Sandbox-Fault`, comes from a store whose orders are made."
        then "Use a test store: `store create --test` makes one."
    OrderNotFound "order_not_found" NOT_FOUND [] Scope::Declared; "There is no such order"
        when "The store has no order with this order id, service order id or id; or no store that the operator has \
              access to has one with this service order id or id."
        then "Check the id; create the order first."
    ShipmentNotFound "shipment_not_found" NOT_FOUND []
        Scope::Declared; "There is no such shipment"
        when "No order that the operator has access to has this shipment; or the order that the call names does not have \
              it."
        then "Find the shipment by its tracking number, or get the order, which lists its shipments."
    StoreNotFound "store_not_found" NOT_FOUND []
        Scope::Declared; "There is no such store"
        when "No store that the operator has access to has this id."
        then "List the stores."
    KeyNotFound "key_not_found" NOT_FOUND [] Scope::Declared; "There is no such key"
        when "The store has no live key with this id."
        then "Show the store, which lists its keys."
    WebhookNotFound "webhook_not_found" NOT_FOUND [] Scope::Declared; "There is no such webhook endpoint"
        when "The store has no webhook endpoint with this id. If an operator calls without a store: the print shop has none \
              that the operator has access to."
        then "List the endpoints."
    DeliveryNotFound "delivery_not_found" NOT_FOUND [] Scope::Declared; "There is no such delivery"
        when "The log has no delivery with this id to one of these endpoints; deliveries are kept for 30 days, unless the \
              service is configured otherwise."
        then "Search the deliveries."
    BatchNotFound "batch_not_found" NOT_FOUND [] Scope::Declared; "There is no such batch"
        when "No batch has this number, or it has an item of a store that the operator has no access to."
        then "Search the batches."
    NotFound "not_found" NOT_FOUND [] Scope::Elsewhere; "There is no such path"
        when "The service has no such path. A slash at the end makes another path."
        then "Check the path."
    MethodNotAllowed "method_not_allowed" METHOD_NOT_ALLOWED ["Allow"] Scope::Elsewhere; "The path has no such method"
        when "The path exists, but not with this method."
        then "Use a method that `Allow` lists; every operation is a POST."
    RequestTimeout "request_timeout" REQUEST_TIMEOUT [] Scope::Every; "The body arrived too slowly"
        when "The body was not complete in time, 10 seconds by default."
        then "Send it again."
    DuplicateOrderId "duplicate_order_id" CONFLICT [] Scope::Declared;
        "The order id is taken"
        when "Another request created an order with this `order_id`, or has replaced this version of the order. \
              `existing` names that order, `errors` the fields that differ."
        then "Use another `order_id`, or update the order."
    AmbiguousOrderId "ambiguous_order_id" CONFLICT [] Scope::Declared;
        "The name fits two orders"
        when "The call would change an order, and the name fits two: it is the `order_id` of one order, and the service \
              order id or the `id` of another. `candidates` lists both. Nothing was changed."
        then "Name the order by its `id`, which every call accepts as a name."
    DuplicateShipment "duplicate_shipment" CONFLICT [] Scope::Declared;
        "The shipment is recorded with other content"
        when "The order has a shipment with this `ref`, or without one with this carrier and tracking number, whose \
              content is different. The message has its id."
        then "Send what was sent first, update that shipment, or use another `ref`."
    DuplicatePrefix "duplicate_prefix" CONFLICT [] Scope::Declared; "The prefix is taken"
        when "Another store has the prefix."
        then "Choose another prefix."
    PositionAhead "position_ahead" CONFLICT [] Scope::Declared; "The position is above the last event"
        when "`afterSequence` is above the store's last sequence, `lastSequence`: the database was restored from a backup and \
              its counters were not skipped, or the position belongs to another store."
        then "Check the store id. If it is right, read again from 0, and ignore the events that you have processed."
    TooManyWebhooks "too_many_webhooks" CONFLICT [] Scope::Declared; "There are too many webhook endpoints"
        when "The store, or the print shop, has 10 webhook endpoints already."
        then "Delete one that is not needed."
    WebhookDisabled "webhook_disabled" CONFLICT [] Scope::Declared;
        "The webhook endpoint is disabled"
        when "Nothing is sent again to a disabled endpoint."
        then "Enable it first, from where it stopped."
    OrderNotEditable "order_not_editable" CONFLICT [] Scope::Declared;
        "The order can no longer be changed"
        when "Items that the request concerns are fulfilled, returned or cancelled. `items` has their ids, `errors` their \
              places in the order. Or a change that is approved no longer fits the order; `errors` says why."
        then "Change what is not done, or place another order."
    IllegalTransition "illegal_transition" CONFLICT [] Scope::Declared;
        "The command is not possible in this status"
        when "An item is in a status from which the command does not lead. `from` is that status, `to` the one that the \
              command leads to (null if that depends), `items` the items, `allowed` what is possible. Of a batch, `errors` \
              lists all items that are neither ready nor in production."
        then "Read the order, and choose one of its `allowedActions`."
    ChangePending "change_pending" CONFLICT [] Scope::Declared;
        "Another change is pending"
        when "The store has asked for a change of items in production, `items`, that the print shop has not decided yet."
        then "Wait for the decision, or withdraw that change."
    StepOutOfOrder "step_out_of_order" CONFLICT [] Scope::Declared;
        "Fewer units can be recorded"
        when "More units are recorded at a step of production than the step before has done and this one has not, or none has \
              come there. Or more units are misprinted than are done at the first step and not shipped. The message says how \
              many can be recorded."
        then "Record the step before first, or fewer units."
    ItemInBatch "item_in_batch" CONFLICT [] Scope::Declared; "Items are in open batches"
        when "Items are in open batches; `errors` lists all of them with their batches. No batch was made."
        then "Leave them out, or close those batches first."
    BatchClosed "batch_closed" CONFLICT [] Scope::Declared; "The batch is closed"
        when "The items of a closed batch are not started with it."
        then "Make another batch of them, or move their orders."
    VersionConflict "version_conflict" PRECONDITION_FAILED [] Scope::Declared;
        "The version has changed"
        when "The order, or the store, is no longer at the `version` sent."
        then "Read it again, decide again, and send its current `version`."
    BodyTooLarge "body_too_large" PAYLOAD_TOO_LARGE [] Scope::Every; "The body is too large"
        when "The body is larger than 1 MiB, or larger than 21 MiB in a call with a file."
        then "Send less: files are passed as URLs."
    UnsupportedMediaType "unsupported_media_type" UNSUPPORTED_MEDIA_TYPE ["Accept", "Accept-Encoding"] Scope::Every;
        "The body is not plain JSON"
        when "`Content-Type` is not `application/json`, its charset is not UTF-8, or `Content-Encoding` is not \
              `identity`."
        then "Send plain JSON with the `Content-Type` `application/json`."
    RateLimited "rate_limited" TOO_MANY_REQUESTS ["Retry-After"] Scope::Every; "Too many requests"
        when "The store or the token has used up its quota, which the headers `RateLimit-Policy` and `RateLimit` \
              show, or too many of its requests or searches are served, or wait for events, at the same time."
        then "Wait for the number of seconds in `Retry-After`."
    InternalError "internal_error" INTERNAL_SERVER_ERROR [] Scope::Every; "The service failed"
        when "A defect of the service."
        then "Contact support with the `requestId`. Creating can be repeated safely."
    Unavailable "unavailable" SERVICE_UNAVAILABLE ["Retry-After"] Scope::Every; "The service is unavailable"
        when "The service cannot reach its database, or too many request bodies or large responses are in \
              progress. A write may or may not have been stored."
        then "Repeat after `Retry-After` seconds. Creating can be repeated safely."
}

impl Code {
    /// Returns the name of the code, as in the field `code` of responses, such as `not_found`.
    pub fn as_str(self) -> &'static str {
        self.definition().name
    }

    /// Returns the HTTP status of responses with this code.
    pub fn status(self) -> StatusCode {
        self.definition().status
    }

    /// Returns whether `status` is the HTTP status of an error of the service: 500 or higher.
    pub fn is_ours(status: u16) -> bool {
        status >= StatusCode::INTERNAL_SERVER_ERROR.as_u16()
    }

    /// Returns the code for `status`, the HTTP status of an error of the web framework. Without a
    /// code of the same meaning, returns `InvalidJson` for a client error, else `InternalError`.
    pub fn of_status(status: StatusCode) -> Self {
        match status {
            StatusCode::NOT_FOUND => Self::NotFound,
            StatusCode::METHOD_NOT_ALLOWED => Self::MethodNotAllowed,
            StatusCode::REQUEST_TIMEOUT => Self::RequestTimeout,
            StatusCode::PAYLOAD_TOO_LARGE => Self::BodyTooLarge,
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Self::UnsupportedMediaType,
            status if status.is_client_error() => Self::InvalidJson,
            _ => Self::InternalError,
        }
    }
}

impl Definition {
    /// Returns the `type` of RFC 9457, such as `urn:pressline:error:not_found`.
    pub fn kind(&self) -> String {
        format!("urn:pressline:error:{}", self.name)
    }

    /// Returns whether all operations for stores (operators if `for_operators`) can have the error.
    pub fn is_common(&self, for_operators: bool) -> bool {
        match self.scope {
            Scope::Every => true,
            Scope::Stores => !for_operators,
            Scope::Operators => for_operators,
            Scope::Declared | Scope::Elsewhere => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_name_of_its_own() {
        for (i, definition) in TABLE.iter().enumerate() {
            assert!(
                TABLE
                    .iter()
                    .skip(i + 1)
                    .all(|other| other.name != definition.name),
                "{}",
                definition.name
            );
            assert!(
                definition.status.is_client_error() || definition.status.is_server_error(),
                "{}",
                definition.name
            );
        }
    }

    #[test]
    fn errors_are_listed_by_status() {
        let statuses: Vec<u16> = TABLE.iter().map(|error| error.status.as_u16()).collect();
        assert!(statuses.is_sorted(), "{statuses:?}");
    }

    #[test]
    fn an_error_is_common_to_the_callers_of_its_scope() {
        for (scope, of_stores, of_operators) in [
            (Scope::Every, true, true),
            (Scope::Stores, true, false),
            (Scope::Operators, false, true),
            (Scope::Declared, false, false),
            (Scope::Elsewhere, false, false),
        ] {
            let definition = Definition {
                scope,
                ..*Code::InternalError.definition()
            };
            let common = [false, true].map(|for_operators| definition.is_common(for_operators));
            assert_eq!(common, [of_stores, of_operators], "{scope:?}");
        }
    }
}
