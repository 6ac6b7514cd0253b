const tenant = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const area = '[a-z][a-z0-9_]{0,39}'
const id = '[a-z0-9][a-z0-9_-]{0,99}'
const keyPattern = new RegExp(`^${tenant}/${area}/${id}$`)
const prefixPattern = new RegExp(`^${tenant}/(?:${area}/)?$`)

export function storageKey(tenantId: string, area: string, id: string): string {
  return assertKey(`${tenantId}/${area}/${id}`)
}

export const isKey = (key: string): boolean => keyPattern.test(key)

export function assertKey(key: string): string {
  if (!isKey(key)) throw new Error('A storage key must consist of a tenant id, an area and an id.')
  return key
}

/** A prefix must start with a tenant id and end with a slash, so that `a/` does not match `ab/`. */
export function assertPrefix(prefix: string): string {
  if (!prefixPattern.test(prefix))
    throw new Error('A storage prefix must be a tenant id and an optional area, each followed by a slash.')
  return prefix
}
