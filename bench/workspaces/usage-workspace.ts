import { startNewWorkspace } from './new-workspace.ts'

export const eventsPerBatch = 1_000

/** Starts PostgreSQL and the API with one workspace whose manager sends events. */
export const startUsageWorkspace = () => startNewWorkspace('usage')

const names = ['signed_in', 'page_viewed', 'project_created', 'task_completed', 'report_exported', 'invite_sent']

/** Events of `people` people over `days` days, the same for the same number. */
export function usageEventAt(n: number, { people, days, now }: { people: number; days: number; now: number }) {
  const person = (n * 7_919) % people
  return {
    event_id: `event-${n}`,
    name: names[(n * 31) % names.length]!,
    user_ref: `user-${person}`,
    account_ref: `team-${person % Math.ceil(people / 5)}`,
    occurred_at: new Date(now - 60_000 - ((n * 104_729) % (days * 86_400_000))).toISOString(),
    properties: { plan: 'team', seats: n % 50 },
  }
}
