import { findAccountNames, findOpportunityReferences } from '#modules/crm'
import { listVisibleItems } from '#modules/library'
import type { TenantTx } from '#platform/db'
import { invalid, unknownReference } from '#platform/errors'
import type { Candidate } from '../records/experts.rules.ts'
import type { NewExpertRequest } from './requests.schemas.ts'

/** Rejects content that the caller may not see. */
export async function assertVisibleContent(tx: TenantTx, field: string, ids: readonly string[] = []): Promise<void> {
  if (!ids.length) return
  const visible = new Set((await listVisibleItems(tx, ids)).map(({ id }) => id))
  const unknown = ids.findIndex((id) => !visible.has(id))
  if (unknown >= 0) throw unknownReference(`/${field}/${unknown}`, 'content item')
}

/** Checks account and deal. The account of the deal is used if no other is given. */
export async function resolveRecords(
  tx: TenantTx,
  { account_id, opportunity_id }: Pick<NewExpertRequest, 'account_id' | 'opportunity_id'>,
): Promise<{ account_id: string | null; opportunity_id: string | null }> {
  const [accounts, deals] = await Promise.all([
    findAccountNames(tx, account_id ? [account_id] : []),
    findOpportunityReferences(tx, opportunity_id ? [opportunity_id] : []),
  ])
  if (account_id && !accounts.has(account_id)) throw unknownReference('/account_id', 'account')
  const deal = opportunity_id ? deals.get(opportunity_id) : undefined
  if (opportunity_id && !deal) throw unknownReference('/opportunity_id', 'deal')
  return { account_id: account_id ?? deal?.account_id ?? null, opportunity_id: opportunity_id ?? null }
}

/** An expert who is chosen by a user may be busy or away, but must be active and not the requester. */
export function assertAssignableExpert(expert: Candidate | undefined, requesterId: string): Candidate {
  if (!expert?.is_active || !expert.isUserActive) throw unknownReference('/expert_id', 'active expert')
  if (expert.user_id === requesterId)
    throw invalid('body', '/expert_id', 'not_allowed', '`expert_id` must not be the expert who asks.')
  return expert
}
