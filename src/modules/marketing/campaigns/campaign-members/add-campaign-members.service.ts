import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import type { Services } from '#platform/module'
import { runInlineOrTask, type StartedTask } from '#platform/tasks'
import { startAddingMembers, toAddedMembers, viaOf } from './add-members.jobs.ts'
import { addPersons, assertMembersAddable } from './add-members.service.ts'
import type { AddedMembers, NewMembers } from './members.schemas.ts'

const maxIds = 10_000

/** Adds up to 200 persons at once, more in a task. */
export async function addCampaignMembers(
  tx: TenantTx,
  actor: UserActor,
  campaignId: string,
  { lead_ids = [], contact_ids = [], status }: NewMembers,
  { clock }: Pick<Services, 'clock'>,
): Promise<AddedMembers | StartedTask> {
  const [leadIds, contactIds] = [[...new Set(lead_ids)], [...new Set(contact_ids)]]
  const total = leadIds.length + contactIds.length
  if (!total) throw invalid('body', '/lead_ids', 'required', '`lead_ids` or `contact_ids` is required.')
  if (total > maxIds)
    throw invalid('body', '/contact_ids', 'too_many', 'At most 10,000 leads and contacts can be added at once.')
  await assertMembersAddable(tx, campaignId, status)
  const options = { status, via: viaOf(actor), now: clock.now() } as const
  return await runInlineOrTask(total, {
    runInline: async () => toAddedMembers(await addPersons(tx, actor, campaignId, { leadIds, contactIds }, options)),
    startTask: () =>
      startAddingMembers(tx, actor, {
        campaign_id: campaignId,
        lead_ids: leadIds,
        contact_ids: contactIds,
        ...(status !== undefined && { status }),
      }),
  })
}
