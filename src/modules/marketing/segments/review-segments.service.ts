import { isDeepStrictEqual } from 'node:util'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { segmentUpdated } from '../marketing.events.ts'
import { deletedFieldProblems } from './segment.rules.ts'
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

/** Reviews the segments that use a custom field, and those that use these segments. */
export async function reviewSegmentsUsingField(
  tx: TenantTx,
  field: FieldReference,
  services: Pick<Services, 'registry'>,
): Promise<void> {
  await lockSegments(tx)
  const ids = new Set<string>()
  for (const id of await listSegmentIdsUsingField(tx, field)) {
    ids.add(id)
    for (const { user } of await listUsesAbove(tx, id)) ids.add(user)
  }
  await reviewSegments(tx, [...ids].sort(), services)
}

export async function markSegmentsInvalid(tx: TenantTx, field: FieldReference): Promise<void> {
  await lockSegments(tx)
  for (const segment of await listSegmentsByIds(tx, await listSegmentIdsUsingField(tx, field)))
    await storeProblems(tx, segment, deletedFieldProblems(segment.rules!, segment.object_type, refOf(field)))
}

async function storeProblems(tx: TenantTx, segment: SegmentRow, problems: SegmentRow['problems']): Promise<void> {
  const state = problems.length ? 'invalid' : 'ok'
  if (state === segment.state && isDeepStrictEqual(problems, segment.problems)) return
  await updateSegmentRow(tx, segment.id, { state, problems: JSON.stringify(problems) })
  if (state !== segment.state) await emit(tx, segmentUpdated, segment, { changed: ['state'] })
}
