//! The routes of webhook endpoints.

use crate::frame::Section;
use crate::route::{Access, Route, signed};

pub(crate) const ROUTES: &[Route] = &[
    Route::page(
        "/console/webhooks",
        "Webhooks",
        Access::Call("webhooks/list"),
        signed!(super::list::show),
    )
    .below(Section::Webhooks),
    Route::page(
        "/console/webhooks/{endpoint}",
        "Webhook endpoint",
        Access::Call("webhooks/deliveries/search"),
        signed!(super::page::show),
    )
    .below(Section::Webhooks)
    .searching(),
    Route::action(
        "/console/webhooks/{endpoint}/disable",
        "Disable",
        Access::Call("webhooks/disable"),
        signed!(super::act::disable),
    )
    .below(Section::Webhooks),
    Route::action(
        "/console/webhooks/{endpoint}/enable",
        "Enable",
        Access::Call("webhooks/enable"),
        signed!(super::act::enable),
    )
    .below(Section::Webhooks),
    Route::action(
        "/console/webhooks/{endpoint}/recover",
        "Recover",
        Access::Call("webhooks/deliveries/recover"),
        signed!(super::act::recover),
    )
    .below(Section::Webhooks),
    Route::action(
        "/console/webhooks/{endpoint}/resend",
        "Resend",
        Access::Call("webhooks/deliveries/resend"),
        signed!(super::act::resend),
    )
    .below(Section::Webhooks),
    Route::action(
        "/console/webhooks/{endpoint}/test",
        "Send test",
        Access::Call("webhooks/test"),
        signed!(super::act::test),
    )
    .below(Section::Webhooks),
];
