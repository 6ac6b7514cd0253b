import { baseCurrencyOf } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { SampleRecord, Services } from '#platform/module'
import { currencyDigits, type Money, toMoney } from '#platform/money'
import { addDealContact } from '../deals/deal-contacts/deal-contacts.service.ts'
import { createOpportunity } from '../deals/opportunities/create-opportunity.service.ts'
import { getOpportunity } from '../deals/opportunities/opportunities.queries.ts'
import { updateOpportunity } from '../deals/opportunities/update-opportunity.service.ts'
import { listStages } from '../deals/pipelines/pipelines.queries.ts'
import { createAccount } from '../people/accounts/create-account.service.ts'
import { createContact } from '../people/contacts/create-contacts.service.ts'
import { lockLeads } from '../people/lead-records/leads.queries.ts'
import { createLead } from '../people/leads/create-leads.service.ts'
import { updateLead } from '../people/leads/update-lead.service.ts'
import { rescoreLeads } from '../people/scoring/rescore-leads.service.ts'
import { createActivity } from '../work/activities/activities.service.ts'
import { convertLead } from '../work/convert/convert-lead.service.ts'
import type { PlannedCompany, PlannedContact } from './company-plan.rules.ts'
import type { ConversionDeal } from './conversion-plan.rules.ts'
import type { DealMove, PlannedDeal } from './deal-plan.rules.ts'
import type { PlannedLead } from './lead-plan.rules.ts'
import type { PlannedTask } from './task-plan.rules.ts'

/** `clock` returns the time at which the record is supposed to be created. */
export type SampleServices = Pick<Services, 'clock' | 'secrets'>
export type SampleContext = { tx: TenantTx; actor: UserActor; idOf(key: string): string; services: SampleServices }

async function toBaseMoney(tx: TenantTx, amount: number): Promise<Money> {
  const currency = await baseCurrencyOf(tx)
  return toMoney(amount * 10 ** currencyDigits(currency), currency)
}

const toWebsite = (domain: string) => `https://www.${domain}`

export async function createSampleAccount(
  { tx, actor, idOf, services }: SampleContext,
  company: PlannedCompany,
): Promise<SampleRecord[]> {
  const { key, name, domain, industry, place, phone, street, employees, revenue, owner, type } = company
  const { city, country, postal_code, timezone } = place
  const input = {
    name,
    domain,
    industry,
    phone,
    timezone,
    type,
    website: toWebsite(domain),
    employee_count: employees,
    annual_revenue: await toBaseMoney(tx, revenue),
    address: { line1: street, postal_code, city, country },
    owner_id: idOf(owner),
  }
  const { id } = await createAccount(tx, actor, input, services)
  return [{ key, resource_type: 'account', id }]
}

export async function createSampleContact(
  { tx, actor, idOf, services }: SampleContext,
  { key, person, phone, company, source }: PlannedContact,
): Promise<SampleRecord[]> {
  const { city, country, timezone } = company.place
  const links = { account_id: idOf(company.key), owner_id: idOf(company.owner) }
  const { id } = await createContact(
    tx,
    actor,
    { ...person, ...links, phone, city, country, timezone, source },
    services,
  )
  return [{ key, resource_type: 'contact', id }]
}

export async function createSampleLead(context: SampleContext, lead: PlannedLead): Promise<SampleRecord[]> {
  const { tx, actor, idOf, services } = context
  const { key, person, phone, company, owner, place, source, sourceDetail, isComplete, activities } = lead
  const { city, country, timezone } = place
  const { department: _, ...columns } = person
  const input = {
    ...columns,
    phone,
    city,
    country,
    timezone,
    source,
    source_detail: sourceDetail,
    company: company.name,
    website: toWebsite(company.domain),
    ...(isComplete && { industry: company.industry, employee_count: company.employees }),
    owner_id: idOf(owner),
  }
  const { id } = await createLead(tx, actor, input, services)
  const logged = await createSampleActivities({ ...context, idOf: () => id }, { kind: 'lead', key, activities })
  return [{ key, resource_type: 'lead', id }, ...logged]
}

type SampleTimeline = { kind: 'lead' | 'opportunity'; key: string } & Pick<PlannedLead, 'activities'>

