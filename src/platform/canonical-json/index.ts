/** Canonical JSON (RFC 8785) for hashing and comparison. Undefined members are omitted. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) return objectToJson(value as Record<string, unknown>)
  return JSON.stringify(value) ?? 'null'
}

function objectToJson(object: Record<string, unknown>): string {
  let members = ''
  for (const name of Object.keys(object).sort()) {
    if (object[name] === undefined) continue
    members += `${members && ','}${JSON.stringify(name)}:${canonicalJson(object[name])}`
  }
  return `{${members}}`
}
