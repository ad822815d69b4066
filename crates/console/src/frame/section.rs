//! The entries of the navigation.

use pressline_domain::operator::Operator;

use crate::routes;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Today,
    Queue,
    Batches,
    Scan,
    Orders,
    Shipments,
    Problems,
    Catalog,
    Stores,
    Webhooks,
    Reports,
    System,
}

impl Section {
    /// In the order of the navigation.
    pub(crate) const ALL: &[Self] = &[
        Self::Today,
        Self::Queue,
        Self::Batches,
        Self::Scan,
        Self::Orders,
        Self::Shipments,
        Self::Problems,
        Self::Catalog,
        Self::Stores,
        Self::Webhooks,
        Self::Reports,
        Self::System,
    ];

    pub(crate) fn label(self) -> &'static str {
        self.entry().0
    }

    pub(crate) fn path(self) -> &'static str {
        self.entry().1
    }

    /// Label and path.
    fn entry(self) -> (&'static str, &'static str) {
        match self {
            Self::Today => ("Today", "/console"),
            Self::Queue => ("Queue", "/console/queue"),
            Self::Batches => ("Batches", "/console/batches"),
            Self::Scan => ("Scan", "/console/scan"),
            Self::Orders => ("Orders", "/console/orders"),
            Self::Shipments => ("Shipments", "/console/shipments"),
            Self::Problems => ("Problems", "/console/problems"),
            Self::Catalog => ("Catalog", "/console/catalog"),
            Self::Stores => ("Stores", "/console/stores"),
            Self::Webhooks => ("Webhooks", "/console/webhooks"),
            Self::Reports => ("Reports", "/console/reports"),
            Self::System => ("System", "/console/system"),
        }
    }
}

pub(crate) fn for_operator(operator: &Operator) -> impl Iterator<Item = Section> {
    let all = Section::ALL.iter().copied();
    all.filter(move |section| routes::opens(operator, section.path()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_leads_to_a_page_of_its_section() {
        for section in Section::ALL {
            let route = routes::page(section.path());
            let of_route = route.and_then(|route| route.section);
            assert_eq!(of_route, Some(*section), "{}", section.label());
        }
    }
}
