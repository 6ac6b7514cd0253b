import { isDeepStrictEqual } from 'node:util'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { reviewSegments } from './review-segments.service.ts'
import { listReferences, maxSegments } from './segment.rules.ts'
import { listReferenceRows, replaceReferences } from './segment-references.queries.ts'
import { parseSegment } from './segment-rule.service.ts'
import { listSegmentIds, listSegmentsByIds, lockSegments, type SegmentRow } from './segments.queries.ts'

const listAll = async (tx: TenantTx): Promise<SegmentRow[]> =>
  await listSegmentsByIds(tx, await listSegmentIds(tx, maxSegments))

export async function listWrongStates(
  tx: TenantTx,
  limit: number,
  services: Pick<Services, 'registry'>,
): Promise<string[]> {
  const wrong: string[] = []
  for (const segment of await listAll(tx)) {
    const isValid = 'rule' in (await parseSegment(tx, segment, services))
    if (isValid !== (segment.state === 'ok')) wrong.push(segment.id)
  }
  return wrong.slice(0, limit)
}

export async function listWrongReferences(tx: TenantTx, limit: number): Promise<string[]> {
  const wrong: string[] = []
  for (const segment of await listAll(tx)) {
    const stored = new Set((await listReferenceRows(tx, segment.id)).map(toText))
    if (!isDeepStrictEqual(stored, new Set(referencesOf(segment).map(toText)))) wrong.push(segment.id)
  }
  return wrong.slice(0, limit)
}

export async function repairSegments(
  tx: TenantTx,
  ids: readonly string[],
  services: Pick<Services, 'registry'>,
): Promise<number> {
  await lockSegments(tx)
  const segments = await listSegmentsByIds(tx, ids)
  for (const segment of segments) await replaceReferences(tx, segment.id, referencesOf(segment))
  await reviewSegments(tx, ids, services)
  return segments.length
}

const referencesOf = ({ kind, rules, object_type }: SegmentRow) =>
  kind === 'dynamic' ? listReferences(rules!, object_type) : []

const toText = ({ kind, ref }: { kind: string; ref: string }) => `${kind}:${ref}`
