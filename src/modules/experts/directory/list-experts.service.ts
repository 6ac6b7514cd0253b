import { Type } from 'typebox'
import { decodeCursor, type Page, type TenantTx, toPage, toSearchText, toSearchWords, toTotal } from '#platform/db'
import { Id } from '#platform/schema'
import { listDirectory } from '../records/experts.queries.ts'
import type { Expert, ExpertQuery } from '../records/experts.schemas.ts'
import { type LoadedExpert, loadExperts, presentLoadedExperts } from './present-experts.service.ts'

const ExpertKey = Type.Tuple([Type.Number(), Type.Number(), Id])
type ExpertKey = [rank: number, load: number, id: string]

/** The load is counted and not stored, so the directory is sorted here. */
export async function listExperts(tx: TenantTx, query: ExpertQuery, now: Date): Promise<Page<Expert>> {
  const { topic, active, cursor, offset, limit } = query
  const experts = await loadExperts(tx, await listDirectory(tx, { topic, isActive: active }))
  const found = experts.filter((expert) => matchesQuery(expert, query))
  const sorted = found.toSorted((one, other) => compareKeys(keyOf(one), keyOf(other)))
  const after = cursor && (decodeCursor(cursor, ExpertKey) as ExpertKey)
  const rest = after ? sorted.filter((expert) => compareKeys(keyOf(expert), after) > 0) : sorted.slice(offset)
  const page = toPage(rest.slice(0, limit + 1), toTotal(sorted.length, query), query, keyOf)
  return { ...page, items: await presentLoadedExperts(tx, page.items, now) }
}

function matchesQuery(expert: LoadedExpert, { search, language }: Pick<ExpertQuery, 'search' | 'language'>): boolean {
  if (language && !expert.languages.includes(language)) return false
  if (!search) return true
  const text = toSearchText(expert.name, expert.headline, expert.bio, ...expert.topics)
  return toSearchWords(search).every((word) => text.includes(word))
}

const keyOf = ({ rank_score, openCount, max_open, id }: LoadedExpert): ExpertKey => [
  -Number(rank_score),
  openCount / max_open,
  id,
]

function compareKeys(one: ExpertKey, other: ExpertKey): number {
  for (const index of [0, 1, 2] as const) if (one[index] !== other[index]) return one[index] < other[index] ? -1 : 1
  return 0
}
