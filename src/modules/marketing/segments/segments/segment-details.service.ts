import { countMatchingRecords, readRuleContext } from '#modules/crm'
import { findUserNames, toUserReference } from '#modules/identity'
import type { Page, TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { listMemberCounts, type MemberCountRow } from './member-counts.queries.ts'
import { listSegmentUses, nameReferences } from './segment-names.service.ts'
import { listReferenceRows } from './segment-references.queries.ts'
import { parseSegment } from './segment-rule.service.ts'
import { getSegmentRow, listSegmentRows, type SegmentRow } from './segments.queries.ts'
import type { Segment, SegmentQuery, SegmentSummary } from './segments.schemas.ts'

const maxCounted = 10_000

type SegmentServices = Pick<Services, 'clock' | 'registry'>

export async function listSegments(tx: TenantTx, query: SegmentQuery): Promise<Page<SegmentSummary>> {
  const { items, ...page } = await listSegmentRows(tx, query)
  return { ...page, items: await toSegmentSummaries(tx, items) }
}

export async function toSegmentSummaries(tx: TenantTx, rows: readonly SegmentRow[]): Promise<SegmentSummary[]> {
  const ids = rows.map(({ id }) => id)
  const ownerIds = rows.flatMap(({ owner_id }) => owner_id ?? [])
  const [owners, counts] = await Promise.all([findUserNames(tx, ownerIds), listMemberCounts(tx, ids)])
  const countOf = new Map(counts.map((count) => [count.segment_id, count]))
  return rows.map((row) => ({
    ...row,
    ...toMemberCount(countOf.get(row.id)),
    owner: toUserReference(owners, row.owner_id),
  }))
}

const toMemberCount = (count: MemberCountRow | undefined) => ({
  member_count: count?.member_count ?? null,
  member_count_relation: count?.relation ?? null,
  member_count_at: count?.counted_at ?? null,
})

export async function getSegment(tx: TenantTx, id: string, services: SegmentServices): Promise<Segment> {
  return await toSegmentDetails(tx, await getSegmentRow(tx, id), services)
}

export async function toSegmentDetails(tx: TenantTx, row: SegmentRow, services: SegmentServices): Promise<Segment> {
  const [summary] = await toSegmentSummaries(tx, [row])
  return {
    ...summary!,
    ...(await countStaticMembers(tx, row, services)),
    references: await nameReferences(tx, await listReferenceRows(tx, row.id), services),
    used_by: await listSegmentUses(tx, row.id, services),
  }
}

/** The list of a static segment is counted now; the count of a dynamic one can take long and is the last of the schedule. */
async function countStaticMembers(tx: TenantTx, row: SegmentRow, services: SegmentServices) {
  const parsed = row.kind === 'static' ? await parseSegment(tx, row, services) : undefined
  if (!parsed || 'problems' in parsed) return {}
  const now = services.clock.now()
  const members = await countMatchingRecords(tx, parsed.rule, await readRuleContext(tx, now, null), maxCounted + 1)
  return {
    member_count: Math.min(members, maxCounted),
    member_count_relation: members > maxCounted ? ('gte' as const) : ('eq' as const),
    member_count_at: now,
  }
}
