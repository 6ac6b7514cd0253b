import { secondsLater } from '#platform/clock'
import { type Random, sampleLoader } from '#platform/module'
import type { LeadStatus } from '../people/lead-records/leads.rules.ts'
import type { PlannedCompany } from './company-plan.rules.ts'
import { demoRequest, pickSignal, type StoryActivity, sources, storyOf } from './lead-story.rules.ts'
import { type createPeople, type Person, type Place, toPhone } from './people.ts'

export type PlannedLead = {
  key: string
  person: Person
  phone: string | null
  company: PlannedCompany
  owner: string
  place: Place
  source: string
  sourceDetail: string
  /** Whether industry and size of the company are known. */
  isComplete: boolean
  status: LeadStatus
  isMql: boolean
  createdAt: Date
  activities: { at: Date; activity: StoryActivity }[]
}

/** Share of each status in 188 leads; all other leads are new. */
const statusCounts: [LeadStatus, number][] = [
  ['contacted', 54],
  ['working', 54],
  ['nurturing', 26],
  ['unqualified', 24],
  ['qualified', 14],
  ['converted', 16],
]
const allLeads = statusCounts.reduce((sum, [, count]) => sum + count, 0)

/** New leads wait for a first response. Two are late, because grade B has an hour; the others came within the last hour. */
const newShare = 0.06
const lateLeads = 2
const lateAges = [85 * 60, 66 * 60]
const newestAge = 3 * 60
const newLeadsPeriod = 52 * 60

const minute = 60
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
  let rest = (index * 173) % allLeads
  for (const [status, count] of statusCounts) {
    if (rest < count) return status
    rest -= count
  }
  return 'contacted'
}

export function planLeads(input: LeadPlanInput): PlannedLead[] {
  const { random, leadCount, activityCount } = input
  const newCount = Math.max(lateLeads, Math.round(leadCount * newShare))
  const establishedCount = Math.max(0, leadCount - newCount)
  const established = Array.from({ length: establishedCount }, (_, index) => planLead(input, index))
  giveShareToLoader(established)
  const newLeads = Array.from({ length: newCount }, (_, number) =>
    planNewLead(input, { index: establishedCount + number, number, count: newCount }),
  )
  const leads = [...established, ...newLeads]
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

/** Deals of converted leads belong to the owner of the lead, so the user who loads the data gets other leads. */
function giveShareToLoader(leads: readonly PlannedLead[]): void {
  for (const [index, lead] of leads.filter(({ status }) => status !== 'converted').entries())
    if (index % 10 === 4) lead.owner = sampleLoader
}

function planLead(input: LeadPlanInput, index: number): PlannedLead {
  const { random, now, accounts } = input
  const status = statusAt(index)
  const isInWork = status === 'working' || status === 'qualified'
  const isHot = isInWork && index % 4 === 2
  const company = status === 'converted' ? accounts[index % accounts.length]! : companyOf(input, index, isHot)
  const ageSeconds = isHot ? random.integer(4 * day, 12 * day) : ageOf(status, index, random)
  const createdAt = secondsLater(now, -ageSeconds)
  const { story, ...lead } = planPerson(input, { index, status, company, isHot })
  return {
    ...lead,
    ...(isHot && fittingFields(lead, 'VP Sales', random)),
    createdAt,
    isMql: index % 2 === 0 && ['working', 'nurturing'].includes(status),
    activities: schedule(story, { status, createdAt, ageSeconds, isLate: index % 23 === 7 }, random),
  }
}

/** Fit depends on the size of the company. */
function companyOf({ companies }: LeadPlanInput, index: number, hasGoodFit: boolean): PlannedCompany {
  const large = hasGoodFit ? companies.filter(({ employees }) => employees >= 100) : []
  const candidates = large.length ? large : companies
  return candidates[index % candidates.length]!
}

const fittingFields = (
  { company, person }: Pick<PlannedLead, 'company' | 'person'>,
  title: string,
  random: Random,
) => ({
  isComplete: true,
  phone: toPhone(company.place, random),
  person: { ...person, title },
})

type NewLeadPosition = { index: number; number: number; count: number }

/** The late ones have all that grade B requires. */
function planNewLead(input: LeadPlanInput, { index, number, count }: NewLeadPosition): PlannedLead {
  const { random, now } = input
  const isLate = number < lateLeads
  const company = companyOf(input, index, isLate)
  const interval = newLeadsPeriod / Math.max(1, count - lateLeads)
  const age = isLate ? lateAges[number]! : Math.round(newestAge + (count - number - 1) * interval)
  const createdAt = secondsLater(now, -age)
  const { story, ...lead } = planPerson(input, { index, status: 'new', company, isHot: false })
  return {
    ...lead,
    ...(isLate && fittingFields(lead, 'Head of Operations', random)),
    owner: number % 4 === 0 ? sampleLoader : company.owner,
    createdAt,
    isMql: false,
    activities: [{ activity: story[0]!, at: secondsLater(createdAt, minute) }],
  }
}

type LeadFacts = { index: number; status: LeadStatus; company: PlannedCompany; isHot: boolean }

function planPerson({ random, createPerson }: LeadPlanInput, { index, status, company, isHot }: LeadFacts) {
  const source = isHot ? demoRequest : random.pick(sources)
  const person = createPerson(company.domain)
  const topic = { company: company.name, industry: company.industry, firstName: person.first_name }
  return {
    key: `lead:${index + 1}`,
    person,
    company,
    owner: company.owner,
    status,
    phone: random.chance(0.7) ? toPhone(company.place, random) : null,
    place: company.place,
    isComplete: random.chance(0.65),
    source: source.key,
    sourceDetail: source.detail,
    story: storyOf({ status, topic, signal: source.signal, isLong: index % 2 === 0, isHot }, random),
  }
}

/** Leads in work are up to a quarter old, half of the converted ones up to two months, the others up to half a year. */
function ageOf(status: LeadStatus, index: number, random: Random): number {
  if (status === 'contacted') return random.integer(2 * day, 40 * day)
  if (status === 'working' || status === 'qualified') return random.integer(9 * day, 90 * day)
  if (status === 'converted' && index % 2) return random.integer(12 * day, 60 * day)
  return random.integer(40 * day, 180 * day)
}

type Timing = { status: LeadStatus; createdAt: Date; ageSeconds: number; isLate: boolean }

/** The first response comes within an hour, or too late; the rest days apart, for leads in work until a few days ago. */
function schedule(
  story: readonly StoryActivity[],
  { status, createdAt, ageSeconds, isLate }: Timing,
  random: Random,
): PlannedLead['activities'] {
  const response = 2 * minute + (isLate ? random.integer(9 * hour, 20 * hour) : random.integer(5 * minute, 45 * minute))
  const gaps = story.slice(2).map(() => random.integer(hour, 5 * day))
  const total = gaps.reduce((sum, gap) => sum + gap, 0)
  const isInWork = status === 'working' || status === 'qualified'
  const lastAge = ageSeconds * (status === 'converted' ? 0.6 : 0.9)
  const available = (isInWork ? ageSeconds - random.integer(2 * hour, 3 * day) : lastAge) - response
  const factor = isInWork ? available / total : Math.min(1, available / total)
  const offsets = [minute, response]
  for (const gap of gaps) offsets.push(offsets.at(-1)! + gap * factor)
  return story.map((activity, index) => ({ activity, at: secondsLater(createdAt, Math.round(offsets[index]!)) }))
}
