import { listMatchingIds, readRuleContext } from '#modules/crm'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { requireSegmentRule } from './segment-rule.service.ts'
import { getSegmentRow } from './segments.queries.ts'

export type SegmentPersons = { objectType: 'lead' | 'contact'; ids: string[] }

/** Returns members after an id in id order, none of a segment of accounts; 409 `segment_invalid` if the rules are invalid. */
export async function listSegmentPersonIds(
  tx: TenantTx,
  { userId }: Pick<UserActor, 'userId'>,
  segmentId: string,
  page: { after?: string; limit: number },
  services: Pick<Services, 'clock' | 'registry'>,
): Promise<SegmentPersons> {
  const segment = await getSegmentRow(tx, segmentId)
  const { object_type: objectType } = segment
  if (objectType === 'account') return { objectType: 'contact', ids: [] }
  const rule = await requireSegmentRule(tx, segment, services)
  const context = await readRuleContext(tx, services.clock.now(), userId)
  return { objectType, ids: await listMatchingIds(tx, rule, context, page) }
}