export async function createSampleActivities(
  { tx, actor, idOf, services }: SampleContext,
  { kind, key, activities }: SampleTimeline,
): Promise<SampleRecord[]> {
  const records: SampleRecord[] = []
  for (const [index, { at, activity }] of activities.entries()) {
    const past = { ...services, clock: { now: () => at } }
    const { id } = await createActivity(tx, actor, { kind, id: idOf(key) }, activity, past)
    records.push({ key: `${key}:activity:${index + 1}`, resource_type: 'activity', id })
  }
  return records
}

export async function createSampleTask(
  { tx, actor, idOf, services }: SampleContext,
  { key, parent: { kind, key: parent }, assignee, subject, dueAt }: PlannedTask,
): Promise<SampleRecord[]> {
  const task = { type: 'task' as const, subject, due_at: dueAt.toISOString(), assignee_id: idOf(assignee) }
  const { id } = await createActivity(tx, actor, { kind, id: idOf(parent) }, task, services)
  return [{ key, resource_type: 'activity', id }]
}

/** Sets the status and the stage that activities do not lead to. */
export async function closeSampleLead(
  { tx, actor, idOf, services }: SampleContext,
  { key, status, isMql }: PlannedLead,
): Promise<SampleRecord[]> {
  const changes = {
    ...(status !== 'working' && { status: status as 'nurturing' }),
    ...(status === 'unqualified' && { disqualify_reason: 'no_need' as const }),
    ...(isMql && { lifecycle_stage: 'mql' as const }),
  }
  await updateLead(tx, actor, idOf(key), { changes }, services)
  return []
}

type ConversionPlan = { lead: PlannedLead; deal: ConversionDeal | undefined }

export async function convertSampleLead(
  { tx, actor, idOf, services }: SampleContext,
  { lead, deal }: ConversionPlan,
): Promise<SampleRecord[]> {
  const opportunity = deal && {
    name: `${lead.company.name}: Sales platform pilot`,
    amount: await toBaseMoney(tx, deal.amount),
    close_on: deal.closeOn,
  }
  const request = { create_opportunity: deal !== undefined, ...(opportunity && { opportunity }) }
  const { created, ...records } = await convertLead(tx, actor, idOf(lead.key), request, services)
  return (['account', 'contact', 'opportunity'] as const).flatMap((type) =>
    created[type] ? [{ key: `${lead.key}:${type}`, resource_type: type, id: records[type]!.id }] : [],
  )
}

export async function createSampleDeal(
  { tx, actor, idOf, services }: SampleContext,
  { key, name, company, owner, contacts, amount, source, closeOn, nextStep }: PlannedDeal,
): Promise<SampleRecord[]> {
  const [primary] = contacts
  const input = {
    name,
    source,
    close_on: closeOn,
    next_step: nextStep,
    account_id: idOf(company.key),
    primary_contact_id: primary ? idOf(primary.key) : null,
    amount: await toBaseMoney(tx, amount),
    owner_id: idOf(owner),
  }
  const { id } = await createOpportunity(tx, actor, input, services)
  return [{ key, resource_type: 'opportunity', id }]
}

const contactRoles = ['decision_maker', 'champion', 'influencer'] as const

export async function addSampleDealContact(
  { tx, idOf, services }: SampleContext,
  { key, contacts }: PlannedDeal,
  index: number,
): Promise<SampleRecord[]> {
  const contact = { contact_id: idOf(contacts[index]!.key), role: contactRoles[index]! }
  await addDealContact(tx, idOf(key), contact, services.clock.now())
  return []
}

/** Uses the stages of the pipeline that the workspace has, whatever their keys are. */
export async function moveSampleDeal(
  { tx, actor, idOf, services }: SampleContext,
  key: string,
  { outcome, lost }: Pick<DealMove, 'outcome' | 'lost'>,
): Promise<SampleRecord[]> {
  const deal = await getOpportunity(tx, idOf(key))
  const stages = (await listStages(tx, deal.pipeline_id)).filter(({ is_active }) => is_active)
  const current = stages.findIndex((stage) => stage.key === deal.stage_key)
  const next = stages.find(({ kind }, index) => kind === outcome && (outcome !== 'open' || index > current))
  if (next) await updateOpportunity(tx, actor, deal.id, { changes: { stage_key: next.key, ...lost } }, services)
  return []
}

/** Sample activities lie in the past, so scores are as of then until this decays them. */
export async function refreshSampleScores(tx: TenantTx, leadIds: readonly string[], now: Date): Promise<void> {
  await rescoreLeads(tx, await lockLeads(tx, leadIds), { cause: 'decay', now })
}
