import type { Schemas } from '../../api/client.ts'
import type { OpenTask } from '../../patterns/tasks/change-task.ts'
import { dayNumberOf } from '../../ui/time-zone.ts'

export type CadenceTask = Schemas['CadenceTask']

/** A task of the user. One of a cadence is in both lists. */
export type TaskRow = {
  id: string
  dueAt: string | null
  kind: 'task' | 'call' | 'email_manual'
  subject: string | null
  record: { type: OpenTask['record']['type']; id: string; name: string | null }
  activity?: OpenTask
  cadence?: CadenceTask
}

/** Holds what was read of a list by due time, and whether more follows. */
export type ReadList<Item> = { items: readonly Item[]; hasMore: boolean }

/** One row per activity by due time, without the rows that could come after unread ones. */
export function joinTasks(activities: ReadList<OpenTask>, ofCadences: ReadList<CadenceTask>): TaskRow[] {
  const byActivity = new Map(ofCadences.items.map((task) => [task.activity_id, task]))
  const known = new Set(activities.items.map(({ id }) => id))
  const rows = [
    ...activities.items.map((activity) => toRow(activity, byActivity.get(activity.id))),
    ...ofCadences.items.filter(({ activity_id }) => !known.has(activity_id)).map(toCadenceRow),
  ]
  const end = Math.min(
    endOf(activities, ({ due_at }) => due_at),
    endOf(ofCadences, ({ due_at }) => due_at),
  )
  return rows
    .filter(({ dueAt }) => timeOf(dueAt) <= end)
    .toSorted((one, other) => timeOf(one.dueAt) - timeOf(other.dueAt) || (one.id < other.id ? -1 : 1))
}

const toRow = (activity: OpenTask, cadence: CadenceTask | undefined): TaskRow => ({
  id: activity.id,
  dueAt: activity.due_at,
  kind: cadence?.type ?? 'task',
  subject: activity.subject,
  record: activity.record,
  activity,
  cadence,
})

const toCadenceRow = (cadence: CadenceTask): TaskRow => ({
  id: cadence.activity_id,
  dueAt: cadence.due_at,
  kind: cadence.type,
  subject: null,
  record: cadence.record,
  cadence,
})

/** Without a due time a task comes after all others. */
const timeOf = (dueAt: string | null): number => (dueAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(dueAt))

function endOf<Item>({ items, hasMore }: ReadList<Item>, dueOf: (item: Item) => string | null): number {
  const last = items.at(-1)
  return hasMore && last ? timeOf(dueOf(last)) : Number.POSITIVE_INFINITY
}

export const groupKeys = ['late', 'today', 'tomorrow', 'later', 'undated'] as const
export type GroupKey = (typeof groupKeys)[number]

export function groupOf({ dueAt }: Pick<TaskRow, 'dueAt'>, now: number): GroupKey {
  if (dueAt === null) return 'undated'
  const at = Date.parse(dueAt)
  if (at < now) return 'late'
  const days = dayNumberOf(at) - dayNumberOf(now)
  if (days === 0) return 'today'
  return days === 1 ? 'tomorrow' : 'later'
}

/** The groups that have rows, in their order. */
export function groupTasks(rows: readonly TaskRow[], now: number): { key: GroupKey; rows: TaskRow[] }[] {
  const groups = Map.groupBy(rows, (row) => groupOf(row, now))
  return groupKeys.flatMap((key) => {
    const ofGroup = groups.get(key)
    return ofGroup ? [{ key, rows: ofGroup }] : []
  })
}
