import { listMatchingIds, readRuleContext } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import type { Services } from '#platform/module'
import { requireSegmentRule } from './segment-rule.service.ts'
import { getSegmentRow } from './segments.queries.ts'

type MemberIdPage = {
  /** The last id of the previous page. */
  after?: string
  limit?: number
  /** User who is meant by `is_me` in the rules. */
  me?: string | null
}

/** Returns ids of members in id order, of dynamic and static segments; 409 `segment_invalid` if the rules are invalid. */
export async function listSegmentMemberIds(
  tx: TenantTx,
  segmentId: string,
  { after = nilUuid, limit = 500, me = null }: MemberIdPage,
  services: Pick<Services, 'clock' | 'registry'>,
): Promise<string[]> {
  const rule = await requireSegmentRule(tx, await getSegmentRow(tx, segmentId), services)
  const context = await readRuleContext(tx, services.clock.now(), me)
  return await listMatchingIds(tx, rule, context, { after, limit })
}
