import { secondsLater } from '#platform/clock'
import { type Random, sampleLoader } from '#platform/module'
import type { PlannedDeal } from './deal-plan.rules.ts'
import type { PlannedLead } from './lead-plan.rules.ts'

export type PlannedTask = {
  key: string
  parent: { kind: 'lead' | 'opportunity'; key: string }
  assignee: string
  subject: string
  createdAt: Date
  dueAt: Date
}

const hour = 3_600
const day = 24 * hour

const dealTasks = [
  'Prepare the offer',
  'Confirm the date of the decision',
  'Book the demo',
  'Send a reference',
] as const

type TaskPlanInput = {
  random: Random
  now: Date
  hotDeal: PlannedDeal
  leads: readonly PlannedLead[]
  deals: readonly PlannedDeal[]
}

/** Six tasks of the user who loads the data: two overdue, two within hours, two later. Colleagues have some of their own. */
export function planTasks({ random, now, hotDeal, leads, deals }: TaskPlanInput): PlannedTask[] {
  const isOfLoader = ({ owner }: { owner: string }) => owner === sampleLoader
  const isOpen = ({ moves }: PlannedDeal) => moves.every(({ outcome }) => outcome === 'open')
  const openDeals = deals.filter(isOpen)
  const ownDeal =
    openDeals.filter(isOfLoader).sort((one, other) => (one.closeOn < other.closeOn ? -1 : 1))[0] ?? hotDeal
  const ownLead = leads.findLast((lead) => isOfLoader(lead) && lead.status === 'new') ?? leads.at(-1)!
  const task = (parent: PlannedTask['parent'], subject: string, createdAgo: number, dueIn: number) => ({
    parent,
    subject,
    assignee: sampleLoader,
    createdAt: secondsLater(now, -createdAgo),
    dueAt: secondsLater(now, dueIn),
  })
  const [hot, own] = [hotDeal, ownDeal].map(({ key }) => ({ kind: 'opportunity' as const, key })) as [Parent, Parent]
  const tasks = [
    task(hot, 'Send the revised contract to Julia Fontaine', 4 * day, -20 * hour),
    task(own, 'Call about the missed close date', 6 * day, -2 * day),
    task({ kind: 'lead', key: ownLead.key }, 'First call', 2 * 60, hour),
    task(hot, 'Answer the questions of IT about backups', 3 * day, 3 * hour),
    task(hot, 'Meeting with Paul Griffin about the payment plan', day, 2 * day),
    task(own, 'Prepare the offer', day, 6 * day),
    ...openDeals
      .filter((deal) => !isOfLoader(deal))
      .map(({ key, owner }) => ({
        ...task({ kind: 'opportunity', key }, random.pick(dealTasks), 5 * day, random.integer(-2 * day, 12 * day)),
        assignee: owner,
      })),
  ]
  return tasks.map((planned, index) => ({ key: `task:${index + 1}`, ...planned }))
}

type Parent = PlannedTask['parent']
