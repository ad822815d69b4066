//! The tables of operations, for routing, the OpenAPI documents and the coverage tests.

use crate::operation::Operation;
use crate::{
    catalog, event, import, order, production, queue, sandbox, statistics, store, webhook,
};

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
    webhook::create::OPERATION,
    webhook::list::OPERATION,
    webhook::update::OPERATION,
    webhook::enable::OPERATION,
    webhook::disable::OPERATION,
    webhook::delete::OPERATION,
    webhook::rotate_secret::OPERATION,
    webhook::test::OPERATION,
    webhook::deliveries::search::OPERATION,
    webhook::deliveries::resend::OPERATION,
    webhook::deliveries::recover::OPERATION,
    catalog::search::OPERATION,
    sandbox::clock::OPERATION,
    sandbox::play::OPERATION,
    sandbox::webhooks::OPERATION,
];

pub(crate) static OPERATORS: &[Operation] = &[
    queue::search::OPERATION,
    queue::counts::OPERATION,
    order::operator::search::OPERATION,
    order::operator::get::OPERATION,
    order::operator::history::OPERATION,
    order::operator::move_orders::OPERATION,
    order::operator::decide::OPERATION,
    order::operator::update::OPERATION,
    order::operator::fee_lines::OPERATION,
    order::operator::notes::OPERATION,
    order::operator::replace::OPERATION,
    import::orders::OPERATION,
    order::shipment::create::OPERATION,
    order::shipment::update::OPERATION,
    order::shipment::void::OPERATION,
    order::shipment::track::OPERATION,
    order::shipment::find::OPERATION,
    import::shipments::OPERATION,
    production::export::OPERATION,
    production::record::OPERATION,
    production::misprint::OPERATION,
    production::get::OPERATION,
    production::batch::create::OPERATION,
    production::batch::get::OPERATION,
    production::batch::search::OPERATION,
    production::batch::start::OPERATION,
    production::batch::close::OPERATION,
    statistics::orders::OPERATION,
    import::catalog::OPERATION,
    store::list::OPERATION,
    store::show::OPERATION,
    store::create::OPERATION,
    store::set::OPERATION,
    store::enable::OPERATION,
    store::disable::OPERATION,
    store::rotate_key::OPERATION,
    store::revoke_key::OPERATION,
    webhook::create::FOR_OPERATORS,
    webhook::list::FOR_OPERATORS,
    webhook::update::FOR_OPERATORS,
    webhook::enable::FOR_OPERATORS,
    webhook::disable::FOR_OPERATORS,
    webhook::delete::FOR_OPERATORS,
    webhook::rotate_secret::FOR_OPERATORS,
    webhook::test::FOR_OPERATORS,
    webhook::deliveries::search::FOR_OPERATORS,
    webhook::deliveries::resend::FOR_OPERATORS,
    webhook::deliveries::recover::FOR_OPERATORS,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use pressline_http::Code;
    use pressline_http::error::{self, Scope};

    use super::*;

    fn all() -> impl Iterator<Item = (&'static Operation, impl Iterator<Item = Code>)> {
        let operations = TABLE.iter().chain(OPERATORS);
        operations.map(|operation| {
            (
                operation,
                operation.errors.iter().copied().flatten().copied(),
            )
        })
    }

    #[test]
    fn a_declaration_names_each_error_once_and_no_error_of_all_operations() {
        for (operation, declared) in all() {
            let mut names = BTreeSet::new();
            for code in declared {
                let (path, name) = (operation.rules.path, code.as_str());
                assert_eq!(code.definition().scope, Scope::Declared, "{path}: {name}");
                assert!(names.insert(name), "{path}: {name} is declared twice");
            }
        }
    }

    #[test]
    fn every_error_of_some_operations_is_declared() {
        let declared: Vec<Code> = all().flat_map(|(_, declared)| declared).collect();
        for definition in error::TABLE {
            let is_declared = declared.contains(&definition.code);
            let name = definition.name;
            assert_eq!(definition.scope == Scope::Declared, is_declared, "{name}");
        }
    }
}
