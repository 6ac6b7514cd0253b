import { reaches, type SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { roleRequired, versionMismatch } from '#platform/errors'
import { emit } from '#platform/outbox'
import { opportunityDeleted, opportunityRestored } from '../crm.events.ts'
import { assertRestorable } from '../deleted/restorable.rules.ts'
import { assertAccountIsThere } from './open-opportunity.service.ts'
import {
  changeOpportunityFields,
  lockAnyOpportunity,
  lockOpportunity,
  type OpportunityRow,
} from './opportunities.queries.ts'

type Deletion = { expectedVersion?: number; now: Date }

export async function deleteOpportunity(
  tx: TenantTx,
  actor: SignedIn,
  id: string,
  { expectedVersion, now }: Deletion,
): Promise<void> {
  const deal = await lockOpportunity(tx, id)
  if (expectedVersion !== undefined && expectedVersion !== deal.version) throw versionMismatch()
  if (!reaches(actor, 'opportunities.delete', deal))
    throw roleRequired('Only managers, and whoever owns the deal, may delete it.')
  const deleted = await changeOpportunityFields(tx, id, { deleted_at: now, deleted_by: actor.userId })
  await record(tx, 'opportunity.deleted', { id, label: deal.name, before: deal })
  await emit(tx, opportunityDeleted, deleted, {})
}

/** Whoever deleted it may take that back, and so may managers. The account it is made with has to be there. */
export async function restoreOpportunity(
  tx: TenantTx,
  actor: SignedIn,
  id: string,
  now: Date,
): Promise<OpportunityRow> {
  const deal = assertRestorable(actor, await lockAnyOpportunity(tx, id), 'deal', now)
  await assertAccountIsThere(tx, deal.account_id)

  const restored = await changeOpportunityFields(tx, id, { deleted_at: null, deleted_by: null })
  await record(tx, 'opportunity.restored', { id, label: deal.name, before: deal, after: restored })
  await emit(tx, opportunityRestored, restored, {})
  return restored
}
