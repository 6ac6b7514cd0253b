import type { Schemas } from '../../api/client.ts'
import { dayNumberOf } from '../../ui/time-zone.ts'
import type { Home, HomeTask } from './home-queries.ts'

export type NextUpItem =
  | { kind: 'lead'; id: string; dueAt: string | null; lead: Schemas['LeadSummary'] }
  | { kind: 'task'; id: string; dueAt: string | null; task: HomeTask }

const maxItems = 8

/** One queue of leads that wait for a first response and of open tasks: what is due first comes first. */
export function listNextUp({ leads, tasks }: Pick<Home, 'leads' | 'tasks'>): NextUpItem[] {
  const items: NextUpItem[] = [
    ...(leads?.items ?? []).map((lead) => ({ kind: 'lead' as const, id: lead.id, dueAt: lead.sla_due_at, lead })),
    ...(tasks?.items ?? []).map((task) => ({ kind: 'task' as const, id: task.id, dueAt: task.due_at, task })),
  ]
  return items.sort((one, other) => timeOf(one) - timeOf(other)).slice(0, maxItems)
}

/** Without a due time an item comes after all others; leads of the same time before tasks. */
const timeOf = ({ dueAt }: NextUpItem): number => (dueAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(dueAt))

const paths: Readonly<Record<HomeTask['record']['type'], string>> = {
  lead: '/leads',
  contact: '/contacts',
  account: '/accounts',
  opportunity: '/deals',
}

/** The address of the record. */
export function pathOf(item: NextUpItem): string {
  const { type, id } = item.kind === 'lead' ? { type: 'lead' as const, id: item.lead.id } : item.task.record
  return `${paths[type]}/${id}`
}

/** The state of the lead list with the call form of a lead. */
export const callSearch = (id: string) => ({ open: id, compose: 'call' as const })

export type Urgency = 'late' | 'soon' | 'today' | 'later'

const soonMs = 60 * 60_000

/** The urgency of an item. A first response is urgent in its last hour. */
export function urgencyOf({ kind, dueAt }: Pick<NextUpItem, 'kind' | 'dueAt'>, now: number): Urgency {
  if (dueAt === null) return 'later'
  const left = Date.parse(dueAt) - now
  if (left < 0) return 'late'
  if (kind === 'lead' && left < soonMs) return 'soon'
  return daysUntil(dueAt, now) === 0 ? 'today' : 'later'
}

export const daysUntil = (at: string, now: number): number => dayNumberOf(Date.parse(at)) - dayNumberOf(now)
