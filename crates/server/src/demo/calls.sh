PRESSLINE=http://{address}
STORE={store}
KEY={key}

call() {
  set -- "/app/v1/orders/$1" "$2" "$(date +%s)"
  SIGNATURE=$(printf '%s.%s.%s' "$3" "$1" "$2" | openssl dgst -sha256 -hmac "$KEY" -binary | openssl base64 -A)
  curl -sS "$PRESSLINE$1" \
    -H 'Content-Type: application/json' \
    -H "X-Service-Store-Id: $STORE" \
    -H "X-Service-Timestamp: $3" -H "X-Service-Hmac-Sha256: $SIGNATURE" \
    --data-binary "$2"
  echo
}

ORDER='{"order_id":"first-order-1","email":"shop@example.com",
  "customer":{"first_name":"Ana","last_name":"Souza"},
  "shipping_address":{"name":"Ana Souza","address1":"12 Market St","city":"San Francisco","zip":"94105",
    "province_code":"US-CA","country_code":"US","phone":"+1 415 555 0100"},
  "line_items":[
    {"sku":"MUG-11OZ-WHITE","quantity":2,"fileUrls":["https://example.com/art/mug.png"]},
    {"sku":"TEE-UNISEX-BLACK-M","quantity":1,
     "fileUrls":["https://example.com/art/front.png","https://example.com/art/back.png"]}]}'

call create "$ORDER"
call create "$ORDER"
call update '{"order_id":"first-order-1","customer":{"first_name":"Ana","last_name":"Souza"},
  "shipping_address":{"name":"Ana Souza","address1":"99 Mission St","city":"San Francisco","zip":"94105",
    "province_code":"US-CA","country_code":"US"},
  "production_note":"Gift: no invoice in the parcel","line_items":[]}'
call search '{"searchKey":"souza mug"}'
call get '{"order_id":"first-order-1"}'
{operator}
call history '{"order_id":"first-order-1"}'
