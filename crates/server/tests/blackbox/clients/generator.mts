// Places orders, estimates and searches, and deletes a webhook endpoint, with the client that
// openapi-generator makes from the service's document. Prints the data as JSON, as the client has
// parsed it.

import { createHmac } from "node:crypto";
import { Configuration, LabelOrderToJSON, OrderToJSON, OrdersApi, WebhooksApi } from "./generated/index.js";

const [basePath, store, key] = process.argv.slice(2) as [string, string, string];

const configuration = new Configuration({
  basePath,
  middleware: [
    {
      async pre({ url, init }) {
        const now = Math.floor(Date.now() / 1000);
        const signed = `${now}.${new URL(url).pathname}.${init.body}`;
        const headers = new Headers(init.headers);
        headers.set("X-Service-Store-Id", store);
        headers.set("X-Service-Timestamp", String(now));
        headers.set("X-Service-Hmac-Sha256", createHmac("sha256", key).update(signed).digest("base64"));
        return { url, init: { ...init, headers } };
      },
    },
  ],
});
const orders = new OrdersApi(configuration);
const webhooks = new WebhooksApi(configuration);

const order = {
  customer: { firstName: "Ana", lastName: "Reyes" },
  shippingAddress: {
    name: "Ana Reyes",
    address1: "350 5th Ave",
    city: "New York",
    zip: "10118",
    provinceCode: "US-NY",
    countryCode: "US",
  },
  lineItems: [{ sku: "TEE-UNISEX-BLACK-M", quantity: 2 }],
};
const labelled = { ...order, shippingAddressLabel: "https://labels.example/1.pdf" };
// The client requires the header as an argument. Signing sets its value.
const xServiceTimestamp = "";

const created = await orders.createOrder({ createOrder: { ...order, orderId: "generated-1" } });
const label = await orders.createOrderLabel({ createOrderLabel: { ...labelled, orderId: "generated-2" } });
const estimated = await orders.estimateOrder({ xServiceTimestamp, estimateOrder: labelled });
const found = await orders.searchOrders({ searchOrders: { searchKey: "generated" } });
const endpoint = await webhooks.createWebhook({
  xServiceTimestamp,
  createWebhook: { url: "https://receiver.example/hook" },
});
const webhookIdRequest = { webhookId: endpoint.data.id };
const deleted = await webhooks.deleteWebhook({ xServiceTimestamp, webhookIdRequest });
if (!deleted.success || deleted.data !== null) throw new Error(JSON.stringify(deleted));

// The types contain these fields, so a misspelled field does not compile.
const total: number = created.data.totalCost;
const postcode: string | undefined = created.data.shippingAddress.postcode;
const zip: string | undefined = label.data.shippingAddress.zip;
console.log(
  JSON.stringify({
    total,
    postcode,
    zip,
    created: OrderToJSON(created.data),
    label: LabelOrderToJSON(label.data),
    estimated: OrderToJSON(estimated.data),
    found: found.data.map(OrderToJSON),
  }),
);
