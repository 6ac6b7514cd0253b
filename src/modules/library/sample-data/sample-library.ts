import { sampleLoader } from '#platform/module'
import type { ContentType } from '../content/content.schemas.ts'
import type { SampleFileName } from '../sample-files/sample-files.ts'

export type SampleContent = {
  key: string
  title: string
  type: ContentType
  category: string
  description: string
  body: string
  url?: string
  file?: SampleFileName
  tags: string[]
  stages: string[]
  author: string
  createdDaysAgo: number
  isDraft?: true
}

const content = (
  number: number,
  type: ContentType,
  category: string,
  [title, description, body]: [title: string, description: string, body: string],
  more: Partial<SampleContent> = {},
): SampleContent => ({
  key: `content:${number}`,
  type,
  category,
  title,
  description,
  body,
  tags: [category],
  stages: [],
  author: 'user:1',
  createdDaysAgo: 120 - number * 5,
  ...more,
})

export const sampleLibrary: readonly SampleContent[] = [
  content(1, 'one_pager', 'product', [
    'Product overview',
    'What the product does, on one page.',
    '# Product overview\n\nOne place for leads, deals and content.\n\n- Live in two weeks\n- No change of your CRM process\n- Data stays in the EU',
  ]),
  content(
    2,
    'battlecard',
    'competition',
    [
      'Battlecard: Northwind CRM',
      'How to win against Northwind.',
      '## When you hear Northwind\n\n**They say:** cheapest per seat.\n**We say:** compare the price with setup and integrations, which they charge separately.\n\n## Ask\n\n1. How long did the last rollout take?\n2. Who maintains the reports?',
    ],
    { author: 'user:2', tags: ['northwind', 'objections'] },
  ),
  content(
    3,
    'battlecard',
    'competition',
    [
      'Battlecard: spreadsheets',
      'How to win against doing nothing.',
      '## The status quo\n\nTeams lose about four hours per seller and week to copying data. Ask who checks the numbers before the board meeting.',
    ],
    { author: 'user:3', tags: ['status-quo'] },
  ),
  content(
    4,
    'case_study',
    'customers',
    [
      'Case study: logistics company, 1,200 employees',
      'Forecast within 4 % after two quarters.',
      '# Forecast within 4 %\n\n**Problem:** three regions with three spreadsheets.\n**Solution:** one pipeline with shared stages.\n**Result:** forecast within 4 %, 30 % less time for reports.',
    ],
    { tags: ['logistics', 'forecast'], stages: ['proposal'], file: 'caseStudy' },
  ),
  content(
    5,
    'case_study',
    'customers',
    [
      'Case study: medical devices',
      'Sales cycle 21 days shorter.',
      '# 21 days faster\n\nThe team shared every document in a deal room and saw which buyer read the contract.',
    ],
    { tags: ['healthcare'], stages: ['proposal'] },
  ),
  content(
    6,
    'case_study',
    'customers',
    [
      'Case study: software company, 200 employees',
      'Twice as many qualified meetings.',
      '# Twice as many meetings\n\nScoring and round-robin assignment cut the response time from 9 hours to 20 minutes.',
    ],
    { tags: ['software', 'scoring'], stages: ['discovery'] },
  ),
  content(
    7,
    'document',
    'pricing',
    [
      'Pricing and packaging guide',
      'Plans, discounts and approval limits.',
      '# Pricing\n\n| Plan | Per seat and month |\n|---|---|\n| Team | 39 |\n| Business | 69 |\n| Enterprise | on request |\n\nDiscounts above 15 % need the approval of a manager.',
    ],
    { author: 'user:2', stages: ['proposal', 'negotiation'] },
  ),
  content(
    8,
    'document',
    'security',
    [
      'Security paper',
      'Hosting, access, encryption, backups and audits. Answers most security questionnaires.',
      '# Security\n\n- Encryption in transit and at rest\n- Data centers in Frankfurt and Dublin\n- Penetration test every year\n- Backups every night, restored as a test every quarter',
    ],
    { stages: ['negotiation'], file: 'securityPaper' },
  ),
  content(
    9,
    'document',
    'onboarding',
    [
      'Onboarding plan: first 30 days',
      'Milestones for new customers.',
      '# First 30 days\n\n1. Kick-off and import of accounts\n2. Pipeline workshop\n3. Training of sellers\n4. First forecast call with live data',
    ],
    { author: 'user:4', file: 'onboardingPlan' },
  ),
  content(
    10,
    'playbook',
    'sales',
    [
      'Discovery call playbook',
      'Questions and next steps for the first call.',
      '# Discovery\n\n- What made you look now?\n- What happens if nothing changes?\n- Who else is affected?\n\nClose every call with a date for the next one.',
    ],
    { author: 'user:3', stages: ['discovery'] },
  ),
  content(
    11,
    'playbook',
    'sales',
    [
      'Renewal playbook',
      'Start 120 days before the renewal.',
      '# Renewal\n\nDay 120: usage review. Day 90: value summary. Day 60: proposal. Day 30: signature.',
    ],
    { author: 'user:4' },
  ),
  content(
    12,
    'email_template',
    'outreach',
    [
      'Email: follow-up after a demo',
      'Three sentences and one question.',
      'Hello {{first_name}},\n\nthank you for your time today. You asked how the import works: two files and ten minutes.\n\nWould Tuesday or Thursday suit you for the technical session?',
    ],
    { author: 'user:5', stages: ['evaluation'] },
  ),
  content(
    13,
    'email_template',
    'outreach',
    [
      'Email: first contact after a download',
      'Refers to what the person has read.',
      'Hello {{first_name}},\n\nyou read our guide to forecasting. Most teams of your size ask about shared stages first. Is that true for you?',
    ],
    { author: 'user:8' },
  ),
  content(14, 'link', 'product', ['Product tour', 'Interactive tour without sign-in.', 'Five minutes, no sign-in.'], {
    url: 'https://example.com/tour',
  }),
  content(
    15,
    'template',
    'proposal',
    [
      'Proposal template',
      'Structure of a proposal with a mutual plan.',
      '# Proposal\n\n1. Goals in the words of the customer\n2. Solution\n3. Price\n4. Plan with dates and owners',
    ],
    { author: 'user:2', stages: ['proposal'] },
  ),
  content(16, 'one_pager', 'product', [
    'Integrations at a glance',
    'Supported systems and what is synchronized.',
    '# Integrations\n\nCalendar, mail, telephony and data warehouse. Each synchronizes in both directions unless noted.',
  ]),
  content(
    17,
    'document',
    'product',
    [
      'Roadmap, next two quarters',
      'For customers under a confidentiality agreement.',
      '# Roadmap\n\nThis is a draft. Dates can change.',
    ],
    { isDraft: true },
  ),
  content(
    18,
    'document',
    'proposal',
    [
      'Proposal: group contract',
      'Scope, rollout in twelve weeks, prices and the return in the first year.',
      '# Group contract\n\nPlanning and reporting for three regions, 240 users, 36 months.',
    ],
    { author: sampleLoader, stages: ['proposal', 'negotiation'], file: 'proposal' },
  ),
  content(
    19,
    'document',
    'legal',
    [
      'Contract draft: group contract',
      'Master service agreement, second draft with open points.',
      '# Master service agreement\n\nSecond draft. Open points: interfaces and liability.',
    ],
    { author: sampleLoader, stages: ['negotiation'], file: 'contract' },
  ),
  content(
    20,
    'video',
    'product',
    [
      'Demo for finance',
      'Month end, planning, approvals and reports, without a word of technology.',
      'For the chief financial officer and controllers.',
    ],
    {
      author: 'user:5',
      tags: ['demo', 'finance'],
      stages: ['evaluation'],
      url: 'https://example.com/demo',
      file: 'demo',
    },
  ),
  content(
    21,
    'one_pager',
    'security',
    [
      'Architecture at a glance',
      'How the service connects to sign-on, ledger and data warehouse.',
      'Sites, interfaces and backups in one diagram.',
    ],
    { author: 'user:4', tags: ['architecture', 'security'], stages: ['evaluation'], file: 'architecture' },
  ),
]

export const fileOfContent = (number: number): SampleFileName | undefined =>
  sampleLibrary.find(({ key }) => key === `content:${number}`)?.file

export const sampleCollections = [
  {
    key: 'collection:1',
    name: 'First meeting kit',
    description: 'For the first call with a new account.',
    items: [1, 14, 10, 6],
  },
  {
    key: 'collection:2',
    name: 'Proposal kit',
    description: 'From the proposal to the signature.',
    items: [18, 19, 15, 7, 8, 4, 5],
  },
  { key: 'collection:3', name: 'Competition', description: 'Battlecards by competitor.', items: [2, 3] },
] as const
