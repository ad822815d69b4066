//! Delivery of webhooks, on plain values: the rules one by one, and weeks of delivery to receivers of all kinds.

#[cfg(test)]
mod batches;
#[cfg(test)]
mod failures;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod pauses;
#[cfg(test)]
mod receivers;
#[cfg(test)]
mod sandbox;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod weeks;
#[cfg(test)]
mod world;
