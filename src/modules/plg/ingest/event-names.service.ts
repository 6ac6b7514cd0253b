import type { TenantTx } from '#platform/db'
import { countEventNames, insertEventNames, listKnownNames, lockEventNames } from './ingest.queries.ts'

export const maxEventNames = 2_000

/** Registers new names and returns those that exceed the limit of the workspace. */
export async function registerEventNames(tx: TenantTx, names: readonly string[], now: Date): Promise<Set<string>> {
  const isKnown = new Set(await listKnownNames(tx, names))
  if (names.every((name) => isKnown.has(name))) return new Set()
  await lockEventNames(tx)
  const [known, count] = await Promise.all([listKnownNames(tx, names), countEventNames(tx)])
  const unknown = names.filter((name) => !known.includes(name))
  const added = unknown.slice(0, Math.max(0, maxEventNames - count))
  if (added.length) await insertEventNames(tx, added, now)
  return new Set(unknown.slice(added.length))
}
