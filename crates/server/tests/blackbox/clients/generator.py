"""Places orders, estimates and searches, and deletes a webhook endpoint, with the client that openapi-generator
makes of the service's document. It prints what it received, after the client has read it, as JSON."""

import base64
import hashlib
import hmac
import json
import sys
import time
from urllib.parse import urlsplit

import urllib3
from pressline_generated import ApiClient, Configuration, OrdersApi, WebhooksApi
from pressline_generated.models import (
    CreateOrder,
    CreateOrderLabel,
    CreateWebhook,
    EstimateOrder,
    SearchOrders,
    WebhookIdRequest,
)

base_url, store, key = sys.argv[1:]


class Signing(urllib3.PoolManager):
    def request(self, method, url, *, body, headers, **options):
        now = str(int(time.time()))
        signed = f"{now}.{urlsplit(url).path}.{body}".encode()
        digest = hmac.new(key.encode(), signed, hashlib.sha256).digest()
        headers["X-Service-Store-Id"] = store
        headers["X-Service-Timestamp"] = now
        headers["X-Service-Hmac-Sha256"] = base64.b64encode(digest).decode()
        return super().request(method, url, body=body, headers=headers, **options)


client = ApiClient(Configuration(host=base_url))
client.rest_client.pool_manager = Signing()
orders, webhooks = OrdersApi(client), WebhooksApi(client)

order = {
    "customer": {"first_name": "Ana", "last_name": "Reyes"},
    "shipping_address": {
        "name": "Ana Reyes",
        "address1": "350 5th Ave",
        "city": "New York",
        "zip": "10118",
        "province_code": "US-NY",
        "country_code": "US",
    },
    "line_items": [{"sku": "TEE-UNISEX-BLACK-M", "quantity": 2}],
}
label_url = {"shipping_address_label": "https://labels.example/1.pdf"}
created = orders.create_order(CreateOrder(order_id="generated-1", **order))
label = orders.create_order_label(
    CreateOrderLabel(order_id="generated-2", **label_url, **order)
)
# The client requires the header as an argument. Signing sets its value.
estimated = orders.estimate_order("", EstimateOrder(**label_url, **order))
found = orders.search_orders(SearchOrders(searchKey="generated"))
endpoint = webhooks.create_webhook("", CreateWebhook(url="https://receiver.example/hook"))
deleted = webhooks.delete_webhook("", WebhookIdRequest(webhookId=endpoint.data.id))
assert deleted.success and deleted.data is None
print(
    json.dumps(
        {
            "total": created.data.total_cost,
            "postcode": created.data.shipping_address.postcode,
            "zip": label.data.shipping_address.zip,
            "created": json.loads(created.data.to_json()),
            "label": json.loads(label.data.to_json()),
            "estimated": json.loads(estimated.data.to_json()),
            "found": [json.loads(order.to_json()) for order in found.data],
        }
    )
)
