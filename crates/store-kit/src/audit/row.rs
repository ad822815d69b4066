//! Row of an audit entry.

audit_columns!(define_cold_row!
    AuditRow
);
