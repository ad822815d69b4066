call orders/create '{"order_id":"try-1","customer":{"first_name":"Ana","last_name":"Souza"},
  "shipping_address":{"name":"Ana Souza","address1":"12 Market St","city":"San Francisco","zip":"94105",
    "province_code":"US-CA","country_code":"US"},
  "line_items":[{"sku":"MUG-11OZ-WHITE","quantity":2,"fileUrls":["https://example.com/art/mug.png"]}]}' serviceOrderId totalCost
call sandbox/clock '{"advanceSeconds":1209600}' advanceSeconds ordersMoved
call sandbox/move '{"order_id":"try-1","to":"in-production"}' itemStatuses version
call orders/update '{"order_id":"try-1","customer":{"first_name":"Ana","last_name":"Souza"},
  "shipping_address":{"name":"Ana Souza","address1":"99 Mission St","city":"San Francisco","zip":"94105",
    "province_code":"US-CA","country_code":"US"},
  "line_items":[]}' itemStatuses pendingChange
call sandbox/move '{"order_id":"try-1","decision":"approve"}' itemStatuses version
call sandbox/move '{"order_id":"try-1","to":"delivered"}' itemStatuses version
call events/search '{"order_id":"try-1","include":"changes"}' type timestamp
