// An order service on Fastify and pg: signature, validation, prices, one statement, the API's response.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import pg from 'pg'
import { wordsOf } from './words.js'

const { DATABASE_URL, PORT, STORE_ID, SECRET_KEY, CATALOG } = process.env
const POOL_SIZE = Number(process.env.POOL_SIZE ?? 8)
const SEARCH_WORDS = process.env.SEARCH_WORDS === 'yes'
const SHIPPING = { standard: { first: 499, further: 150 }, express: { first: 1299, further: 300 } }

// One statement, one round trip, one transaction. An order that exists leaves no row.
const CREATE = {
  name: 'create',
  text: `WITH added AS (
      INSERT INTO orders (id, store_id, order_id, type, email, shipping_address, billing_address, customer,
          product_cost, shipping_fee, total_cost, fee_lines, created_at${SEARCH_WORDS ? ', words' : ''})
      VALUES ($1, $2, $3, 'manual', $4, $5, $6, $7, $8, $9, $10, $11, $12
          ${SEARCH_WORDS ? ', array_to_tsvector($21::text[])' : ''})
      ON CONFLICT (store_id, order_id) DO NOTHING
      RETURNING id, number
    ), items AS (
      INSERT INTO line_items (id, order_uuid, position, name, sku, quantity, file_urls, mockup_images, unit_cost)
      SELECT given.id, added.id, given.position, given.name, given.sku, given.quantity,
          ARRAY(SELECT jsonb_array_elements_text(given.file_urls)),
          ARRAY(SELECT jsonb_array_elements_text(given.mockup_images)), given.unit_cost
      FROM added, UNNEST($13::uuid[], $14::int[], $15::text[], $16::text[], $17::int[], $18::jsonb[], $19::jsonb[],
          $20::bigint[]) AS given(id, position, name, sku, quantity, file_urls, mockup_images, unit_cost)
    )
    SELECT number FROM added`
}

const text = { type: 'string', maxLength: 255 }
const required = { ...text, minLength: 1 }
const urls = { type: 'array', maxItems: 20, items: { type: 'string', maxLength: 2048, pattern: '^https?://' } }
const address = {
  type: 'object',
  properties: {
    first_name: text, last_name: text, name: text, company: text, address1: text, address2: text, city: text, zip: text,
    province: text, province_code: text, country: text, country_code: { type: 'string', minLength: 2, maxLength: 2 },
    phone: text, email: text, latitude: { type: ['number', 'null'] }, longitude: { type: ['number', 'null'] },
    tax_number: text, eur_tax_value: text
  }
}
const body = {
  type: 'object',
  required: ['order_id', 'shipping_address', 'customer', 'line_items'],
  properties: {
    order_id: { type: 'string', minLength: 1, maxLength: 128 },
    email: { type: 'string', format: 'email' },
    shipping_address: { ...address, required: ['address1', 'city', 'zip', 'country_code'] },
    billing_address: address,
    customer: { type: 'object', properties: { first_name: text, last_name: text } },
    line_items: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: {
        type: 'object',
        required: ['sku', 'quantity'],
        properties: {
          name: text, sku: required, quantity: { type: 'integer', minimum: 1, maximum: 1000 }, shipClass: text,
          fileUrls: urls, mockupImages: urls
        }
      }
    }
  }
}

function refuse (status, message) {
  return Object.assign(new Error(message), { statusCode: status })
}

function verify (request, raw) {
  const given = Buffer.from(request.headers['x-service-hmac-sha256'] ?? '', 'base64')
  const expected = createHmac('sha256', SECRET_KEY).update(raw).digest()
  const known = request.headers['x-service-store-id'] === STORE_ID
  return known && given.length === expected.length && timingSafeEqual(given, expected)
}

