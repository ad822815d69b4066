// Places an order and a label order, estimates and searches, with the client that openapi-typescript makes from
// the service's document. Prints the received data as JSON.

import { createHmac } from "node:crypto";
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const [baseUrl, store, key] = process.argv.slice(2) as [string, string, string];

const client = createClient<paths>({ baseUrl });
client.use({
  async onRequest({ request }) {
    const body = await request.clone().text();
    const now = Math.floor(Date.now() / 1000);
    const signed = `${now}.${new URL(request.url).pathname}.${body}`;
    const signature = createHmac("sha256", key).update(signed).digest("base64");
    request.headers.set("X-Service-Store-Id", store);
    request.headers.set("X-Service-Timestamp", String(now));
    request.headers.set("X-Service-Hmac-Sha256", signature);
    return request;
  },
});

const customer = { first_name: "Ana", last_name: "Reyes" };
const shipping_address = {
  name: "Ana Reyes",
  address1: "350 5th Ave",
  city: "New York",
  zip: "10118",
  province_code: "US-NY",
  country_code: "US",
};
const line_items = [{ sku: "TEE-UNISEX-BLACK-M", quantity: 2 }];
const shipping_address_label = "https://labels.example/1.pdf";

function received<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const order = { order_id: "typescript-1", customer, shipping_address, line_items };
const created = received(await client.POST("/app/v1/orders/create", { body: order }));
const label = received(
  await client.POST("/app/v1/orders/create-label", {
    body: { ...order, order_id: "typescript-2", shipping_address_label },
  }),
);
const estimated = received(
  await client.POST("/app/v1/orders/estimate", {
    // The middleware sets the header.
    params: { header: { "X-Service-Timestamp": "" } },
    body: { customer, shipping_address, line_items, shipping_address_label },
  }),
);
const found = received(
  await client.POST("/app/v1/orders/search", { body: { searchKey: "typescript" } }),
);

// The types contain these fields, so a misspelled field does not compile.
const total: number = created.data.totalCost;
const postcode: string | undefined = created.data.shippingAddress.postcode;
const zip: string | undefined = label.data.shippingAddress.zip;
console.log(
  JSON.stringify({
    total,
    postcode,
    zip,
    created: created.data,
    label: label.data,
    estimated: estimated.data,
    found: found.data,
  }),
);
