import { isDeepStrictEqual } from 'node:util'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { segmentUpdated } from '../../marketing.events.ts'
import { deletedCampaignProblems, deletedFieldProblems } from './segment.rules.ts'
import { listSegmentIdsUsing, listUsesAbove } from './segment-references.queries.ts'
import { parseSegment } from './segment-rule.service.ts'
import { listSegmentsByIds, lockSegments, type SegmentRow, updateSegmentRow } from './segments.queries.ts'

export type FieldReference = { object_type: string; key: string }

const refOf = ({ object_type, key }: FieldReference) => `${object_type}.custom.${key}`

export const listSegmentIdsUsingField = (tx: TenantTx, field: FieldReference): Promise<string[]> =>
  listSegmentIdsUsing(tx, 'field', refOf(field))

/** Parses the rules of dynamic segments again and stores whether they are valid. */
export async function reviewSegments(
  tx: TenantTx,
  ids: readonly string[],
  services: Pick<Services, 'registry'>,
): Promise<void> {
  for (const segment of await listSegmentsByIds(tx, ids)) {
    const parsed = await parseSegment(tx, segment, services)
    await storeProblems(tx, segment, 'problems' in parsed ? parsed.problems : [])
  }
}

/** `ref` is `object_type.custom.key` of a field or the id of a campaign. */
export type RuleReference = { kind: 'field' | 'campaign'; ref: string }

export const toFieldReference = (field: FieldReference): RuleReference => ({ kind: 'field', ref: refOf(field) })

/** Reviews the segments that use it, and those that use these segments. */
export async function reviewSegmentsUsing(
  tx: TenantTx,
  { kind, ref }: RuleReference,
  services: Pick<Services, 'registry'>,
): Promise<void> {
  await lockSegments(tx)
  const ids = new Set<string>()
  for (const id of await listSegmentIdsUsing(tx, kind, ref)) {
    ids.add(id)
    for (const { user } of await listUsesAbove(tx, id)) ids.add(user)
  }
  await reviewSegments(tx, [...ids].sort(), services)
}

/** Marks the segments whose rules refer to a deleted field or campaign. Returns whether there are any. */
export async function markSegmentsInvalid(tx: TenantTx, { kind, ref }: RuleReference): Promise<boolean> {
  if (!(await listSegmentIdsUsing(tx, kind, ref)).length) return false
  await lockSegments(tx)
  for (const segment of await listSegmentsByIds(tx, await listSegmentIdsUsing(tx, kind, ref))) {
    const { rules, object_type } = segment
    const problems =
      kind === 'campaign' ? deletedCampaignProblems(rules!, ref) : deletedFieldProblems(rules!, object_type, ref)
    await storeProblems(tx, segment, problems)
  }
  return true
}

async function storeProblems(tx: TenantTx, segment: SegmentRow, problems: SegmentRow['problems']): Promise<void> {
  const state = problems.length ? 'invalid' : 'ok'
  if (state === segment.state && isDeepStrictEqual(problems, segment.problems)) return
  await updateSegmentRow(tx, segment.id, { state, problems: JSON.stringify(problems) })
  if (state !== segment.state) await emit(tx, segmentUpdated, segment, { changed: ['state'] })
}
