import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { moneyFieldsOf } from './campaign-columns.service.ts'
import { getCampaignRow } from './campaigns.queries.ts'
import type { Campaign, CampaignClone, NewCampaign } from './campaigns.schemas.ts'
import { createCampaign } from './create-campaign.service.ts'

/** Copies the plan of a campaign. Dates, cost, UTM name, members, flows and results belong to the original only. */
export async function cloneCampaign(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { name }: CampaignClone,
  services: Pick<Services, 'clock'>,
): Promise<Campaign> {
  const original = await getCampaignRow(tx, id)
  const { type, description, expected_responses, parent_campaign_id, source, member_statuses, tags } = original
  const { budget, expected_revenue } = moneyFieldsOf(original)
  const plan = { type, description, expected_responses, parent_campaign_id, source, member_statuses, tags }
  const clone = { ...plan, name, budget, expected_revenue, owner_id: actor.userId } as NewCampaign
  return await createCampaign(tx, actor, clone, services)
}
