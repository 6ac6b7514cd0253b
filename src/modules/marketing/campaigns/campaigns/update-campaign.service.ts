import { replaceTags } from '#modules/crm'
import { assertAssignable, timezoneOf } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { dayInTimezone } from '#platform/calendar'
import { lockTree, type TenantTx } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, conflict } from '#platform/errors'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { campaignStatusChanged, campaignUpdated } from '../../marketing.events.ts'
import {
  assertParentCampaign,
  assertUniqueCampaign,
  moneyFieldsOf,
  normalizeMoneyFields,
  toCampaignSearchText,
  toMoneyColumns,
  toUtmColumns,
} from './campaign-columns.service.ts'
import { toCampaign } from './campaign-details.service.ts'
import {
  assertCampaignDates,
  assertCampaignEditable,
  assertMemberStatuses,
  assertNotOver,
  assertStatusTransition,
  takesMembers,
} from './campaign-status.rules.ts'
import { type CampaignRow, campaignTree, getCampaignRow, lockCampaign, updateCampaignRow } from './campaigns.queries.ts'
import type { Campaign, CampaignChanges } from './campaigns.schemas.ts'
import { findUsedStatus, hasMembers } from './existing-records.queries.ts'

type CampaignUpdate = { changes: CampaignChanges; expectedVersion?: number }

export async function updateCampaign(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { changes: requested, expectedVersion }: CampaignUpdate,
  { clock }: Pick<Services, 'clock'>,
): Promise<Campaign> {
  await getCampaignRow(tx, id)
  await lockTree(tx, campaignTree)
  const campaign = await lockCampaign(tx, id)
  assertVersion(campaign, expectedVersion)
  const before = { ...campaign, ...moneyFieldsOf(campaign) }
  const changed = changedFields(before, { ...requested, ...normalizeMoneyFields(requested) }) as CampaignChanges
  const fields = Object.keys(changed)
  if (!fields.length) return await toCampaign(tx, campaign)

  const today = dayInTimezone(clock.now(), await timezoneOf(tx))
  const starts = changed.status === 'active' && (changed.start_on ?? campaign.start_on) === null
  const columns = { ...changed, ...(starts && { start_on: today }) }
  await assertAllowed(tx, actor, campaign, columns, today)
  const updated = await writeChanges(tx, campaign, columns)
  await recordAudit(tx, 'campaign.updated', { id, label: updated.name, before: campaign, after: updated })
  const otherFields = fields.filter((field) => field !== 'status')
  if (otherFields.length) await emit(tx, campaignUpdated, updated, { changed: otherFields })
  if (changed.status) await emit(tx, campaignStatusChanged, updated, { from: campaign.status, to: changed.status })
  return await toCampaign(tx, updated)
}

async function assertAllowed(
  tx: TenantTx,
  actor: UserActor,
  campaign: CampaignRow,
  changed: CampaignChanges,
  today: string,
): Promise<void> {
  assertCampaignEditable(campaign, Object.keys(changed))
  if (changed.status) assertStatusTransition(actor, campaign.status, changed.status)
  const after = { ...campaign, ...changed }
  const isRescheduled = changed.status !== undefined || changed.start_on !== undefined || changed.end_on !== undefined
  if (isRescheduled) assertCampaignDates(after, today)
  if (changed.status === 'active') assertNotOver(after, today)
  if (changed.type && (await hasMembers(tx, campaign.id)))
    throw conflict('campaign_has_members', 'The type of a campaign with members cannot be changed.')
  if (changed.member_statuses) await assertStatusesReplaceable(tx, campaign, changed.member_statuses)
  const isReopened = changed.status !== undefined && !takesMembers(campaign) && takesMembers(after)
  await assertUniqueCampaign(
    tx,
    { name: changed.name, utm_campaign: isReopened ? after.utm_campaign : changed.utm_campaign },
    campaign.id,
  )
  if (changed.parent_campaign_id) await assertParentCampaign(tx, campaign.id, changed.parent_campaign_id)
  await assertAssignable(tx, changed.owner_id)
}

async function assertStatusesReplaceable(
  tx: TenantTx,
  { id, member_statuses }: CampaignRow,
  statuses: NonNullable<CampaignChanges['member_statuses']>,
): Promise<void> {
  assertMemberStatuses(statuses)
  const kept = new Set(statuses.map(({ key }) => key))
  const removed = member_statuses.map(({ key }) => key).filter((key) => !kept.has(key))
  const used = removed.length ? await findUsedStatus(tx, id, removed) : undefined
  if (used)
    throw conflict('member_status_in_use', `Members have the status ${used}. Change their status before removing it.`, {
      member_status: used,
    })
}

async function writeChanges(tx: TenantTx, campaign: CampaignRow, changed: CampaignChanges): Promise<CampaignRow> {
  const { budget, actual_cost, expected_revenue, member_statuses, utm_campaign, ...fields } = changed
  const updated = await updateCampaignRow(tx, campaign.id, {
    ...fields,
    ...(await toMoneyColumns(tx, { budget, actual_cost, expected_revenue })),
    ...(member_statuses && { member_statuses: JSON.stringify(member_statuses) }),
    ...(utm_campaign !== undefined && toUtmColumns(utm_campaign)),
    search_text: toCampaignSearchText({ ...campaign, ...changed }),
  })
  if (changed.tags) await replaceTags(tx, 'campaign', campaign.id, changed.tags)
  return updated
}
