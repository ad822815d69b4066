//! Webhook endpoints of the print shop and of all stores: state, delivery log and resending.

mod act;
mod deliveries;
mod endpoint;
mod list;
mod page;

use crate::shell::access::Access;
use crate::shell::route::{Route, signed};
use crate::shell::section::Section;

pub(crate) const ROUTES: &[Route] = &Section::Webhooks.routes([
    Route::page(
        "/console/webhooks",
        "Webhooks",
        Access::Call("webhooks/list"),
        signed!(list::show),
    ),
    Route::search(
        "/console/webhooks/{endpoint}",
        "Webhook endpoint",
        Access::Call("webhooks/deliveries/search"),
        signed!(page::show),
    ),
    Route::action(
        "/console/webhooks/{endpoint}/disable",
        "Disable",
        Access::Call("webhooks/disable"),
        signed!(act::disable),
    ),
    Route::action(
        "/console/webhooks/{endpoint}/enable",
        "Enable",
        Access::Call("webhooks/enable"),
        signed!(act::enable),
    ),
    Route::action(
        "/console/webhooks/{endpoint}/recover",
        "Recover",
        Access::Call("webhooks/deliveries/recover"),
        signed!(act::recover),
    ),
    Route::action(
        "/console/webhooks/{endpoint}/resend",
        "Resend",
        Access::Call("webhooks/deliveries/resend"),
        signed!(act::resend),
    ),
    Route::action(
        "/console/webhooks/{endpoint}/test",
        "Send test",
        Access::Call("webhooks/test"),
        signed!(act::test),
    ),
]);
