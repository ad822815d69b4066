//! The row of the result of a form.

form_columns!(define_cold_row!
    FormRow
);
