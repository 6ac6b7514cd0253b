import { listEmailsById } from '#modules/email'
import type { TenantTx } from '#platform/db'
import { addCounts, countStep } from '../cadence-records/add-counts.queries.ts'
import { lockCadence } from '../cadence-records/cadences.queries.ts'
import { exitLiveEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { listRuns } from '../cadence-records/runs.queries.ts'
import { markBounced } from '../cadence-runs/finish-runs.queries.ts'
import { finishLockedRuns } from '../cadence-runs/finish-runs.service.ts'
import { lockRunsWithParents } from '../cadence-runs/lock-runs.service.ts'
import { pauseBouncingCadence } from './auto-pause.service.ts'

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
