import { isTaskOpen, type TaskStatus } from '#platform/tasks'

/** Increases `Retry-After` with the age of the task; finished tasks have none. */
export function pollingHeaders({ state, created_at }: TaskStatus, now: Date): { 'retry-after'?: string } {
  if (!isTaskOpen(state)) return {}
  const ageSeconds = (now.getTime() - created_at.getTime()) / 1_000
  if (ageSeconds < 10) return { 'retry-after': '1' }
  return { 'retry-after': ageSeconds < 60 ? '2' : '5' }
}
