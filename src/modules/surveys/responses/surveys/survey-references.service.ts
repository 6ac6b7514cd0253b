import { assertAssignable } from '#modules/identity'
import { findCampaignNames } from '#modules/marketing'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { type TenantTx, toSearchText } from '#platform/db'
import { roleRequired, unknownReference } from '#platform/errors'

export async function assertAllowedOwner(tx: TenantTx, actor: UserActor, ownerId: string): Promise<void> {
  if (ownerId !== actor.userId && !isManagerOrAdmin(actor.role))
    throw roleRequired('Only managers and admins can choose another owner.')
  await assertAssignable(tx, ownerId)
}

export async function assertKnownCampaign(tx: TenantTx, campaignId: string | null | undefined): Promise<void> {
  if (campaignId && !(await findCampaignNames(tx, [campaignId])).has(campaignId))
    throw unknownReference('/campaign_id', 'campaign')
}

/** Starts with a space, because a search for short words matches the start of words. */
export const surveySearchText = (name: string): string => ` ${toSearchText(name)}`
