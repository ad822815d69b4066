//! The life of an order, on plain values: every row of the table of commands, and the cases that need
//! more than one item. Random lives are in the contract suite.

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
mod needs;
#[cfg(test)]
mod placing;
#[cfg(test)]
mod shipments;
#[cfg(test)]
mod table;
#[cfg(test)]
mod updates;
