//! Entries of the navigation.

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
    /// All sections, in the order of the navigation.
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
