import type { RunRow } from './runs.queries.ts'

export const enrollmentStatuses = ['active', 'paused', 'completed', 'exited'] as const
export type EnrollmentStatus = (typeof enrollmentStatuses)[number]

export const isLiveEnrollment = ({ status }: { status: EnrollmentStatus }): boolean =>
  status === 'active' || status === 'paused'

export const exitReasons = [
  'replied',
  'meeting_booked',
  'converted',
  'opted_out',
  'bounced',
  'disqualified',
  'removed',
  'deleted',
  'erased',
  'archived',
  'merged',
] as const
export type ExitReason = (typeof exitReasons)[number]

export const pauseReasons = [
  'manual',
  'auto_reply',
  'missing_variable',
  'send_failed',
  'uncertain',
  'sender_deactivated',
] as const
export type PauseReason = (typeof pauseReasons)[number]

/**
 * Counts of a step and, summed, of its cadence, all of them of runs: `sent` are emails in the state `done`. Delivered emails are those
 * sent that did not bounce.
 */
export type StepMeasure = 'sent' | 'opened' | 'clicked' | 'replied' | 'bounced' | 'tasks_done' | 'tasks_skipped'

/** Counts of a whole cadence, which have its id as the step. There are also `exited_` with each reason. */
export type EnrollmentMeasure = 'enrolled' | 'completed' | 'exited' | 'persons_delivered' | 'persons_replied'

export type Counts = Partial<Record<string, number>>

/** Every enrollment is live, completed or exited. */
export const countLive = ({ enrolled = 0, completed = 0, exited = 0 }: Counts): number => enrolled - completed - exited

export const isOpenTask = ({ state, task_user_id }: RunRow): boolean => state === 'claimed' && task_user_id !== null

export const isOpenTaskOf = (run: RunRow, userId: string): boolean => isOpenTask(run) && run.task_user_id === userId
