PRESSLINE=http://{address}
STORE={store}
KEY={key}

call() {
  set -- "/app/v1/$1" "$2" "$(date +%s)"
  SIGNATURE=$(printf '%s.%s.%s' "$3" "$1" "$2" | openssl dgst -sha256 -hmac "$KEY" -binary | openssl base64 -A)
  curl -sS "$PRESSLINE$1" \
    -H 'Content-Type: application/json' \
    -H "X-Service-Store-Id: $STORE" \
    -H "X-Service-Timestamp: $3" -H "X-Service-Hmac-Sha256: $SIGNATURE" \
    --data-binary "$2"
  echo
}

call orders/create '{"order_id":"try-1","customer":{"first_name":"Ana","last_name":"Souza"},
  "shipping_address":{"name":"Ana Souza","address1":"12 Market St","city":"San Francisco","zip":"94105",
    "province_code":"US-CA","country_code":"US"},
  "line_items":[{"sku":"MUG-11OZ-WHITE","quantity":2,"fileUrls":["https://example.com/art/mug.png"]}]}'
call sandbox/clock '{"advanceSeconds":1209600}'
call sandbox/move '{"order_id":"try-1","to":"in-production"}'
call orders/update '{"order_id":"try-1","customer":{"first_name":"Ana","last_name":"Souza"},
  "shipping_address":{"name":"Ana Souza","address1":"99 Mission St","city":"San Francisco","zip":"94105",
    "province_code":"US-CA","country_code":"US"},
  "line_items":[]}'
call sandbox/move '{"order_id":"try-1","decision":"approve"}'
call sandbox/move '{"order_id":"try-1","to":"delivered"}'
call events/search '{"order_id":"try-1","include":"changes"}'
