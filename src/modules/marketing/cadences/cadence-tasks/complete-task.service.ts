import { completeTasks, lockPersons, logActivity } from '#modules/crm'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { conflict, invalid, notFound, roleRequired } from '#platform/errors'
import type { Services } from '#platform/module'
import { addCounts } from '../cadence-records/add-counts.queries.ts'
import { isOpenTask } from '../cadence-records/enrollment-states.rules.ts'
import { type EnrollmentRow, listEnrollments } from '../cadence-records/enrollments.queries.ts'
import type { RunRow } from '../cadence-records/runs.queries.ts'
import { listStepsById, type StepRow } from '../cadence-records/steps.queries.ts'
import { updateNextRuns } from '../cadence-runs/due-runs.queries.ts'
import { finishLockedRuns } from '../cadence-runs/finish-runs.service.ts'
import { lockRunsWithParents } from '../cadence-runs/lock-runs.service.ts'
import { personIdOf } from '../cadence-runs/run-times.service.ts'
import { findRunOfTask, updateWrittenEmail } from './step-tasks.queries.ts'
import type { StepTaskResult, TaskCompletion } from './step-tasks.schemas.ts'

type Target = { run: RunRow; enrollment: EnrollmentRow; step: StepRow }

/** Completes the task, logs a call, and sends the text of a manual email or continues with the next step. */
export async function completeCadenceTask(
  tx: TenantTx,
  actor: UserActor,
  activityId: string,
  { outcome = null, body = null, sent_subject, sent_body }: TaskCompletion,
  services: Services,
): Promise<StepTaskResult> {
  const target = await getOpenTask(tx, actor, activityId)
  const { run, enrollment, step } = target
  assertText(step, { sent_subject, sent_body })
  const now = services.clock.now()
  await lockPersonOf(tx, enrollment)
  if (step.type === 'call') await logCall(tx, actor, target, { outcome, body }, services)
  await completeTasks(tx, [activityId], { outcome, body, at: now })

  const locked = await lockRunsWithParents(tx, [run.id])
  assertCompletable(actor, locked.runs[0], activityId)
  if (sent_subject !== undefined && sent_body !== undefined) {
    await updateWrittenEmail(tx, run.id, { subject: sent_subject, body: sent_body, run_at: now })
    await updateNextRuns(tx, [{ id: enrollment.id, next_run_at: now }])
    return { activity_id: activityId, enrollment_id: enrollment.id, state: 'waiting' }
  }
  const { counts } = await finishLockedRuns(tx, locked, [{ id: run.id, state: 'done', at: now, measure: 'tasks_done' }])
  await addCounts(tx, counts)
  return { activity_id: activityId, enrollment_id: enrollment.id, state: 'done' }
}

export async function skipCadenceTask(
  tx: TenantTx,
  actor: UserActor,
  activityId: string,
  { clock }: Pick<Services, 'clock'>,
): Promise<StepTaskResult> {
  const { run, enrollment } = await getOpenTask(tx, actor, activityId)
  const now = clock.now()
  await lockPersonOf(tx, enrollment)
  await completeTasks(tx, [activityId], { outcome: 'skipped', at: now })

  const locked = await lockRunsWithParents(tx, [run.id])
  assertCompletable(actor, locked.runs[0], activityId)
  const skipped = { id: run.id, state: 'skipped', skip_reason: 'skipped_by_user', at: now } as const
  const { counts } = await finishLockedRuns(tx, locked, [{ ...skipped, measure: 'tasks_skipped' }])
  await addCounts(tx, counts)
  return { activity_id: activityId, enrollment_id: enrollment.id, state: 'skipped' }
}

async function getOpenTask(tx: TenantTx, actor: UserActor, activityId: string): Promise<Target> {
  const run = await findRunOfTask(tx, activityId)
  if (!run) throw notFound('task')
  const [[enrollment], [step]] = await Promise.all([
    listEnrollments(tx, [run.enrollment_id]),
    listStepsById(tx, [run.step_id]),
  ])
  assertCompletable(actor, run, activityId)
  return { run, enrollment: enrollment!, step: step! }
}

/** Checked again when the run is locked, because the task can be completed or given to another user until then. */
function assertCompletable({ role, userId }: UserActor, run: RunRow | undefined, activityId: string): void {
  if (!run || !isOpenTask(run) || run.activity_id !== activityId)
    throw conflict('conflict', 'The task is already completed or skipped.')
  if (!isManagerOrAdmin(role) && run.task_user_id !== userId)
    throw roleRequired('Only managers and the assignee can complete or skip the task.')
}

type SentText = Pick<TaskCompletion, 'sent_subject' | 'sent_body'>

function assertText({ type }: StepRow, { sent_subject, sent_body }: SentText): void {
  const message = (field: string, rule: string) => `\`${field}\` ${rule}.`
  for (const [field, value, other] of [
    ['sent_subject', sent_subject, sent_body],
    ['sent_body', sent_body, sent_subject],
  ] as const) {
    if (value !== undefined && type !== 'email_manual')
      throw invalid('body', `/${field}`, 'unexpected', message(field, 'must not be sent for a call or another task'))
    if (value === undefined && other !== undefined)
      throw invalid('body', `/${field}`, 'required', message(field, 'is required with the other text of the email'))
  }
}

const lockPersonOf = (tx: TenantTx, { lead_id, contact_id }: EnrollmentRow) =>
  lockPersons(tx, { leadIds: lead_id ? [lead_id] : [], contactIds: contact_id ? [contact_id] : [] })

async function logCall(
  tx: TenantTx,
  actor: UserActor,
  { run, enrollment }: Target,
  { outcome, body }: { outcome: string | null; body: string | null },
  services: Services,
): Promise<void> {
  const kind = enrollment.lead_id ? 'lead' : 'contact'
  const call = { type: 'call' as const, outcome, body, source: 'cadence' as const, external_id: `call:${run.id}` }
  await logActivity(tx, actor, { kind, id: personIdOf(enrollment) }, call, services)
}
