import { listEmailsById } from '#modules/email'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { notify } from '#platform/notify'
import { emit } from '#platform/outbox'
import { cadenceAutoPaused } from '../../marketing.events.ts'
import { addCounts, countStep } from '../cadence-records/add-counts.queries.ts'
import { changeCadenceStatuses } from '../cadence-records/cadence-status.service.ts'
import { type CadenceRow, lockCadence } from '../cadence-records/cadences.queries.ts'
import { exitLiveEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { listRuns } from '../cadence-records/runs.queries.ts'
import { cadencePausedByBounces, listRecipients } from '../cadence-runs/cadence-notifications.ts'
import { markBounced } from '../cadence-runs/finish-runs.queries.ts'
import { finishLockedRuns } from '../cadence-runs/finish-runs.service.ts'
import { lockRunsWithParents } from '../cadence-runs/lock-runs.service.ts'
import { areTooManyBounces } from './email-limits.rules.ts'
import { countRecentEmails } from './enrollment-reactions.queries.ts'

/**
 * Stores a hard bounce: of an email that was sent before, or one that the mail server rejected at once. The enrollment of a person whose
 * address was corrected since goes on.
 */
export async function storeBounce(tx: TenantTx, runId: string, now: Date): Promise<void> {
  const [found] = await listRuns(tx, [runId])
  if (!found) return
  const email = (await listEmailsById(tx, [runId])).get(runId)
  // Locked exclusively, because the cadence may be paused.
  const cadence = await lockCadence(tx, found.cadence_id)
  const locked = await lockRunsWithParents(tx, [runId])
  const [run] = locked.runs
  if (!run || run.bounced_at) return
  const isCurrentAddress = email?.to_key === locked.enrollmentOf(run).person_email_key
  const isExiting = cadence.exit_on.bounce && isCurrentAddress
  const exit = async () => (isExiting ? await exitLiveEnrollments(tx, [run.enrollment_id], 'bounced', now) : undefined)
  const undelivered = await markBounced(tx, [runId], [run.enrollment_id], now)
  // A rejected email counts as sent and bounced; an enrollment that ends needs no next step.
  const exited = await exit()
  const finished = await finishLockedRuns(
    tx,
    isExiting ? { ...locked, enrollmentOf: (one) => ({ ...locked.enrollmentOf(one), status: 'exited' }) } : locked,
    [{ id: runId, state: 'done', at: email?.sent_at ?? now, measure: 'sent' }],
  )
  await addCounts(tx, [
    ...countStep(run, 'bounced'),
    ...undelivered.map(() => ({
      cadence_id: run.cadence_id,
      step_id: run.cadence_id,
      measure: 'persons_delivered',
      by: -1,
    })),
    ...(exited?.counts ?? []),
    ...finished.counts,
  ])
  await pauseBouncingCadence(tx, cadence, now)
}

/** Pauses a locked cadence if too many of its emails within the last 24 hours bounced. */
export async function pauseBouncingCadence(tx: TenantTx, cadence: CadenceRow, now: Date): Promise<void> {
  if (cadence.status !== 'active') return
  const { sent, bounced } = await countRecentEmails(tx, cadence.id, daysLater(now, -1))
  if (!areTooManyBounces(sent, bounced)) return

  const [paused] = await changeCadenceStatuses(tx, [cadence], { status: 'paused', paused_reason: 'bounces' })
  await emit(tx, cadenceAutoPaused, paused!, { sent, bounced })
  const payload = { cadence_id: cadence.id, cadence_name: cadence.name, sent, bounced }
  for (const userId of await listRecipients(tx, [cadence.owner_id]))
    await notify(tx, userId, cadencePausedByBounces, payload, { resource: { type: 'cadence', id: cadence.id } })
}
