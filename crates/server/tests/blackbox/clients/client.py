"""Places an order and a label order, estimates and searches, with the client that openapi-python-client makes of
the service's document. It prints what it received, after the client has read it, as JSON."""

import base64
import hashlib
import hmac
import json
import sys
import time

import httpx
from pressline_client import Client
from pressline_client.api.orders import create_order, create_order_label, estimate_order, search_orders
from pressline_client.models import (
    Address,
    CreateOrder,
    CreateOrderLabel,
    Customer,
    EstimateOrder,
    LineItem,
    SearchOrders,
    ShippingAddress,
)

base_url, store, key = sys.argv[1:]


class Signature(httpx.Auth):
    requires_request_body = True

    def auth_flow(self, request):
        now = str(int(time.time()))
        signed = f"{now}.{request.url.path}.".encode() + request.content
        digest = hmac.new(key.encode(), signed, hashlib.sha256).digest()
        request.headers["X-Service-Store-Id"] = store
        request.headers["X-Service-Timestamp"] = now
        request.headers["X-Service-Hmac-Sha256"] = base64.b64encode(digest).decode()
        yield request


client = Client(
    base_url=base_url,
    httpx_args={"auth": Signature()},
    raise_on_unexpected_status=True,
)
order = {
    "customer": Customer(first_name="Ana", last_name="Reyes"),
    "shipping_address": ShippingAddress(
        name="Ana Reyes",
        address1="350 5th Ave",
        city="New York",
        zip_="10118",
        province_code="US-NY",
        country_code="US",
    ),
    "line_items": [LineItem(sku="TEE-UNISEX-BLACK-M", quantity=2)],
}
created = create_order.sync(client=client, body=CreateOrder(order_id="python-1", **order))
label = create_order_label.sync(
    client=client,
    body=CreateOrderLabel(
        order_id="python-2",
        shipping_address_label="https://labels.example/1.pdf",
        **order,
    ),
)
# An estimate needs fewer address fields, so its type differs.
address = Address.from_dict(order["shipping_address"].to_dict())
estimated = estimate_order.sync(
    client=client,
    # The signature sets the header.
    x_service_timestamp="",
    body=EstimateOrder(
        shipping_address_label="https://labels.example/1.pdf",
        **{**order, "shipping_address": address},
    ),
)
found = search_orders.sync(client=client, body=SearchOrders(search_key="python"))
print(
    json.dumps(
        {
            "total": created.data.total_cost,
            "postcode": created.data.shipping_address.postcode,
            "zip": label.data.shipping_address.zip_,
            "created": created.data.to_dict(),
            "label": label.data.to_dict(),
            "estimated": estimated.data.to_dict(),
            "found": [order.to_dict() for order in found.data],
        }
    )
)
