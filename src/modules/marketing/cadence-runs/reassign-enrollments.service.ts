import { lockPersons, reassignTasks } from '#modules/crm'
import { recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { addCounts } from '../cadence-records/add-counts.queries.ts'
import { lockCadencesShared } from '../cadence-records/cadences.queries.ts'
import { emitEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { isLiveEnrollment } from '../cadence-records/enrollment-states.rules.ts'
import {
  type EnrollmentRow,
  listCadenceIds,
  listEnrollments,
  lockEnrollments,
} from '../cadence-records/enrollments.queries.ts'
import { endRuns, listRunsOfEnrollments, lockRuns, type RunRow } from '../cadence-records/runs.queries.ts'
import { cadenceResumed, cadenceSenderChanged } from '../marketing.events.ts'
import { planEnrollments } from './plan-runs.service.ts'
import { deleteWrittenEmails, updateSender, updateTaskUser } from './sender-enrollments.queries.ts'

const isTaskOf = ({ state, task_user_id }: RunRow, { sender_id }: EnrollmentRow): boolean =>
  state === 'claimed' && task_user_id !== null && (sender_id === null || task_user_id === sender_id)

/**
 * Gives live enrollments and the open tasks of their senders to another sender, and plans their next step again. Those that were paused
 * because their sender was not active continue; text that the former sender wrote is not sent. Returns the changed ones.
 */
export async function reassignEnrollments(
  tx: TenantTx,
  ids: readonly string[],
  { senderId, now }: { senderId: string; now: Date },
): Promise<EnrollmentRow[]> {
  const taskIds = await reassignOpenTasks(tx, ids, senderId)
  const cadences = await lockCadencesShared(tx, await listCadenceIds(tx, ids))
  const locked = (await lockEnrollments(tx, ids)).filter((one) => isLiveEnrollment(one) && one.sender_id !== senderId)
  const { enrollments, runs } = await lockUnexecutedRuns(tx, locked, taskIds)
  if (!enrollments.length) return []

  await updateSender(tx, idsOf(enrollments), senderId)
  await updateTaskUser(
    tx,
    idsOf(runs.filter(({ activity_id }) => activity_id !== null && taskIds.has(activity_id))),
    senderId,
  )
  await endRuns(
    tx,
    runs.filter(({ state }) => state === 'waiting').map(({ id }) => ({ id, state: 'skipped', skip_reason: 'paused' })),
  )
  await deleteWrittenEmails(tx, idsOf(runs.filter(({ state, subject }) => state !== 'claimed' && subject !== null)))
  const changed = enrollments.map((one) => ({ ...one, sender_id: senderId }))
  const resumed = changed.filter(({ paused_reason }) => paused_reason === 'sender_deactivated')
  const active = changed.filter(({ status }) => status === 'active')
  const counts = await planEnrollments(tx, cadences, [...active, ...resumed], { now })
  await recordAuditEntries(
    tx,
    'cadence.sender_changed',
    cadences.flatMap(({ id, name }) => {
      const own = enrollments.filter(({ cadence_id }) => cadence_id === id)
      const before = { sender_ids: [...new Set(own.map(({ sender_id }) => sender_id))] }
      return own.length ? [{ id, label: name, before, after: { sender_id: senderId, enrollment_ids: idsOf(own) } }] : []
    }),
  )
  await emitEnrollments(tx, cadenceSenderChanged, changed, { sender_id: senderId })
  await emitEnrollments(tx, cadenceResumed, resumed)
  await addCounts(tx, counts)
  return changed
}

/** Locks the persons first, as the creation of tasks does, so that none of their tasks is missed. */
async function reassignOpenTasks(tx: TenantTx, ids: readonly string[], senderId: string): Promise<Set<string>> {
  const found = (await listEnrollments(tx, ids)).filter((one) => isLiveEnrollment(one) && one.sender_id !== senderId)
  await lockPersons(tx, {
    leadIds: found.flatMap(({ lead_id }) => lead_id ?? []),
    contactIds: found.flatMap(({ contact_id }) => contact_id ?? []),
  })
  const enrollmentById = new Map(found.map((one) => [one.id, one]))
  const runs = await listRunsOfEnrollments(tx, [...enrollmentById.keys()])
  const tasks = runs.filter((run) => isTaskOf(run, enrollmentById.get(run.enrollment_id)!))
  const taskIds = new Set(tasks.flatMap(({ activity_id }) => activity_id ?? []))
  await reassignTasks(tx, [...taskIds], senderId)
  return taskIds
}

/** Leaves out enrollments that were given to another person and got a task since the persons were locked. */
async function lockUnexecutedRuns(
  tx: TenantTx,
  enrollments: readonly EnrollmentRow[],
  taskIds: ReadonlySet<string>,
): Promise<{ enrollments: EnrollmentRow[]; runs: RunRow[] }> {
  const isUnexecuted = ({ state, subject }: RunRow) => state === 'waiting' || state === 'claimed' || subject !== null
  const found = (await listRunsOfEnrollments(tx, idsOf(enrollments))).filter(isUnexecuted)
  const runs = await lockRuns(tx, idsOf(found))
  const enrollmentById = new Map(enrollments.map((one) => [one.id, one]))
  const missed = new Set(
    runs
      .filter((run) => isTaskOf(run, enrollmentById.get(run.enrollment_id)!) && !taskIds.has(run.activity_id!))
      .map(({ enrollment_id }) => enrollment_id),
  )
  return {
    enrollments: enrollments.filter(({ id }) => !missed.has(id)),
    runs: runs.filter(({ enrollment_id }) => !missed.has(enrollment_id)),
  }
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)
