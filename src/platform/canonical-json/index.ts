/**
 * JSON with one spelling per value (RFC 8785): names in order, no spaces. Equal values give equal text, so it can be hashed
 * and compared. Takes what JSON can hold; a member that is undefined counts as absent.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) return objectAsJson(value as Record<string, unknown>)
  return JSON.stringify(value) ?? 'null'
}

function objectAsJson(object: Record<string, unknown>): string {
  const names = Object.keys(object).filter((name) => object[name] !== undefined)
  const members = names.sort().map((name) => `${JSON.stringify(name)}:${canonicalJson(object[name])}`)
  return `{${members.join(',')}}`
}
