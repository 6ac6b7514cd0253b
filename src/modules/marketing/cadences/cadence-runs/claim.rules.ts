import type { ContactPermission } from '#modules/crm'
import { daysLater } from '#platform/clock'
import type { CadenceRow } from '../cadence-records/cadences.queries.ts'
import type { EnrollmentRow, ExitReason } from '../cadence-records/enrollments.queries.ts'
import type { RunRow } from '../cadence-records/runs.queries.ts'
import { nextRunTime, type RunTimes } from './plan.rules.ts'
import type { SentStep } from './run-times.service.ts'

export type RunDecision =
  | { type: 'claim' }
  | { type: 'move'; runAt: Date }
  /** The run is planned again when the enrollment or the cadence continues. */
  | { type: 'stop' }
  | { type: 'skip'; reason: string }
  | { type: 'exit'; reason: ExitReason }
  /** The sender is not active. */
  | { type: 'pause' }

type RunFacts = {
  run: Pick<RunRow, 'step_id'>
  enrollment: Pick<EnrollmentRow, 'status' | 'current_step_id'>
  cadence: Pick<CadenceRow, 'status' | 'exit_on'>
  isStepLive: boolean
  isSenderActive: boolean
  times: RunTimes
  now: Date
}

/** Decides what emails and tasks have in common. */
export function decideRun({ run, enrollment, cadence, isStepLive, isSenderActive, times, now }: RunFacts): RunDecision {
  if (cadence.status !== 'active' || enrollment.status !== 'active') return { type: 'stop' }
  if (!isStepLive || enrollment.current_step_id !== run.step_id) return { type: 'skip', reason: 'step_removed' }
  if (!isSenderActive) return { type: 'pause' }
  const runAt = nextRunTime(now, times)
  return runAt > now ? { type: 'move', runAt } : { type: 'claim' }
}

type EmailFacts = RunFacts & {
  run: Pick<RunRow, 'enrollment_id'>
  enrollment: Pick<EnrollmentRow, 'enrolled_via'>
  cadence: Pick<CadenceRow, 'reenroll_after_days'>
  permission: ContactPermission | undefined
  /** Steps whose emails were sent to the address of the person. */
  sentToAddress: readonly SentStep[]
}

/** Sample data sends nothing, so its emails are skipped. */
export function decideEmailRun(facts: EmailFacts): RunDecision {
  const decision = decideRun(facts)
  if (decision.type !== 'claim' && decision.type !== 'move') return decision
  if (facts.enrollment.enrolled_via === 'sample') return { type: 'skip', reason: 'sample_data' }
  const refusal = toRefusal(facts.permission, facts.cadence)
  if (refusal) return refusal
  return wasSentByOther(facts) ? { type: 'skip', reason: 'already_sent' } : decision
}

/** Two enrollments can have had the same email address, one after the other, because addresses are corrected. */
const wasSentByOther = ({ run, cadence: { reenroll_after_days: days }, sentToAddress, now }: EmailFacts): boolean =>
  sentToAddress.some(
    ({ step_id, enrollment_id, sent_at }) =>
      step_id === run.step_id &&
      enrollment_id !== run.enrollment_id &&
      (days === null || daysLater(sent_at, days) > now),
  )

/** A person without an email address goes on with the next step. */
export function toRefusal(
  permission: ContactPermission | undefined,
  { exit_on }: Pick<CadenceRow, 'exit_on'>,
): RunDecision | undefined {
  if (!permission) return { type: 'skip', reason: 'no_email' }
  if (permission.allowed) return undefined
  if (permission.code !== 'bounced') return { type: 'exit', reason: 'opted_out' }
  return exit_on.bounce ? { type: 'exit', reason: 'bounced' } : { type: 'skip', reason: 'bounced' }
}

/** Runs whose enrollment or step ends instead of being executed, for transactions of their own. */
export type OtherOutcome = { runId: string; enrollmentId: string; decision: EndDecision }
type EndDecision = Extract<RunDecision, { type: 'skip' | 'exit' | 'pause' }>

export const toOtherOutcome = ({
  run,
  decision,
}: {
  run: Pick<RunRow, 'id' | 'enrollment_id'>
  decision: RunDecision
}): OtherOutcome[] =>
  decision.type === 'exit' || decision.type === 'pause' || decision.type === 'skip'
    ? [{ runId: run.id, enrollmentId: run.enrollment_id, decision }]
    : []
