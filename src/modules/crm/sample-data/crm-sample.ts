import { daysLater, secondsLater } from '#platform/clock'
import type { Random, SampleData, SampleRecord, SampleStep, Services } from '#platform/module'
import { planCompanies, planContacts } from './company-plan.rules.ts'
import {
  addSampleDealContact,
  closeSampleLead,
  convertSampleLead,
  createSampleAccount,
  createSampleActivities,
  createSampleContact,
  createSampleDeal,
  createSampleLead,
  moveSampleDeal,
  type SampleContext,
  type SampleServices,
} from './create-sample.service.ts'
import { amountOf, type PlannedDeal, planDeals } from './deal-plan.rules.ts'
import { type PlannedLead, planLeads } from './lead-plan.rules.ts'
import { createPeople } from './people.ts'
import { removeSampleRecords } from './remove-sample.service.ts'

const counts = { accounts: 40, contacts: 150, leads: 200, activities: 600, deals: 60, companies: 120 }

export const crmSample = (services: Pick<Services, 'secrets'>): SampleData => ({
  name: 'crm',
  plan({ random, now, scale }) {
    const plan = planRecords(random, now, scale)
    const at = (time: Date, author: string, work: (context: SampleContext) => Promise<SampleRecord[]>): SampleStep => {
      const past: SampleServices = { ...services, clock: { now: () => time } }
      return { author, run: (tx, actor, idOf) => work({ tx, actor, idOf, services: past }) }
    }
    return [
      ...plan.accounts.map((account) => at(account.createdAt, account.owner, (to) => createSampleAccount(to, account))),
      ...plan.contacts.map((contact) =>
        at(contact.createdAt, contact.company.owner, (to) => createSampleContact(to, contact)),
      ),
      ...plan.deals.flatMap((deal) => dealSteps(deal, at)),
      ...plan.leads.flatMap((lead) => leadSteps(lead, plan.conversionDeals.get(lead), at)),
      ...[...plan.conversionDeals.keys()].map((lead) =>
        at(decisionTimeOf(lead), lead.company.owner, (to) =>
          moveSampleDeal(to, `${lead.key}:opportunity`, { outcome: 'open' }),
        ),
      ),
    ]
  },
  remove: removeSampleRecords,
})

function planRecords(random: Random, now: Date, scale: number) {
  const scaled = (count: number) => Math.max(1, Math.round(count * scale))
  const createPerson = createPeople(random)
  const accounts = planCompanies(random, now, 0, scaled(counts.accounts))
  const companies = planCompanies(random, now, accounts.length, scaled(counts.companies))
  const leads = planLeads({
    random,
    now,
    createPerson,
    accounts,
    companies,
    leadCount: scaled(counts.leads),
    activityCount: scaled(counts.activities),
  })
  const converted = leads.filter(({ status }) => status === 'converted')
  const conversionDeals = new Map(
    converted
      .filter((_, index) => index % 2 === 0)
      .map((lead) => [
        lead,
        {
          amount: amountOf(lead.company, 'pilot', random),
          closeOn: daysLater(now, random.integer(10, 80)).toISOString().slice(0, 10),
        },
      ]),
  )
  const contactCount = Math.max(1, scaled(counts.contacts) - converted.length)
  const contacts = planContacts({ random, createPerson, accounts, count: contactCount })
  const deals = planDeals({
    random,
    now,
    contacts,
    accounts,
    count: Math.max(1, scaled(counts.deals) - conversionDeals.size),
  })
  return { accounts, contacts, leads, deals, conversionDeals }
}

type StepAt = (time: Date, author: string, work: (context: SampleContext) => Promise<SampleRecord[]>) => SampleStep

function dealSteps(deal: PlannedDeal, at: StepAt): SampleStep[] {
  const { createdAt, company, contacts, moves } = deal
  return [
    at(createdAt, company.owner, (to) => createSampleDeal(to, deal)),
    ...contacts.map((_, index) =>
      at(secondsLater(createdAt, 600), company.owner, (to) => addSampleDealContact(to, deal, index)),
    ),
    ...moves.map((move) => at(move.at, company.owner, (to) => moveSampleDeal(to, deal.key, move))),
  ]
}

const decisionTimeOf = ({ activities }: PlannedLead) => secondsLater(activities.at(-1)!.at, 900)

function leadSteps(lead: PlannedLead, deal: { amount: number; closeOn: string } | undefined, at: StepAt): SampleStep[] {
  const { status, createdAt, company } = lead
  const decidedAt = decisionTimeOf(lead)
  const steps = [
    at(createdAt, company.owner, (to) => createSampleLead(to, lead)),
    at(createdAt, company.owner, (to) => createSampleActivities(to, lead)),
  ]
  if (status === 'converted') steps.push(at(decidedAt, company.owner, (to) => convertSampleLead(to, { lead, deal })))
  else if (['nurturing', 'qualified', 'unqualified'].includes(status))
    steps.push(at(decidedAt, company.owner, (to) => closeSampleLead(to, lead)))
  return steps
}
