//! Row of a note.

note_columns!(define_cold_row!
    NoteRow
);
