
# The order need not wait for changes any longer. Then the print shop begins with it.
call process-now '{"order_id":"first-order-1"}'
TOKEN={token}
NUMBER=$(call get '{"order_id":"first-order-1"}' | sed 's/.*"serviceOrderId":"\([^"]*\)".*/\1/')
curl -sS http://{address}/admin/v1/orders/move \
  -H 'Content-Type: application/json' -H "Authorization: Bearer $TOKEN" \
  --data-binary '{"command":"start","orders":[{"order_id":"'"$NUMBER"'"}]}'
echo
