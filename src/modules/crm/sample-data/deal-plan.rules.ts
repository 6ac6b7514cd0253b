import { daysLater } from '#platform/clock'
import { type Random, sampleLoader } from '#platform/module'
import { type PlannedCompany, type PlannedContact, timeDaysBefore } from './company-plan.rules.ts'

export type DealOutcome = 'open' | 'won' | 'lost'
export type DealMove = { at: Date; outcome: DealOutcome; lost?: { lost_reason: LostReason; lost_detail: string } }
type LostReason = 'price' | 'competitor' | 'no_decision' | 'timing' | 'feature_gap'

export type PlannedDeal = {
  key: string
  name: string
  company: PlannedCompany
  owner: string
  contacts: readonly PlannedContact[]
  amount: number
  source: string
  createdAt: Date
  closeOn: string
  nextStep: string | null
  /** Moves to the next open stage, then to won or lost. */
  moves: DealMove[]
}

const products = ['Sales platform', 'Marketing automation', 'Customer portal', 'Analytics package'] as const
const projects = ['rollout', 'pilot', 'expansion', 'renewal'] as const
const nextSteps = [
  'Send the revised proposal',
  'Demo for the finance team',
  'Security questionnaire',
  'Call with the decision maker',
  'Legal review of the contract',
] as const
const losses: DealMove['lost'][] = [
  { lost_reason: 'price', lost_detail: 'The offer of another vendor was about 20 % lower.' },
  { lost_reason: 'competitor', lost_detail: 'They extended the contract with their current vendor.' },
  { lost_reason: 'no_decision', lost_detail: 'The project was stopped after a reorganisation.' },
  { lost_reason: 'timing', lost_detail: 'Postponed to next year.' },
  { lost_reason: 'feature_gap', lost_detail: 'They need an on-premises installation.' },
]

/** Makes three of ten deals won and three lost. */
const outcomes: readonly DealOutcome[] = ['won', 'open', 'open', 'lost', 'won', 'open', 'lost', 'open', 'won', 'lost']

/** Makes seven of the deals belong to the user who loads the data: three open, two won and two lost. */
const isDealOfLoader = (index: number): boolean => index % 7 === 4 && index < 49

/** Makes a quarter of the open deals overdue. */
const isOverdueDeal = (index: number): boolean => index % 10 === 2

type DealPlanInput = {
  random: Random
  now: Date
  contacts: readonly PlannedContact[]
  accounts: readonly PlannedCompany[]
  count: number
}

export const planDeals = (input: DealPlanInput): PlannedDeal[] =>
  Array.from({ length: input.count }, (_, index) => planDeal(input, index))

function planDeal({ random, now, contacts, accounts }: DealPlanInput, index: number): PlannedDeal {
  const company = accounts[index % accounts.length]!
  const outcome = outcomes[index % outcomes.length]!
  const project = random.pick(projects)
  const ageDays = outcome === 'open' ? random.integer(6, 90) : random.integer(60, 290)
  const createdAt = timeDaysBefore(now, ageDays, random)
  const moves = planMoves(random, outcome, createdAt, ageDays)
  const daysToClose = isOverdueDeal(index) ? random.integer(-12, -2) : random.integer(4, 110)
  const plannedClose = outcome === 'open' ? daysLater(now, daysToClose) : moves.at(-1)!.at
  return {
    key: `opportunity:${index + 1}`,
    name: `${company.name}: ${random.pick(products)} ${project}`,
    company,
    owner: isDealOfLoader(index) ? sampleLoader : company.owner,
    contacts: contacts.filter((contact) => contact.company === company).slice(0, random.integer(1, 3)),
    amount: amountOf(company, project, random),
    source: random.pick(['website', 'referral', 'webinar', 'trade_show']),
    createdAt,
    moves,
    closeOn: plannedClose.toISOString().slice(0, 10),
    nextStep: outcome === 'open' ? random.pick(nextSteps) : null,
  }
}

/** Licences for a part of the employees, at a price per year; a pilot is small, a renewal is the whole contract. */
export function amountOf({ employees }: PlannedCompany, project: (typeof projects)[number], random: Random): number {
  const share = { rollout: 0.25, pilot: 0.05, expansion: 0.1, renewal: 0.2 }[project]
  const seats = Math.max(10, Math.round(employees * share))
  return Math.round((seats * random.integer(320, 480)) / 500) * 500
}

export function planMoves(random: Random, outcome: DealOutcome, createdAt: Date, ageDays: number): DealMove[] {
  const openMoves = outcome === 'won' ? 3 : random.integer(0, 3)
  const count = openMoves + (outcome === 'open' ? 0 : 1)
  const span = outcome === 'open' ? ageDays - 2 : Math.min(ageDays - 5, random.integer(30, 110))
  return Array.from({ length: count }, (_, index): DealMove => {
    const at = daysLater(createdAt, Math.max(1, (span * (index + 1)) / count))
    if (outcome === 'open' || index < openMoves) return { at, outcome: 'open' }
    return outcome === 'won' ? { at, outcome } : { at, outcome, lost: random.pick(losses) }
  })
}
