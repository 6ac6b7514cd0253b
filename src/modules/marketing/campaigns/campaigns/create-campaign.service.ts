import { replaceTags } from '#modules/crm'
import { assertAssignable, timezoneOf } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { dayInTimezone } from '#platform/calendar'
import { lockTree, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { campaignCreated } from '../../marketing.events.ts'
import {
  assertParentCampaign,
  assertUniqueCampaign,
  moneyFieldsOf,
  toCampaignSearchText,
  toMoneyColumns,
  toUtmColumns,
} from './campaign-columns.service.ts'
import { toCampaign } from './campaign-details.service.ts'
import { assertCampaignDates, assertMemberStatuses } from './campaign-status.rules.ts'
import { campaignTree, getCampaignRow, insertCampaign } from './campaigns.queries.ts'
import type { Campaign, CampaignClone, NewCampaign } from './campaigns.schemas.ts'
import { defaultMemberStatuses } from './default-statuses.rules.ts'

/** Changes of names, UTM keys and parents take turns, so that they stay unique and the tree has no cycle. */
export async function createCampaign(
  tx: TenantTx,
  actor: UserActor,
  input: NewCampaign,
  { clock }: Pick<Services, 'clock'>,
): Promise<Campaign> {
  const { budget, actual_cost, expected_revenue, member_statuses, utm_campaign = null, ...fields } = input
  const statuses = member_statuses ?? defaultMemberStatuses(input.type)
  assertMemberStatuses(statuses)
  const now = clock.now()
  const today = dayInTimezone(now, await timezoneOf(tx))
  assertCampaignDates({ status: 'draft', start_on: input.start_on ?? null, end_on: input.end_on ?? null }, today)
  await lockTree(tx, campaignTree)
  await assertUniqueCampaign(tx, input)
  if (input.parent_campaign_id) await assertParentCampaign(tx, null, input.parent_campaign_id)
  await assertAssignable(tx, input.owner_id)

  const campaign = await insertCampaign(tx, {
    id: newId(),
    ...fields,
    ...toUtmColumns(utm_campaign),
    ...(await toMoneyColumns(tx, { budget, actual_cost, expected_revenue })),
    member_statuses: JSON.stringify(statuses),
    search_text: toCampaignSearchText(input),
    created_by: actor.userId,
    created_at: now,
    updated_at: now,
  })
  if (campaign.tags.length) await replaceTags(tx, 'campaign', campaign.id, campaign.tags)
  await recordAudit(tx, 'campaign.created', { id: campaign.id, label: campaign.name, after: campaign })
  await emit(tx, campaignCreated, campaign, { type: campaign.type })
  return await toCampaign(tx, campaign)
}

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
