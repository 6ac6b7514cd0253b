import { canAccess, type UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { assertVersion, roleRequired } from '#platform/errors'
import { opportunityDeleted, opportunityRestored } from '../../crm.events.ts'
import { assertRecordRestorable } from '../../records/fields/record.rules.ts'
import {
  type DeleteRecordOptions,
  restoreDeleted,
  type SoftDelete,
  softDelete,
} from '../../records/removal/soft-delete.service.ts'
import { assertAccountNotDeleted } from './create-opportunity.service.ts'
import {
  lockOpportunity,
  lockOpportunityIncludingDeleted,
  type OpportunityRow,
  updateOpportunityRow,
} from './opportunities.queries.ts'

const opportunityDeletion: SoftDelete<OpportunityRow> = {
  type: 'opportunity',
  updateRow: updateOpportunityRow,
  labelOf: ({ name }) => name,
  deletedEvent: opportunityDeleted,
  restoredEvent: opportunityRestored,
}

export async function deleteOpportunity(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { expectedVersion, now }: DeleteRecordOptions,
): Promise<void> {
  const deal = await lockOpportunity(tx, id)
  assertVersion(deal, expectedVersion)
  if (!canAccess(actor, 'opportunities.delete', deal))
    throw roleRequired('Only managers and the owner of the deal can delete it.')
  await softDelete(tx, actor, deal, opportunityDeletion, now)
}

export async function restoreOpportunity(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  now: Date,
): Promise<OpportunityRow> {
  const deal = assertRecordRestorable(actor, await lockOpportunityIncludingDeleted(tx, id), 'deal', now)
  await assertAccountNotDeleted(tx, deal.account_id)
  return await restoreDeleted(tx, deal, opportunityDeletion)
}
