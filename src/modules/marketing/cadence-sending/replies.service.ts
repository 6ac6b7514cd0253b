import { listOutreachPersons, readCrmSettings } from '#modules/crm'
import { filterActiveUserIds } from '#modules/identity'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { notify } from '#platform/notify'
import { addCounts, countStep } from '../cadence-records/add-counts.queries.ts'
import type { CadenceRow } from '../cadence-records/cadences.queries.ts'
import { exitLiveEnrollments, pauseEnrollments } from '../cadence-records/end-enrollments.service.ts'
import type { EnrollmentRow } from '../cadence-records/enrollments.queries.ts'
import { personReplied } from '../cadence-runs/cadence-notifications.ts'
import { markReplied } from '../cadence-runs/finish-runs.queries.ts'
import { lockRunsWithParents } from '../cadence-runs/lock-runs.service.ts'
import { personIdOf } from '../cadence-runs/run-times.service.ts'

/** A reply ends the enrollment if the cadence says so; an automatic one only pauses it for some days. */
export async function storeReply(tx: TenantTx, runId: string, isAutomatic: boolean, now: Date): Promise<void> {
  const locked = await lockRunsWithParents(tx, [runId])
  const [run] = locked.runs
  if (!run) return
  const [cadence, enrollment] = [locked.cadenceOf(run), locked.enrollmentOf(run)]
  if (isAutomatic) {
    const { sending } = await readCrmSettings(tx)
    const until = daysLater(now, sending.auto_reply_pause_days)
    await pauseEnrollments(tx, [enrollment.id], { reason: 'auto_reply', until })
    return
  }
  const { isFirstOfRun, isFirstOfPerson } = await markReplied(tx, run.id, enrollment.id, now)
  const exited = cadence.exit_on.reply ? await exitLiveEnrollments(tx, [enrollment.id], 'replied', now) : undefined
  await addCounts(tx, [
    ...(isFirstOfRun ? countStep(run, 'replied') : []),
    ...(isFirstOfPerson ? [{ cadence_id: cadence.id, step_id: cadence.id, measure: 'persons_replied', by: 1 }] : []),
    ...(exited?.counts ?? []),
  ])
  await notifySender(tx, cadence, enrollment, runId)
}

async function notifySender(
  tx: TenantTx,
  cadence: CadenceRow,
  enrollment: EnrollmentRow,
  runId: string,
): Promise<void> {
  const { sender_id, lead_id, contact_id } = enrollment
  if (!sender_id || !(await filterActiveUserIds(tx, [sender_id])).has(sender_id)) return
  const persons = await listOutreachPersons(tx, {
    leadIds: lead_id ? [lead_id] : [],
    contactIds: contact_id ? [contact_id] : [],
  })
  const person = persons.get(personIdOf(enrollment))
  const [record_type, record_id] = [lead_id ? 'lead' : 'contact', personIdOf(enrollment)]
  const name = person?.name ?? person?.email ?? 'A person'
  const payload = { cadence_id: cadence.id, cadence_name: cadence.name, person: name, record_type, record_id }
  const resource = { type: record_type, id: record_id }
  await notify(tx, sender_id, personReplied, payload, { dedupeKey: `cadence.replied:${runId}`, resource })
}
