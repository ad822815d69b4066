//! What every adapter of a port must do, as one runnable suite.
