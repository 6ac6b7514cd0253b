import type { NewExpert } from '../records/experts.schemas.ts'
import type { Priority } from '../requests/requests.schemas.ts'

type SampleExpert = { user: string } & Pick<NewExpert, 'topics' | 'headline' | 'bio' | 'languages' | 'max_open'>

export const sampleExperts: readonly SampleExpert[] = [
  {
    user: 'user:5',
    topics: ['pricing', 'discounts'],
    headline: 'Prices, discounts and terms of payment',
    bio: 'Has written the price list and knows its exceptions.',
    languages: ['en', 'de'],
    max_open: 6,
  },
  {
    user: 'user:6',
    topics: ['security'],
    headline: 'Security questionnaires and data protection',
    bio: 'Answers questionnaires of banks and hospitals.',
    languages: ['en'],
    max_open: 6,
  },
  {
    user: 'user:8',
    topics: ['integrations'],
    headline: 'Interfaces to ERP and marketing tools',
    bio: null,
    languages: ['en', 'fr'],
    max_open: 6,
  },
  {
    user: 'user:9',
    topics: ['competition'],
    headline: 'Comparison with Northwind and others',
    bio: 'Collects what buyers say about other vendors.',
    languages: ['en'],
    max_open: 6,
  },
  { user: 'user:10', topics: ['legal'], headline: 'Contracts and terms', bio: null, languages: ['de'], max_open: 6 },
]

export type SampleRequest = {
  topic: string
  subject: string
  body: string
  priority?: Priority
  /** Undefined is the user who loads the data. */
  author?: string
  daysAgo: number
  outcome: 'open' | 'assigned' | 'late' | 'in_progress' | 'answered' | 'closed' | 'cancelled'
  answer?: string
  rating?: number
}

const ask = (
  topic: string,
  author: string | undefined,
  daysAgo: number,
  subject: string,
  rest: Pick<SampleRequest, 'outcome'> & Partial<SampleRequest>,
): SampleRequest => ({ topic, ...(author && { author }), daysAgo, subject, body: `${subject} Who can help?`, ...rest })

export const sampleRequests: readonly SampleRequest[] = [
  ask('pricing', 'user:7', 60, 'Which discount can we offer for three years?', {
    outcome: 'closed',
    answer: 'Up to 12 % for three years, paid yearly. More needs the approval of finance.',
    rating: 5,
  }),
  ask('pricing', 'user:8', 45, 'Is there a price for non-profit organisations?', {
    outcome: 'closed',
    answer: 'Yes, 30 % off the list price. Ask for the proof of status first.',
    rating: 4,
  }),
  ask('security', 'user:5', 52, 'Where is customer data stored?', {
    outcome: 'closed',
    answer: 'In two data centres in the region the customer chooses. Backups stay in the same region.',
    rating: 5,
  }),
  ask('security', undefined, 38, 'Do we have a current penetration test report?', {
    outcome: 'closed',
    answer: 'Yes, from this spring. Send it under a non-disclosure agreement only.',
    rating: 5,
  }),
  ask('integrations', 'user:6', 33, 'Can we write back to the ERP of the buyer?', {
    outcome: 'closed',
    answer: 'Orders yes, master data no. The partner Initech has done it twice.',
    rating: 3,
  }),
  ask('competition', 'user:7', 29, 'Northwind claims to be live in a week. True?', {
    outcome: 'closed',
    answer: 'For one team without data import. Ask the buyer about imports and rights.',
    rating: 5,
  }),
  ask('competition', 'user:5', 24, 'How do we compare on reporting?', {
    outcome: 'closed',
    answer: 'We win on forecasts, they win on ready-made dashboards.',
  }),
  ask('legal', undefined, 20, 'Can the buyer use its own data processing agreement?', {
    outcome: 'closed',
    answer: 'From 100 seats on. Legal needs five working days.',
    rating: 4,
  }),
  ask('pricing', undefined, 6, 'What does an extra sandbox cost?', {
    outcome: 'answered',
    answer: 'Nothing for the first one, then 5 % of the yearly price each.',
  }),
  ask('security', 'user:8', 5, 'Do we support single sign-on with two providers?', {
    outcome: 'answered',
    answer: 'Yes, one per email domain.',
  }),
  ask('integrations', undefined, 4, 'Is there a connector for the webshop of Globex?', {
    outcome: 'answered',
    answer: 'Not a finished one. The web hooks cover what they need.',
    rating: 5,
  }),
  ask('legal', 'user:6', 3, 'Which law applies to contracts in Switzerland?', {
    outcome: 'answered',
    answer: 'Swiss law, with the annex for Switzerland.',
  }),
  ask('competition', undefined, 2, 'Who has won a deal against Contoso?', { outcome: 'in_progress', priority: 'high' }),
  ask('integrations', 'user:7', 2, 'How many API calls per hour are allowed?', { outcome: 'in_progress' }),
  ask('pricing', 'user:9', 1, 'Can we quote in Swiss francs?', { outcome: 'assigned', priority: 'low' }),
  ask('security', undefined, 0, 'Is there a list of subprocessors?', { outcome: 'assigned', priority: 'high' }),
  ask('legal', 'user:7', 8, 'May we name Initech as a reference?', { outcome: 'late', priority: 'urgent' }),
  ask('competition', 'user:8', 9, 'What is new in the release of Northwind?', { outcome: 'late', priority: 'high' }),
  ask('pricing', 'user:6', 12, 'Is the old price list still valid?', { outcome: 'cancelled' }),
  ask('accessibility', undefined, 1, 'Do we have a statement on accessibility?', { outcome: 'open' }),
]
