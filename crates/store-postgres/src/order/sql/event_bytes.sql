-- Size of an event, in bytes: the size of its columns of unlimited length.
octet_length(moves) + coalesce(octet_length(changes), 0) + coalesce(octet_length(shipment), 0)
