import { replaceTags } from '#modules/crm'
import { canAccess, type UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { acquireAdvisoryLock, lockTree, type TenantTx } from '#platform/db'
import { assertVersion, conflict, roleRequired } from '#platform/errors'
import { emit } from '#platform/outbox'
import { campaignDeleted } from '../../marketing.events.ts'
import { campaignTree, deleteCampaignRow, getCampaignRow, lockCampaign } from './campaigns.queries.ts'
import { hasFrozenTouches, hasMembers, markDealsOfCampaign } from './existing-records.queries.ts'

/** The members of a draft are deleted with it, and the touches of open deals. The lock keeps others from calculating touches. */
export async function deleteCampaign(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { expectedVersion }: { expectedVersion?: number },
): Promise<void> {
  await getCampaignRow(tx, id)
  await acquireAdvisoryLock(tx, 'attribution')
  await lockTree(tx, campaignTree)
  const campaign = await lockCampaign(tx, id)
  if (!canAccess(actor, 'campaigns.delete', campaign))
    throw roleRequired('Only managers and the owner of the campaign can delete it.')
  assertVersion(campaign, expectedVersion)
  if (campaign.status !== 'draft' && (await hasMembers(tx, id)))
    throw conflict('campaign_has_members', 'A campaign with members cannot be deleted. Archive it instead.')
  if (await hasFrozenTouches(tx, id))
    throw conflict(
      'campaign_has_closed_deals',
      'A campaign with a share of closed deals cannot be deleted. Archive it.',
    )
  await markDealsOfCampaign(tx, id)
  await replaceTags(tx, 'campaign', id, [])
  await deleteCampaignRow(tx, id)
  await recordAudit(tx, 'campaign.deleted', { id, label: campaign.name, before: campaign })
  await emit(tx, campaignDeleted, campaign, {})
}
