import { secondsLater } from '#platform/clock'

export const jobStatuses = ['queued', 'running', 'succeeded', 'partial', 'no_match', 'failed', 'skipped'] as const
export type JobStatus = (typeof jobStatuses)[number]

export const skipReasons = [
  'quota_exceeded',
  'nothing_to_look_up',
  'processing_restricted',
  'disabled',
  'deleted',
  'converted',
  'erased',
  'cancelled',
] as const
export type SkipReason = (typeof skipReasons)[number]

export const lookupOutcomes = ['matched', 'no_match', 'error', 'quota_exceeded', 'not_applicable'] as const

/** One provider call in the log of a job. Contains names of fields, never values. */
export type LogEntry = {
  provider: string
  outcome: (typeof lookupOutcomes)[number]
  error: string | null
  ms: number
  fields: string[]
  invalid_fields: string[]
  credits: number
}

export type JobOutcome = { status: Exclude<JobStatus, 'queued' | 'running'>; reason: SkipReason | null }

/** `requested` are the fields that were missing; `suggested` counts values that a user must decide on. */
export function outcomeOf(requested: readonly string[], log: readonly LogEntry[], suggested: number): JobOutcome {
  const found = new Set(foundFieldsOf(log))
  const foundCount = requested.filter((field) => found.has(field)).length
  const hit = (outcome: LogEntry['outcome']) => log.some((entry) => entry.outcome === outcome)
  const reason = hit('quota_exceeded') ? 'quota_exceeded' : null
  if (requested.length && foundCount === requested.length) return { status: 'succeeded', reason: null }
  if (hit('error') && !hasAnswer(log)) return { status: 'failed', reason }
  if (foundCount || suggested) return { status: 'partial', reason }
  return { status: reason ? 'skipped' : 'no_match', reason }
}

export const foundFieldsOf = (log: readonly LogEntry[]): string[] => [...new Set(log.flatMap(({ fields }) => fields))]

const hasAnswer = (log: readonly LogEntry[]): boolean => answersIn(log).some(({ provider }) => provider !== 'offline')

const isAnswer = ({ outcome }: LogEntry): boolean => outcome === 'matched' || outcome === 'no_match'

/** Entries that a later attempt keeps: providers that answered are not asked again. */
export const answersIn = (log: readonly LogEntry[]): LogEntry[] => log.filter(isAnswer)

export const creditsIn = (log: readonly LogEntry[]): number => log.reduce((sum, { credits }) => sum + credits, 0)

/** Only if no external provider found anything: a repeated call would be charged again. */
export const needsRetry = (log: readonly LogEntry[]): boolean =>
  log.some(({ outcome }) => outcome === 'error') &&
  !log.some(({ provider, outcome }) => provider !== 'offline' && outcome === 'matched')

const retryMinutes = [1, 5, 25]

/** Returns undefined after the last retry. */
export function retryAt(attemptsBefore: number, now: Date): Date | undefined {
  const minutes = retryMinutes[attemptsBefore]
  return minutes === undefined ? undefined : secondsLater(now, minutes * 60)
}

/** Longer than all providers of a job may take. */
export const claimSeconds = 300
export const maxRunningJobs = 4

export type NextDispatch = { queued_at: Date | null; claimed_at: Date | null; running: number }

/** While all slots are taken, the worker that has them starts the next jobs, unless it ends and its claims expire. */
export function nextDispatchAt({ queued_at, claimed_at, running }: NextDispatch, earliest: Date): Date | undefined {
  const times = [
    running < maxRunningJobs ? queued_at : null,
    claimed_at && secondsLater(claimed_at, claimSeconds + 1),
  ].filter((time) => time !== null)
  return times.length ? new Date(Math.max(earliest.getTime(), Math.min(...times.map(Number)))) : undefined
}
