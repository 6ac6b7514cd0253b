import { isDeepStrictEqual } from 'node:util'

export function changedFields<Changes extends object>(before: object, changes: Changes): Partial<Changes> {
  const current = before as Record<string, unknown>
  const differing = Object.entries(changes).filter(([field, value]) => !isDeepStrictEqual(current[field], value))
  return Object.fromEntries(differing) as Partial<Changes>
}
