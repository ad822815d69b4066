ORDER='{"order_id":"first-order-1","email":"shop@example.com",
  "customer":{"first_name":"Ana","last_name":"Souza"},
  "shipping_address":{"name":"Ana Souza","address1":"12 Market St","city":"San Francisco","zip":"94105",
    "province_code":"US-CA","country_code":"US","phone":"+1 415 555 0100"},
  "line_items":[
    {"sku":"MUG-11OZ-WHITE","quantity":2,"fileUrls":["https://example.com/art/mug.png"]},
    {"sku":"TEE-UNISEX-BLACK-M","quantity":1,
     "fileUrls":["https://example.com/art/front.png","https://example.com/art/back.png"]}]}'

call orders/create "$ORDER" serviceOrderId totalCost
call orders/create "$ORDER" serviceOrderId totalCost
call orders/update '{"order_id":"first-order-1","customer":{"first_name":"Ana","last_name":"Souza"},
  "shipping_address":{"name":"Ana Souza","address1":"99 Mission St","city":"San Francisco","zip":"94105",
    "province_code":"US-CA","country_code":"US"},
  "production_note":"Gift: no invoice in the parcel","line_items":[]}' version totalCost
call orders/search '{"searchKey":"souza mug"}' serviceOrderId version
call orders/get '{"order_id":"first-order-1"}' itemStatuses editableUntil
{operator}
call orders/history '{"order_id":"first-order-1"}' sequence type
