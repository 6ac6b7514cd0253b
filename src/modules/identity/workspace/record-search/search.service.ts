import type { UserActor } from '#platform/access'
import { limitStatementTime, type TenantTx } from '#platform/db'
import type { FoundRecords, RecordSearchQuery } from './search.schemas.ts'
import type { SearchSource } from './search-source.ts'

const secondsPerType = 2

/** Searches the types one after the other, so that a search never uses more than one connection. */
export async function searchRecords(
  tx: TenantTx,
  { scopes }: UserActor,
  { q, types, limit }: RecordSearchQuery,
  { sources, now }: { sources: readonly SearchSource[]; now: Date },
): Promise<FoundRecords> {
  const searched = sources.filter(({ type, scope }) => scopes.has(scope) && (!types || types.includes(type)))
  const items: FoundRecords['items'] = []
  await limitStatementTime(tx, secondsPerType)
  for (const { type, path, find } of searched) {
    const found = await find(tx, q, { limit, now })
    items.push(...found.map((record) => ({ type, ...record, path: `${path}/${record.id}` })))
  }
  return { items }
}
