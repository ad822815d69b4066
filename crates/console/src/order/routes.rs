//! The routes of orders.

use pressline_domain::operator::OperatorRole::Operator;

use super::import::Orders;
use crate::frame::Section;
use crate::import;
use crate::route::{Access, Route, signed};

pub(crate) const ROUTES: &[Route] = &[
    Route::page(
        "/console/orders",
        "Orders",
        Access::Call("orders/search"),
        signed!(super::list::show),
    )
    .below(Section::Orders)
    .searching(),
    Route::page(
        "/console/orders/export.csv",
        "Export CSV of the orders",
        Access::Call("orders/search"),
        signed!(super::list::export),
    )
    .below(Section::Orders)
    .searching(),
    Route::page(
        "/console/orders/import",
        "Import orders",
        Access::Role(Operator),
        signed!(import::show::<Orders>),
    )
    .below(Section::Orders)
    .searching(),
    Route::action(
        "/console/orders/import",
        "Check file",
        Access::Role(Operator),
        signed!(import::receive::<Orders>),
    )
    .below(Section::Orders)
    .uploading(),
    Route::page(
        "/console/orders/import/errors.csv",
        "Download errors",
        Access::Role(Operator),
        signed!(import::errors::<Orders>),
    )
    .below(Section::Orders)
    .searching(),
    Route::action(
        "/console/orders/import/run",
        "Import rows",
        Access::Role(Operator),
        signed!(import::run::<Orders>),
    )
    .below(Section::Orders),
    Route::page(
        "/console/orders/{number}",
        "Order",
        Access::Call("orders/get"),
        signed!(super::show),
    )
    .below(Section::Orders),
    Route::page(
        "/console/orders/{number}/decide",
        "Approve, Refuse, Ask about the request",
        Access::Call("orders/decide"),
        signed!(super::decide::show),
    )
    .below(Section::Orders),
    Route::action(
        "/console/orders/{number}/decide",
        "Approve, Refuse, Ask about the request",
        Access::Call("orders/decide"),
        signed!(super::decide::submit),
    )
    .below(Section::Orders),
    Route::page(
        "/console/orders/{number}/fee-lines",
        "Add fee line",
        Access::Call("orders/fee-lines"),
        signed!(super::fee_line::show),
    )
    .below(Section::Orders),
    Route::action(
        "/console/orders/{number}/fee-lines",
        "Add fee line",
        Access::Call("orders/fee-lines"),
        signed!(super::fee_line::submit),
    )
    .below(Section::Orders),
    Route::page(
        "/console/orders/{number}/move",
        "Hold, Release, Start, Put back, Ask the store, Resolve, Cancel items",
        Access::Call("orders/move"),
        signed!(super::moves::show),
    )
    .below(Section::Orders),
    Route::action(
        "/console/orders/{number}/move",
        "Hold, Release, Start, Put back, Ask the store, Resolve, Cancel items",
        Access::Call("orders/move"),
        signed!(super::moves::submit),
    )
    .below(Section::Orders),
    Route::page(
        "/console/orders/{number}/notes",
        "Add note",
        Access::Call("orders/notes"),
        signed!(super::note::show),
    )
    .below(Section::Orders),
    Route::action(
        "/console/orders/{number}/notes",
        "Add note",
        Access::Call("orders/notes"),
        signed!(super::note::submit),
    )
    .below(Section::Orders),
    Route::page(
        "/console/orders/{number}/replace",
        "Replace items",
        Access::Call("orders/replace"),
        signed!(super::replace::show),
    )
    .below(Section::Orders),
    Route::action(
        "/console/orders/{number}/replace",
        "Replace items",
        Access::Call("orders/replace"),
        signed!(super::replace::submit),
    )
    .below(Section::Orders),
    Route::page(
        "/console/orders/{number}/shipments",
        "Add shipment",
        Access::Call("shipments/create"),
        signed!(super::ship::show),
    )
    .below(Section::Orders),
    Route::action(
        "/console/orders/{number}/shipments",
        "Add shipment",
        Access::Call("shipments/create"),
        signed!(super::ship::submit),
    )
    .below(Section::Orders),
    Route::page(
        "/console/orders/{number}/shipments/track",
        "Mark delivered, Mark returned",
        Access::Call("shipments/track"),
        signed!(super::track::show),
    )
    .below(Section::Orders),
    Route::action(
        "/console/orders/{number}/shipments/track",
        "Mark delivered, Mark returned",
        Access::Call("shipments/track"),
        signed!(super::track::submit),
    )
    .below(Section::Orders),
    Route::page(
        "/console/orders/{number}/shipments/void",
        "Void shipment",
        Access::Call("shipments/void"),
        signed!(super::void::show),
    )
    .below(Section::Orders),
    Route::action(
        "/console/orders/{number}/shipments/void",
        "Void shipment",
        Access::Call("shipments/void"),
        signed!(super::void::submit),
    )
    .below(Section::Orders),
    Route::page(
        "/console/orders/{number}/update",
        "Edit order",
        Access::Call("orders/update"),
        signed!(super::update::show),
    )
    .below(Section::Orders),
    Route::action(
        "/console/orders/{number}/update",
        "Edit order",
        Access::Call("orders/update"),
        signed!(super::update::submit),
    )
    .below(Section::Orders),
];
