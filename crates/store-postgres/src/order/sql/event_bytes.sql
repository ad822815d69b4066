-- Size of an event, in bytes: that of its texts which have no bound.
octet_length(moves) + coalesce(octet_length(changes), 0) + coalesce(octet_length(shipment), 0)