// UUIDs that grow with time, so that new rows are close together in the index. Random bytes are generated in advance.
let supply = randomBytes(8000)
let used = 0
function uuid () {
  if (used === supply.length) {
    supply = randomBytes(8000)
    used = 0
  }
  const time = Date.now().toString(16).padStart(12, '0')
  const random = supply.toString('hex', used, used + 10)
  used += 10
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`
}

const line = (type, itemId, minor, rule) => ({ type, itemId, amount: minor / 100, currency: 'USD', rule })

// Every fee has the lines that it is the sum of.
function priced (items, ids, catalog) {
  const costs = items.map(item => catalog[item.sku]?.price ?? null)
  const product = costs.includes(null) ? null : items.reduce((sum, item, i) => sum + costs[i] * item.quantity, 0)
  const units = new Map()
  for (const item of items) {
    const known = (item.shipClass ?? 'standard').toLowerCase()
    const shipClass = known in SHIPPING ? known : 'standard'
    units.set(shipClass, (units.get(shipClass) ?? 0) + item.quantity)
  }
  const lines = product === null ? [] : items.map((item, i) => line('product', ids[i], costs[i] * item.quantity,
    `${item.sku}: ${item.quantity} x ${costs[i] / 100} by the catalog`))
  let shipping = 0
  for (const [shipClass, count] of units) {
    const { first, further } = SHIPPING[shipClass]
    const amount = first + (count - 1) * further
    shipping += amount
    lines.push(line('shipping', null, amount,
      `${shipClass} to everywhere: ${first / 100} for the first unit and ${count - 1} x ${further / 100} for further ones`))
  }
  return { costs, product, shipping, total: (product ?? 0) + shipping, lines }
}

function shownAddress (a) {
  if (!a) return {}
  const fullName = a.name ?? [a.first_name, a.last_name].filter(Boolean).join(' ')
  return {
    company: a.company, city: a.city, phone: a.phone, email: a.email, fullName, address1: a.address1, address2: a.address2,
    province: a.province, firstName: a.first_name, lastName: a.last_name, country: a.country, postcode: a.zip,
    taxNumber: a.tax_number, eurTaxValue: a.eur_tax_value
  }
}

const major = minor => minor === null ? null : minor / 100

function shown (order, items, fees, id, number, createdAt, catalog) {
  return {
    id,
    serviceOrderId: `BENCH-${number}`,
    orderId: order.order_id,
    billingAddress: shownAddress(order.billing_address),
    shippingAddress: shownAddress(order.shipping_address),
    customer: { name: [order.customer.first_name, order.customer.last_name].filter(Boolean).join(' ') },
    createdAt: createdAt.toISOString(),
    handleFee: null,
    surchargeFee: null,
    otherFee: null,
    otherShippingFee: null,
    productCost: major(fees.product),
    shippingFee: major(fees.shipping),
    totalCost: major(fees.total),
    feeLines: fees.lines,
    itemStatuses: null,
    source: 'store',
    storeId: STORE_ID,
    type: 'manual',
    shipping_address_label: null,
    childDetails: order.line_items.map((item, i) => ({
      id: items[i],
      name: item.name,
      sku: item.sku,
      quantity: item.quantity,
      files: (catalog[item.sku]?.areas ?? []).map((area, at) => ({
        ...area,
        requirement: 'base_belongs',
        requireFor: [],
        fileUrl: item.fileUrls?.[at] ? [item.fileUrls[at]] : [],
        thumbnailFileUrl: [],
        personalizedDataFileUrl: null
      })),
      mockupImages: item.mockupImages ?? [],
      thumbnailMockupImages: null,
      status: null,
      sellerCost: major(fees.costs[i])
    }))
  }
}

async function create (pool, catalog, order) {
  const items = order.line_items
  const [id, createdAt] = [uuid(), new Date()]
  const ids = items.map(uuid)
  const fees = priced(items, ids, catalog)
  const { rows } = await pool.query({
    ...CREATE,
    values: [
      id, STORE_ID, order.order_id, order.email ?? null, JSON.stringify(order.shipping_address),
      order.billing_address ? JSON.stringify(order.billing_address) : null, JSON.stringify(order.customer),
      fees.product, fees.shipping, fees.total, JSON.stringify(fees.lines), createdAt,
      ids, items.map((_, i) => i), items.map(item => item.name ?? null), items.map(item => item.sku),
      items.map(item => item.quantity), items.map(item => JSON.stringify(item.fileUrls ?? [])),
      items.map(item => JSON.stringify(item.mockupImages ?? [])), fees.costs,
      ...(SEARCH_WORDS ? [wordsOf(order, id, 'BENCH')] : [])
    ]
  })
  if (rows.length === 0) throw refuse(409, 'the order id exists')
  return shown(order, ids, fees, id, rows[0].number, createdAt, catalog)
}

/** Serves until the process is ended. */
export async function serve () {
  const catalog = JSON.parse(readFileSync(CATALOG, 'utf8'))
  const pool = new pg.Pool({ connectionString: DATABASE_URL, max: POOL_SIZE })
  const app = Fastify({ logger: false, bodyLimit: 1024 * 1024 })
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, raw, done) => {
    if (!verify(request, raw)) return done(refuse(401, 'Permission denied'))
    try {
      done(null, JSON.parse(raw.toString()))
    } catch {
      done(refuse(400, 'the body is not JSON'))
    }
  })
  app.setErrorHandler((error, request, reply) => {
    reply.code(error.statusCode ?? 500).send({ success: false, message: error.message, data: null })
  })
  app.get('/readyz', async () => {
    await pool.query('SELECT 1')
    return { success: true }
  })
  app.post('/app/v1/orders/create', { schema: { body } }, async request => {
    return { success: true, message: 'OK', data: await create(pool, catalog, request.body) }
  })
  await app.listen({ host: '127.0.0.1', port: Number(PORT) })
}
