const tenant = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const area = '[a-z][a-z0-9_]{0,39}'
const id = '[a-z0-9][a-z0-9_-]{0,99}'
const keyPattern = new RegExp(`^${tenant}/${area}/${id}$`)
const prefixPattern = new RegExp(`^${tenant}/(?:${area}/)?$`)

/** `tenant/area/id`. The id is ours, never a file name somebody chose. */
export function storageKey(tenantId: string, area: string, id: string): string {
  return assertKey(`${tenantId}/${area}/${id}`)
}

export const isKey = (key: string): boolean => keyPattern.test(key)

export function assertKey(key: string): string {
  if (!isKey(key)) throw new Error('A storage key is made of a tenant id, an area and an id, and nothing else.')
  return key
}

/** A prefix names one tenant at least, and ends where a name ends: `a/` must not reach `ab/`. */
export function assertPrefix(prefix: string): string {
  if (!prefixPattern.test(prefix))
    throw new Error('A storage prefix is a tenant id, or a tenant id and an area, and a slash.')
  return prefix
}
