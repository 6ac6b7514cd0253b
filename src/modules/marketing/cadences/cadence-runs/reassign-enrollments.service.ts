import { lockPersons, reassignTasks } from '#modules/crm'
import { filterActiveUserIds } from '#modules/identity'
import { recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { cadenceResumed, cadenceSenderChanged } from '../../marketing.events.ts'
import { addCounts } from '../cadence-records/add-counts.queries.ts'
import { lockCadencesShared } from '../cadence-records/cadences.queries.ts'
import { emitEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { isLiveEnrollment, isOpenTask } from '../cadence-records/enrollment-states.rules.ts'
import {
  type EnrollmentRow,
  listCadenceIds,
  listEnrollments,
  lockEnrollments,
} from '../cadence-records/enrollments.queries.ts'
import { endRuns, listRunsOfEnrollments, lockRuns, type RunRow } from '../cadence-records/runs.queries.ts'
import { planEnrollments } from './plan-runs.service.ts'
import { deleteWrittenEmails, updateSender, updateTaskUsers } from './sender-enrollments.queries.ts'

type SenderChange = { fromSenderId: string | null; senderId: string; now: Date }

/**
 * Gives the live enrollments of a sender, and their open tasks, to another sender and plans their next step again. Those that were paused
 * because their sender was not active continue; text that the former sender wrote is not sent. Returns the changed ones.
 */
export async function reassignEnrollments(
  tx: TenantTx,
  ids: readonly string[],
  change: SenderChange,
): Promise<EnrollmentRow[]> {
  const { senderId, now } = change
  const taskIds = await reassignOpenTasks(tx, ids, change)
  const cadences = await lockCadencesShared(tx, await listCadenceIds(tx, ids))
  const locked = (await lockEnrollments(tx, ids)).filter((one) => isChanged(one, change))
  const { enrollments, runs } = await lockUnexecutedRuns(tx, locked, taskIds)
  if (!enrollments.length) return []

  await updateSender(tx, idsOf(enrollments), senderId)
  await updateTaskUsers(
    tx,
    runs
      .filter((run) => isOpenTask(run) && taskIds.has(run.activity_id!))
      .map(({ id }) => ({ id, task_user_id: senderId })),
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

const isChanged = (enrollment: EnrollmentRow, { fromSenderId, senderId }: SenderChange): boolean =>
  isLiveEnrollment(enrollment) && enrollment.sender_id === fromSenderId && fromSenderId !== senderId

/** Locks the persons first, as all changes of senders, tasks and assignees do, so that none of their tasks is missed. */
async function reassignOpenTasks(tx: TenantTx, ids: readonly string[], change: SenderChange): Promise<Set<string>> {
  const listChanged = async () => (await listEnrollments(tx, ids)).filter((one) => isChanged(one, change))
  const found = await listChanged()
  await lockPersons(tx, {
    leadIds: found.flatMap(({ lead_id }) => lead_id ?? []),
    contactIds: found.flatMap(({ contact_id }) => contact_id ?? []),
  })
  const tasks = (await listRunsOfEnrollments(tx, idsOf(await listChanged()))).filter(isOpenTask)
  const active = await filterActiveUserIds(
    tx,
    tasks.flatMap(({ task_user_id }) => task_user_id ?? []),
  )
  const isMoved = ({ task_user_id }: RunRow) => task_user_id === change.fromSenderId || !active.has(task_user_id!)
  const taskIds = new Set(tasks.filter(isMoved).flatMap(({ activity_id }) => activity_id ?? []))
  await reassignTasks(
    tx,
    [...taskIds].map((id) => ({ id, assignee_id: change.senderId })),
  )
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
  const senderIdOf = new Map(enrollments.map(({ id, sender_id }) => [id, sender_id]))
  const isTaskOfSender = ({ enrollment_id, task_user_id }: RunRow) => senderIdOf.get(enrollment_id) === task_user_id
  const missed = new Set(
    runs
      .filter((run) => isOpenTask(run) && isTaskOfSender(run) && !taskIds.has(run.activity_id!))
      .map(({ enrollment_id }) => enrollment_id),
  )
  return {
    enrollments: enrollments.filter(({ id }) => !missed.has(id)),
    runs: runs.filter(({ enrollment_id }) => !missed.has(enrollment_id)),
  }
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)
