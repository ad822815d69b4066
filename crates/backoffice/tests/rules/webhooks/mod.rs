//! Webhook delivery on plain values: single rules, and weeks of delivery to receivers of all kinds.

mod batches;
mod failures;
mod fixture;
mod pauses;
mod receivers;
mod sandbox;
mod simulation;
mod weeks;
mod world;
