//! The life of an order, on plain values: every row of the table of commands, the cases that need
//! more than one item, and a model test with random commands.

#[cfg(test)]
mod changes;
#[cfg(test)]
mod events;
#[cfg(test)]
mod fees;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod holds;
#[cfg(test)]
mod model;
#[cfg(test)]
mod needs;
#[cfg(test)]
mod placing;
#[cfg(test)]
mod shipments;
#[cfg(test)]
mod table;
#[cfg(test)]
mod updates;
