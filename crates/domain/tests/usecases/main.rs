//! The use cases with the in-memory adapters.

#[cfg(test)]
mod addresses;
#[cfg(test)]
mod create;
#[cfg(test)]
mod destinations;
#[cfg(test)]
mod dry_run_freshness;
#[cfg(test)]
mod dry_runs;
#[cfg(test)]
mod estimates;
#[cfg(test)]
mod findings;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod item_names;
#[cfg(test)]
mod label;
#[cfg(test)]
mod life;
#[cfg(test)]
mod money;
#[cfg(test)]
mod prices;
#[cfg(test)]
mod pricing;
#[cfg(test)]
mod products;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod repeat;
#[cfg(test)]
mod search;
#[cfg(test)]
mod size;
#[cfg(test)]
mod texts;
#[cfg(test)]
mod unchanged;
#[cfg(test)]
mod update;
#[cfg(test)]
mod update_items;
#[cfg(test)]
mod validation;
