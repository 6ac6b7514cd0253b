import { completeTasks, createTasks, lockPersons, type NewTask } from '#modules/crm'
import { filterActiveUserIds } from '#modules/identity'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { type CadenceRow, findCadences, lockCadencesShared } from '../cadence-records/cadences.queries.ts'
import { type EnrollmentRow, listEnrollments, lockEnrollments } from '../cadence-records/enrollments.queries.ts'
import { listRuns, type RunRow } from '../cadence-records/runs.queries.ts'
import { listSteps, type StepRow } from '../cadence-records/steps.queries.ts'
import { decideRun, type OtherOutcome, type RunDecision, toOtherOutcome } from '../cadence-runs/claim.rules.ts'
import { lockWaitingRuns } from '../cadence-runs/due-runs.queries.ts'
import { finishRuns } from '../cadence-runs/finish-runs.service.ts'
import { storeRunDecisions } from '../cadence-runs/plan-runs.service.ts'
import { personIdOf, readRunContext } from '../cadence-runs/run-times.service.ts'
import { updateTaskRuns } from './step-tasks.queries.ts'

type Candidate = {
  run: RunRow
  enrollment: EnrollmentRow
  cadence: CadenceRow
  step: StepRow | undefined
  decision: RunDecision
}

/**
 * Writes the tasks of due calls, tasks and manual emails for their senders. Persons and activities are locked before enrollments, so a
 * task is written before its run is locked; if the run has changed by then, it is tried again.
 */
export async function createStepTasks(
  tx: TenantTx,
  services: Services,
  runIds: readonly string[],
): Promise<{ changed: number; others: OtherOutcome[] }> {
  const now = services.clock.now()
  const found = await listRuns(tx, runIds)
  const enrolled = await listEnrollments(
    tx,
    found.map(({ enrollment_id }) => enrollment_id),
  )
  const cadenceIds = [...new Set(found.map(({ cadence_id }) => cadence_id))]
  await lockPersons(tx, {
    leadIds: enrolled.flatMap(({ lead_id }) => lead_id ?? []),
    contactIds: enrolled.flatMap(({ contact_id }) => contact_id ?? []),
  })
  const planned = await decideRuns(tx, found, enrolled, await findCadences(tx, cadenceIds), now)
  const taskIds = await createTasks(tx, planned.filter(isClaimed).map(toTask(now)), now)

  const cadences = await lockCadencesShared(tx, cadenceIds)
  const enrollments = await lockEnrollments(
    tx,
    enrolled.map(({ id }) => id),
  )
  const runs = await lockWaitingRuns(
    tx,
    found.map(({ id }) => id),
  )
  const candidates = await decideRuns(tx, runs, enrollments, cadences, now)
  const claimed = candidates.filter(isClaimed).filter(({ run }) => taskIds.has(run.id))
  if (claimed.length < taskIds.size) throw new RunChangedError()
  return {
    changed: await storeTasks(tx, candidates, claimed, taskIds, now),
    others: candidates.flatMap(toOtherOutcome),
  }
}

/** Rolls back tasks of runs that have changed since they were read. */
export class RunChangedError extends Error {
  constructor() {
    super('A run of a cadence changed while its task was written.')
  }
}

async function decideRuns(
  tx: TenantTx,
  runs: readonly RunRow[],
  enrollments: readonly EnrollmentRow[],
  cadences: readonly CadenceRow[],
  now: Date,
): Promise<Candidate[]> {
  const [context, steps, active] = await Promise.all([
    readRunContext(tx, enrollments),
    listSteps(
      tx,
      cadences.map(({ id }) => id),
    ),
    filterActiveUserIds(
      tx,
      enrollments.flatMap(({ sender_id }) => sender_id ?? []),
    ),
  ])
  const enrollmentById = new Map(enrollments.map((enrollment) => [enrollment.id, enrollment]))
  const cadenceById = new Map(cadences.map((cadence) => [cadence.id, cadence]))
  const stepById = new Map(steps.map((step) => [step.id, step]))
  return runs.flatMap((run) => {
    const enrollment = enrollmentById.get(run.enrollment_id)
    const cadence = cadenceById.get(run.cadence_id)
    if (!enrollment || !cadence) return []
    const step = stepById.get(run.step_id)
    const decision = decideRun({
      run,
      enrollment,
      cadence,
      isStepLive: step !== undefined,
      isSenderActive: enrollment.sender_id !== null && active.has(enrollment.sender_id),
      times: context.timesOf(cadence, enrollment),
      now,
    })
    const person = context.persons.get(personIdOf(enrollment))
    return [{ run, enrollment, cadence, step, decision: withCallRule(decision, step, person?.may_be_called ?? false) }]
  })
}

const withCallRule = (decision: RunDecision, step: StepRow | undefined, mayBeCalled: boolean): RunDecision =>
  decision.type === 'claim' && step?.type === 'call' && !mayBeCalled
    ? { type: 'skip', reason: 'do_not_call' }
    : decision

const isClaimed = ({ decision }: Candidate): boolean => decision.type === 'claim'

const titles = { call: 'Call', task: 'Task', email_manual: 'Write an email', email_auto: 'Email' }

const toTask =
  (now: Date) =>
  ({ run, enrollment, cadence, step }: Candidate): NewTask => ({
    kind: enrollment.lead_id ? 'lead' : 'contact',
    id: personIdOf(enrollment),
    assignee_id: enrollment.sender_id!,
    subject: `${titles[step!.type]}: ${cadence.name}`.slice(0, 200),
    body: step!.instructions,
    due_at: now,
    external_id: run.id,
    meta: { cadence_id: cadence.id, step_id: step!.id, enrollment_id: enrollment.id, step_type: step!.type },
  })

async function storeTasks(
  tx: TenantTx,
  candidates: readonly Candidate[],
  claimed: readonly Candidate[],
  taskIds: ReadonlyMap<string, string>,
  now: Date,
): Promise<number> {
  await storeRunDecisions(tx, candidates, { claimed })
  await updateTaskRuns(
    tx,
    claimed.map(({ run, enrollment, step }) => ({
      id: run.id,
      activity_id: taskIds.get(run.id)!,
      task_user_id: enrollment.sender_id!,
      skip_at: step!.auto_skip_after_days === null ? null : daysLater(now, step!.auto_skip_after_days),
    })),
    now,
  )
  return candidates.length
}

/** Skips open tasks whose time is over. Activities are locked before runs. */
export async function skipOverdueTasks(tx: TenantTx, runIds: readonly string[], now: Date): Promise<number> {
  const runs = await listRuns(tx, runIds)
  const overdue = runs.filter(({ skip_at }) => skip_at !== null && skip_at <= now)
  await completeTasks(
    tx,
    overdue.flatMap(({ activity_id }) => activity_id ?? []),
    { outcome: 'skipped', at: now },
  )
  const ended = await finishRuns(
    tx,
    overdue.map(({ id }) => ({
      id,
      state: 'skipped',
      skip_reason: 'not_done_in_time',
      at: now,
      measure: 'tasks_skipped',
    })),
  )
  return ended.length
}
