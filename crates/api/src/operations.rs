//! The tables of operations. Routing, the OpenAPI documents and the coverage tests read them.

use crate::operation::Operation;
use crate::{catalog, event, order, sandbox, store};

/// Every operation of stores.
pub(crate) static TABLE: &[Operation] = &[
    order::create::OPERATION,
    order::create_label::OPERATION,
    order::estimate::OPERATION,
    order::update::OPERATION,
    order::update_label::OPERATION,
    order::search::OPERATION,
    order::get::OPERATION,
    order::history::OPERATION,
    order::cancel::OPERATION,
    order::hold::OPERATION,
    order::release::OPERATION,
    order::process_now::OPERATION,
    order::withdraw_change::OPERATION,
    order::answer::OPERATION,
    event::search::OPERATION,
    catalog::search::OPERATION,
    sandbox::clock::OPERATION,
    sandbox::play::OPERATION,
];

/// Every operation of operators.
pub(crate) static OPERATORS: &[Operation] = &[
    order::queue::search::OPERATION,
    order::queue::counts::OPERATION,
    order::desk::search::OPERATION,
    order::desk::get::OPERATION,
    order::desk::history::OPERATION,
    order::desk::move_orders::OPERATION,
    order::desk::decide::OPERATION,
    order::desk::update::OPERATION,
    order::desk::fee_lines::OPERATION,
    order::desk::notes::OPERATION,
    order::desk::replace::OPERATION,
    order::shipment::create::OPERATION,
    order::shipment::update::OPERATION,
    order::shipment::void::OPERATION,
    order::shipment::track::OPERATION,
    order::shipment::find::OPERATION,
    store::list::OPERATION,
    store::show::OPERATION,
    store::create::OPERATION,
    store::set::OPERATION,
    store::enable::OPERATION,
    store::disable::OPERATION,
    store::rotate_key::OPERATION,
    store::revoke_key::OPERATION,
];
