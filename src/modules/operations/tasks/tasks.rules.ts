import { isOpen, type TaskStatus } from '#platform/tasks'

/** The longer a task takes, the less often it is worth asking. Nothing once it has ended. */
export function whenToAskAgain({ state, created_at }: TaskStatus, now: Date): { 'retry-after'?: string } {
  if (!isOpen(state)) return {}
  const ageSeconds = (now.getTime() - created_at.getTime()) / 1_000
  if (ageSeconds < 10) return { 'retry-after': '1' }
  return { 'retry-after': ageSeconds < 60 ? '2' : '5' }
}
