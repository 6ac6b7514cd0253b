import { secondsLater } from '#platform/clock'
import type { Random, SampleData, SampleRecord, SampleStep, Services } from '#platform/module'
import { planCompanies, planContacts } from './company-plan.rules.ts'
import { type ConversionDeal, decisionTimeOf, planConversionDeals } from './conversion-plan.rules.ts'
import {
  addSampleDealContact,
  closeSampleLead,
  convertSampleLead,
  createSampleAccount,
  createSampleActivities,
  createSampleContact,
  createSampleDeal,
  createSampleLead,
  createSampleTask,
  moveSampleDeal,
  type SampleContext,
  type SampleServices,
} from './create-sample.service.ts'
import { type PlannedDeal, planDeals } from './deal-plan.rules.ts'
import { planHotAccount } from './hot-account.rules.ts'
import { type PlannedLead, planLeads } from './lead-plan.rules.ts'
import { createPeople } from './people.ts'
import { removeSampleRecords } from './remove-sample.service.ts'
import { planTasks } from './task-plan.rules.ts'

const counts = { accounts: 40, contacts: 150, leads: 200, activities: 720, deals: 60, companies: 120 }

const scaledBy = (scale: number) => (count: number) => Math.max(1, Math.round(count * scale))

/** Keys of the sample leads, oldest first except for the new ones at the end. */
export const sampleLeadKeys = (scale: number): string[] =>
  Array.from({ length: scaledBy(scale)(counts.leads) }, (_, index) => `lead:${index + 1}`)

export const crmSample = (services: Pick<Services, 'secrets'>): SampleData => ({
  name: 'crm',
  plan({ random, now, scale }) {
    const plan = planRecords(random, now, scale)
    const at = (time: Date, author: string, work: (context: SampleContext) => Promise<SampleRecord[]>): SampleStep => {
      const past: SampleServices = { ...services, clock: { now: () => time } }
      return { author, run: (tx, actor, idOf) => work({ tx, actor, idOf, services: past }) }
    }
    const { hotAccount } = plan
    return [
      ...[hotAccount.company, ...plan.accounts].map((account) =>
        at(account.createdAt, account.owner, (to) => createSampleAccount(to, account)),
      ),
      ...[...hotAccount.contacts, ...plan.contacts].map((contact) =>
        at(contact.createdAt, contact.company.owner, (to) => createSampleContact(to, contact)),
      ),
      ...[hotAccount.deal, ...plan.deals].flatMap((deal) => dealSteps(deal, at)),
      at(hotAccount.deal.createdAt, hotAccount.deal.owner, (to) =>
        createSampleActivities(to, { kind: 'opportunity', ...hotAccount.deal, activities: hotAccount.activities }),
      ),
      ...plan.leads.flatMap((lead) => leadSteps(lead, plan.conversionDeals.get(lead), at)),
      ...plan.tasks.map((task) => at(task.createdAt, task.assignee, (to) => createSampleTask(to, task))),
    ]
  },
  remove: removeSampleRecords,
})

function planRecords(random: Random, now: Date, scale: number) {
  const scaled = scaledBy(scale)
  const hotAccount = planHotAccount(now)
  const createPerson = createPeople(random)
  const accounts = planCompanies(random, now, 0, Math.max(2, scaled(counts.accounts) - 1))
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
  const conversionDeals = planConversionDeals(random, now, converted)
  const contactCount = Math.max(1, scaled(counts.contacts) - converted.length)
  const contacts = planContacts({ random, createPerson, accounts, count: contactCount })
  const deals = planDeals({
    random,
    now,
    contacts,
    accounts,
    count: Math.max(1, scaled(counts.deals) - conversionDeals.size - 1),
  })
  const tasks = planTasks({ random, now, hotDeal: hotAccount.deal, leads, deals })
  return { hotAccount, accounts, contacts, leads, deals, conversionDeals, tasks }
}

type StepAt = (time: Date, author: string, work: (context: SampleContext) => Promise<SampleRecord[]>) => SampleStep

function dealSteps(deal: PlannedDeal, at: StepAt): SampleStep[] {
  const { createdAt, owner, contacts, moves } = deal
  return [
    at(createdAt, owner, (to) => createSampleDeal(to, deal)),
    ...contacts.map((_, index) =>
      at(secondsLater(createdAt, 600), owner, (to) => addSampleDealContact(to, deal, index)),
    ),
    ...moves.map((move) => at(move.at, owner, (to) => moveSampleDeal(to, deal.key, move))),
  ]
}

function leadSteps(lead: PlannedLead, deal: ConversionDeal | undefined, at: StepAt): SampleStep[] {
  const { key, status, createdAt, owner, isMql } = lead
  const decidedAt = decisionTimeOf(lead)
  const steps = [at(createdAt, owner, (to) => createSampleLead(to, lead))]
  if (status === 'converted') steps.push(at(decidedAt, owner, (to) => convertSampleLead(to, { lead, deal })))
  else if (isMql || ['nurturing', 'qualified', 'unqualified'].includes(status))
    steps.push(at(decidedAt, owner, (to) => closeSampleLead(to, lead)))
  const moves = deal?.moves ?? []
  return [...steps, ...moves.map((move) => at(move.at, owner, (to) => moveSampleDeal(to, `${key}:opportunity`, move)))]
}
