import type { Random } from '#platform/module'
import type { LeadStatus } from '../people/lead-records/leads.rules.ts'
import type { NewActivity } from '../work/activities/activities.schemas.ts'

export type StoryActivity = Omit<NewActivity, 'occurred_at' | 'due_at' | 'assignee_id'>
export type LeadTopic = { company: string; industry: string; firstName: string }

type Source = { key: string; detail: string; signal: StoryActivity }

export const demoRequest: Source = {
  key: 'website',
  detail: 'Demo request',
  signal: { type: 'form_submitted', subject: 'Requested a product demo' },
}

export const sources: readonly Source[] = [
  demoRequest,
  {
    key: 'content_download',
    detail: "Buyer's guide",
    signal: { type: 'content_viewed', subject: "Downloaded the buyer's guide" },
  },
  {
    key: 'webinar',
    detail: 'Pipeline reviews that work',
    signal: { type: 'event_attended', subject: 'Attended the webinar "Pipeline reviews that work"' },
  },
  {
    key: 'paid_search',
    detail: 'Brand campaign',
    signal: { type: 'page_viewed', subject: 'Visited the pricing page' },
  },
  {
    key: 'trade_show',
    detail: 'Booth visit',
    signal: { type: 'event_attended', subject: 'Visited our booth at the trade show' },
  },
  { key: 'referral', detail: 'Customer referral', signal: { type: 'note', subject: 'Referred by a customer' } },
]

const signals: readonly StoryActivity[] = [
  { type: 'page_viewed', subject: 'Visited the pricing page' },
  { type: 'page_viewed', subject: 'Visited the integrations page' },
  { type: 'email_opened', subject: 'Opened "Introduction and next steps"' },
  { type: 'email_clicked', subject: 'Clicked the link to the case study' },
  { type: 'content_viewed', subject: 'Viewed the product tour' },
]
export const pickSignal = (random: Random): StoryActivity => random.pick(signals)

const attempt = (random: Random): StoryActivity => ({
  type: 'call',
  subject: 'First call',
  duration_seconds: random.integer(20, 60),
  outcome: random.pick(['no_answer', 'voicemail']),
})

const introduction = ({ firstName, company }: LeadTopic): StoryActivity => ({
  type: 'email',
  direction: 'out',
  subject: 'Introduction and next steps',
  body: `Hi ${firstName},\n\nthank you for your interest. I would like to learn how ${company} manages its customers today. Do you have 20 minutes this week?`,
})

const reply: StoryActivity = {
  type: 'email_replied',
  subject: 'Re: Introduction and next steps',
  body: 'Happy to talk. Thursday afternoon works for me.',
}

const discovery = (random: Random): StoryActivity => ({
  type: 'call',
  outcome: 'connected',
  subject: 'Discovery call',
  duration_seconds: random.integer(600, 1_800),
  body: random.pick([
    'They track deals in spreadsheets and want one system before the end of the quarter.',
    'Three teams use different tools. Reporting takes two days every month.',
    'Their contract with the current vendor ends in autumn. Price matters less than migration.',
  ]),
})

const demo = ({ firstName }: LeadTopic): StoryActivity => ({
  type: 'meeting',
  outcome: 'held',
  subject: `Product demo with ${firstName}`,
  duration_seconds: 2_700,
})

const postponed: StoryActivity = { type: 'note', subject: 'Budget is planned for next year. Stay in touch.' }
const rejected: StoryActivity = { type: 'note', subject: 'No fit at the moment' }

type Story = { status: LeadStatus; signal: StoryActivity; topic: LeadTopic; isLong: boolean; isHot: boolean }

/** Returns what happened with a lead before it reached its status, in order. */
export function storyOf({ status, signal, topic, isLong, isHot }: Story, random: Random): StoryActivity[] {
  const start = [signal, introduction(topic)]
  if (status === 'new') return [signal]
  if (status === 'contacted') return isLong ? [signal, attempt(random), introduction(topic)] : start
  if (status === 'unqualified') return [...start, rejected]
  if (status === 'nurturing') return [...start, discovery(random), postponed]
  if (status === 'working' && !isHot) return isLong ? [...start, reply, discovery(random)] : [...start, reply]
  return [...start, reply, discovery(random), demo(topic)]
}
