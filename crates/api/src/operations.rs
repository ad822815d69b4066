//! All operations: the operations of stores and of operators, each from the lists of the subjects.
//! Routing, the OpenAPI documents, the reference of errors and the coverage tests read them.

use crate::operation::Operation;
use crate::{
    catalog, event, import, order, production, queue, sandbox, statistics, store, webhook,
};

const STORES: &[&[Operation]] = &[
    order::placing::OPERATIONS,
    order::reading::OPERATIONS,
    order::commands::OPERATIONS,
    event::OPERATIONS,
    webhook::OPERATIONS,
    webhook::deliveries::OPERATIONS,
    catalog::OPERATIONS,
    sandbox::OPERATIONS,
];

const OPERATORS: &[&[Operation]] = &[
    queue::OPERATIONS,
    order::operator::OPERATIONS,
    order::shipment::OPERATIONS,
    import::OPERATIONS,
    production::OPERATIONS,
    production::batch::OPERATIONS,
    statistics::OPERATIONS,
    store::OPERATIONS,
    webhook::FOR_OPERATORS,
    webhook::deliveries::FOR_OPERATORS,
];

pub(crate) fn of_stores() -> impl Iterator<Item = &'static Operation> + Clone {
    STORES.iter().copied().flatten()
}

pub(crate) fn of_operators() -> impl Iterator<Item = &'static Operation> + Clone {
    OPERATORS.iter().copied().flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use pressline_http::Code;
    use pressline_http::error::{self, Scope};

    use super::*;

    fn all() -> impl Iterator<Item = (&'static Operation, impl Iterator<Item = Code>)> {
        let operations = of_stores().chain(of_operators());
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
