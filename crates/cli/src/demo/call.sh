PRESSLINE=http://{address}
STORE={store}
KEY={key}

call() {
  CALLED=/app/v1/$1 BODY=$2 NOW=$(date +%s)
  shift 2
  SIGNATURE=$(printf '%s.%s.%s' "$NOW" "$CALLED" "$BODY" | openssl dgst -sha256 -hmac "$KEY" -binary | openssl base64 -A)
  RESPONSE=$(curl -sS "$PRESSLINE$CALLED" -w ' %{http_code}' \
    -H 'Content-Type: application/json' \
    -H "X-Service-Store-Id: $STORE" \
    -H "X-Service-Timestamp: $NOW" -H "X-Service-Hmac-Sha256: $SIGNATURE" \
    --data-binary "$BODY")
  show "$CALLED" "$@"
}

show() {
  echo "$1 ${RESPONSE##* }"
  shift
  for FIELD in message "$@" errors; do
    printf '%s\n' "$RESPONSE" | grep -oE "\"$FIELD\":(\"[^\"]*\"|\[[^]]*\]|[^],}]*)" | head -n 1 | cut -c 1-100 | sed 's/^/  /'
  done
}

