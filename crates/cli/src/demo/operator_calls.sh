call orders/process-now '{"order_id":"first-order-1"}' itemStatuses version
NUMBER=$(printf '%s\n' "$RESPONSE" | sed 's/.*"serviceOrderId":"\([^"]*\)".*/\1/')
TOKEN={token}
RESPONSE=$(curl -sS http://{address}/admin/v1/orders/move -w ' %{http_code}' \
  -H 'Content-Type: application/json' -H "Authorization: Bearer $TOKEN" \
  --data-binary '{"command":"start","orders":[{"order_id":"'"$NUMBER"'"}]}')
show /admin/v1/orders/move result itemStatuses
