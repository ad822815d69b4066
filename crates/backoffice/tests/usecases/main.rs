//! Back-office use cases on the in-memory adapters.

#[cfg(test)]
mod desk;
#[cfg(test)]
#[path = "../../../domain/tests/usecases/fixture/mod.rs"]
#[expect(
    dead_code,
    reason = "the tests of the domain use the rest of the shop that they share"
)]
mod fixture;
#[cfg(test)]
mod forms;
#[cfg(test)]
mod operators;
#[cfg(test)]
mod production;
#[cfg(test)]
mod queue;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod shipments;
#[cfg(test)]
mod stores;
#[cfg(test)]
mod webhooks;
