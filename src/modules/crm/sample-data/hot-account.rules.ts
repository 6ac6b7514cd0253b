import { daysLater } from '#platform/clock'
import { sampleLoader } from '#platform/module'
import type { PlannedCompany, PlannedContact } from './company-plan.rules.ts'
import type { PlannedDeal } from './deal-plan.rules.ts'
import type { StoryActivity } from './lead-story.rules.ts'
import { london } from './people.ts'

export type HotAccount = {
  company: PlannedCompany
  contacts: PlannedContact[]
  deal: PlannedDeal
  activities: { activity: StoryActivity; at: Date }[]
}

const people = [
  { key: 'contact:griffin', first_name: 'Paul', last_name: 'Griffin', title: 'CFO', department: 'Finance' },
  { key: 'contact:marshall', first_name: 'Robert', last_name: 'Marshall', title: 'Head of IT', department: 'IT' },
  {
    key: 'contact:fontaine',
    first_name: 'Julia',
    last_name: 'Fontaine',
    title: 'General Counsel',
    department: 'Legal',
  },
] as const

const story: { activity: StoryActivity; daysAgo: number }[] = [
  {
    activity: {
      type: 'call',
      subject: 'Discovery call with Paul Griffin',
      outcome: 'connected',
      duration_seconds: 1_500,
      body: 'Four subsidiaries use four tools. The group wants one contract before the end of the quarter.',
    },
    daysAgo: 40,
  },
  {
    activity: { type: 'meeting', subject: 'Product demo for finance and IT', outcome: 'held', duration_seconds: 3_600 },
    daysAgo: 27,
  },
  {
    activity: {
      type: 'email',
      direction: 'in',
      subject: 'Security questionnaire',
      body: 'Our IT team has reviewed your answers. Two questions about backups are open.',
    },
    daysAgo: 12,
  },
  {
    activity: {
      type: 'meeting',
      subject: 'Contract review with Julia Fontaine',
      outcome: 'held',
      duration_seconds: 2_700,
      body: 'Liability and the notice period are settled. Legal sends the last comments this week.',
    },
    daysAgo: 2,
  },
]

/** The account with the largest open deal of the user who loads the data. A room of the enablement sample belongs to it. */
export function planHotAccount(now: Date): HotAccount {
  const company: PlannedCompany = {
    key: 'account:falconridge',
    name: 'Falconridge Capital',
    domain: 'falconridge.example',
    industry: 'Financial services',
    place: london,
    phone: `${london.phone}812`,
    street: '48 Bridge Street',
    employees: 2_400,
    revenue: 410_000_000,
    owner: sampleLoader,
    type: 'prospect',
    createdAt: daysLater(now, -58),
  }
  const contacts = people.map(
    ({ key, ...person }, index): PlannedContact => ({
      key,
      company,
      person: { ...person, email: `${person.first_name}.${person.last_name}@${company.domain}`.toLowerCase() },
      phone: `${london.phone}81${index + 3}`,
      source: 'referral',
      createdAt: daysLater(now, -56 + index * 6),
    }),
  )
  return {
    company,
    contacts,
    deal: {
      key: 'opportunity:falconridge',
      name: 'Group contract',
      company,
      owner: sampleLoader,
      contacts,
      amount: 184_000,
      source: 'referral',
      createdAt: daysLater(now, -42),
      closeOn: daysLater(now, 16).toISOString().slice(0, 10),
      nextStep: 'Last comments of the legal department',
      moves: [-35, -24, -9].map((days) => ({ at: daysLater(now, days), outcome: 'open' })),
    },
    activities: story.map(({ activity, daysAgo }) => ({ activity, at: daysLater(now, -daysAgo) })),
  }
}
