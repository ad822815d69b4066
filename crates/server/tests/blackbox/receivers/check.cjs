// Prints for each case whether the recipe accepts the webhook as genuine.
const { readFileSync } = require("node:fs");
const { verify } = require("./verify.cjs");

const cases = JSON.parse(readFileSync(0, "utf8"));
const genuine = cases.map(({ secret, headers, body }) => verify(secret, headers, Buffer.from(body, "base64")));
console.log(JSON.stringify(genuine));
