//! Webhook endpoints of the print shop and of all stores: state, delivery log and resending.

mod act;
mod deliveries;
mod endpoint;
mod list;
mod page;

use crate::shell::access::Access::Call;
use crate::shell::{Route, Section, routes};

pub(crate) const ROUTES: &[Route] = &Section::Webhooks.routes(routes! {
    page: "/console/webhooks", "Webhooks", Call("webhooks/list") => list::show;
    page.searching: "/console/webhooks/{endpoint}", "Webhook endpoint",
        Call("webhooks/deliveries/search") => page::show;
    action: "/console/webhooks/{endpoint}/disable", "Disable", Call("webhooks/disable")
        => act::disable;
    action: "/console/webhooks/{endpoint}/enable", "Enable", Call("webhooks/enable") => act::enable;
    action: "/console/webhooks/{endpoint}/recover", "Recover", Call("webhooks/deliveries/recover")
        => act::recover;
    action: "/console/webhooks/{endpoint}/resend", "Resend", Call("webhooks/deliveries/resend")
        => act::resend;
    action: "/console/webhooks/{endpoint}/test", "Send test", Call("webhooks/test") => act::test;
});
