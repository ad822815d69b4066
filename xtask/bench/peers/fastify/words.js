// The search words of an order: the same as the service's, except for the order's number.
const fold = text => text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/[đĐ]/g, 'd').toLowerCase()

function add (words, text) {
  for (const part of fold(text ?? '').split(/\s+/)) {
    if (part === '') continue
    words.add(part)
    const [local, domain] = part.split('@')
    for (const piece of local.split(/[^\p{L}\p{N}]+/u)) if (piece !== '') words.add(piece)
    if (domain) words.add(domain)
  }
}

// A phone number is found by its digits from the start of any group.
function addPhone (words, phone) {
  const groups = (phone ?? '').match(/\d+/g) ?? []
  for (let i = 0; i < groups.length; i++) words.add(groups.slice(i).join(''))
}

/** The words of an order; those that only begin another one are left out, since a key matches beginnings. */
export function wordsOf (order, id, prefix) {
  const words = new Set([id])
  const address = order.shipping_address
  for (const text of [order.order_id, order.customer.first_name, order.customer.last_name, address.first_name,
    address.last_name, address.email, order.email]) add(words, text)
  addPhone(words, address.phone)
  for (const item of order.line_items) {
    add(words, item.sku)
    add(words, item.name)
  }
  const sorted = [...words].sort()
  return sorted.filter((word, i) => !sorted[i + 1]?.startsWith(word)).map(word => `${prefix}:${word}`)
}
