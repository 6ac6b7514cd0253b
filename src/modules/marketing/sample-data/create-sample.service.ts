import { listActivityIds, listLeadMilestones } from '#modules/crm'
import { baseCurrencyOf } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { SampleRecord } from '#platform/module'
import { currencyDigits, toMoney } from '#platform/money'
import { addPersons } from '../campaigns/campaign-members/add-members.service.ts'
import { setMemberStatuses } from '../campaigns/campaign-members/member-status.service.ts'
import { listMembersOfPersons } from '../campaigns/campaign-members/members.queries.ts'
import { createCampaign } from '../campaigns/campaigns/create-campaign.service.ts'
import { updateCampaign } from '../campaigns/campaigns/update-campaign.service.ts'
import type { PlannedCampaign } from './campaign-plan.rules.ts'

export type SampleContext = { tx: TenantTx; actor: UserActor; idOf(key: string): string; now: Date }

const clockAt = (now: Date) => ({ clock: { now: () => now } })
const dayOf = (date: Date) => date.toISOString().slice(0, 10)

export async function createSampleCampaign(
  { tx, actor, idOf, now }: SampleContext,
  { key, name, type, start, end, budget, cost, owner }: PlannedCampaign,
): Promise<SampleRecord[]> {
  const currency = await baseCurrencyOf(tx)
  const money = (amount: number) => toMoney(Math.round(amount * 10 ** currencyDigits(currency)), currency)
  const dates = { start_on: dayOf(start), end_on: dayOf(end) }
  const amounts = { budget: money(budget), actual_cost: money(cost) }
  const input = { name, type, ...dates, ...amounts, owner_id: idOf(owner) }
  const { id } = await createCampaign(tx, actor, input, clockAt(now))
  await updateCampaign(tx, actor, id, { changes: { status: 'active' } }, clockAt(now))
  return [{ key, resource_type: 'campaign', id }]
}

/** Leaves out leads that did not exist yet. */
export async function addSampleMembers(
  { tx, actor, idOf, now }: SampleContext,
  { key, contacts, leads, reached: status }: PlannedCampaign,
): Promise<SampleRecord[]> {
  const milestones = await listLeadMilestones(tx, leads.map(idOf))
  const leadIds = milestones.filter(({ created_at }) => created_at < now).map(({ id }) => id)
  const persons = { leadIds, contactIds: contacts.map(idOf) }
  await addPersons(tx, actor, idOf(key), persons, { status, via: 'segment', now })
  return []
}

/** Reports the activity of the response too, because it must be removed with the sample data. */
export async function respondToSample(
  { tx, actor, idOf, now }: SampleContext,
  { key, response: status }: PlannedCampaign,
  respondent: string,
): Promise<SampleRecord[]> {
  const id = idOf(respondent)
  const [member] = await listMembersOfPersons(tx, idOf(key), { leadIds: [id], contactIds: [id] })
  if (!member) return []
  await setMemberStatuses(tx, actor, idOf(key), [member.id], { status, now })
  const activities = await listActivityIds(tx, 'campaign', [member.id])
  return activities.map((activityId) => ({
    key: `${key}:${respondent}:activity`,
    resource_type: 'activity',
    id: activityId,
  }))
}

export async function completeSampleCampaign(
  { tx, actor, idOf, now }: SampleContext,
  { key }: PlannedCampaign,
): Promise<SampleRecord[]> {
  await updateCampaign(tx, actor, idOf(key), { changes: { status: 'completed' } }, clockAt(now))
  return []
}
