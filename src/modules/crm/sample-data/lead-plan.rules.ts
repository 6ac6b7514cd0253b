import { secondsLater } from '#platform/clock'
import type { Random } from '#platform/module'
import type { LeadStatus } from '../lead-records/lead-status.rules.ts'
import type { PlannedCompany } from './company-plan.rules.ts'
import { pickSignal, type StoryActivity, sources, storyOf } from './lead-story.rules.ts'
import { type createPeople, type Person, type Place, toPhone } from './people.ts'

export type PlannedLead = {
  key: string
  person: Person
  phone: string | null
  company: PlannedCompany
  place: Place
  source: string
  sourceDetail: string
  /** Whether industry and size of the company are known. */
  isComplete: boolean
  status: LeadStatus
  createdAt: Date
  activities: { at: Date; activity: StoryActivity }[]
}

/** Share of each status in 200 leads. */
const statusCounts: [LeadStatus, number][] = [
  ['new', 45],
  ['contacted', 40],
  ['working', 35],
  ['nurturing', 25],
  ['unqualified', 25],
  ['qualified', 16],
  ['converted', 14],
]
const allLeads = statusCounts.reduce((sum, [, count]) => sum + count, 0)

const hour = 3_600
const day = 24 * hour

type LeadPlanInput = {
  random: Random
  now: Date
  createPerson: ReturnType<typeof createPeople>
  /** Converted leads work for companies that are accounts, the others do not. */
  accounts: readonly PlannedCompany[]
  companies: readonly PlannedCompany[]
  leadCount: number
  activityCount: number
}

/** Spreads the statuses evenly, so that a smaller plan has all of them. */
const statusAt = (index: number): LeadStatus => {
  let rest = (index * 123) % allLeads
  for (const [status, count] of statusCounts) {
    if (rest < count) return status
    rest -= count
  }
  return 'new'
}

export function planLeads(input: LeadPlanInput): PlannedLead[] {
  const { random, leadCount, activityCount } = input
  const leads = Array.from({ length: leadCount }, (_, index) => planLead(input, index))
  let planned = leads.reduce((sum, { activities }) => sum + activities.length, 0)
  for (let index = 0; planned < activityCount; index = (index + 7) % leads.length) {
    const lead = leads[index]!
    const [first, last] = [lead.activities[0]!.at, lead.activities.at(-1)!.at]
    const at = secondsLater(first, random.integer(60, Math.max(61, (last.getTime() - first.getTime()) / 1_000)))
    const earlier = lead.activities.filter((other) => other.at <= at)
    lead.activities = [...earlier, { at, activity: pickSignal(random) }, ...lead.activities.slice(earlier.length)]
    planned++
  }
  return leads
}

function planLead({ random, now, createPerson, accounts, companies }: LeadPlanInput, index: number): PlannedLead {
  const status = statusAt(index)
  const company = status === 'converted' ? accounts[index % accounts.length]! : companies[index % companies.length]!
  const source = random.pick(sources)
  const person = createPerson(company.domain)
  const topic = { company: company.name, industry: company.industry, firstName: person.first_name }
  const story = storyOf({ status, topic, signal: source.signal, isLong: index % 2 === 0 }, random)
  const ageSeconds = ageOf(status, random)
  const createdAt = secondsLater(now, -ageSeconds)
  return {
    key: `lead:${index + 1}`,
    person,
    company,
    status,
    createdAt,
    phone: random.chance(0.7) ? toPhone(company.place, random) : null,
    place: company.place,
    isComplete: random.chance(0.65),
    source: source.key,
    sourceDetail: source.detail,
    activities: schedule(story, createdAt, ageSeconds, random),
  }
}

/** New leads came within two weeks; the others are up to half a year old. */
function ageOf(status: LeadStatus, random: Random): number {
  if (status === 'new') return random.integer(2 * hour, 14 * day)
  if (status === 'contacted') return random.integer(3 * day, 45 * day)
  return random.integer(20 * day, 180 * day)
}

/** The first response comes within hours or a day, everything else days apart, and all before today. */
function schedule(story: readonly StoryActivity[], createdAt: Date, ageSeconds: number, random: Random) {
  let elapsed = 0
  const offsets = story.map((_, index) => {
    if (index === 1) elapsed += random.chance(0.7) ? random.integer(600, 4 * hour) : random.integer(5 * hour, 30 * hour)
    if (index > 1) elapsed += random.integer(hour, 5 * day)
    elapsed += 60
    return elapsed
  })
  const factor = Math.min(1, (ageSeconds * 0.9) / elapsed)
  return story.map((activity, index) => ({
    activity,
    at: secondsLater(createdAt, Math.round(offsets[index]! * factor)),
  }))
}
