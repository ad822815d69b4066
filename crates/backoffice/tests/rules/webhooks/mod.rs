//! Delivery of webhooks, on plain values: the rules one by one, and weeks of delivery to receivers of all kinds.

mod batches;
mod failures;
mod fixture;
mod pauses;
mod receivers;
mod sandbox;
mod simulation;
mod weeks;
mod world;
