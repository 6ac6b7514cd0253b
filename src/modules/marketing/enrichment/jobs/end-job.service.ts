import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { endTrackedTask } from '#platform/tasks'
import { enrichmentCompleted, enrichmentFailed } from '../../marketing.events.ts'
import type { JobRow } from './enrichment-jobs.queries.ts'
import { foundFieldsOf, type JobOutcome, type LogEntry } from './job-status.rules.ts'

const failure = {
  code: 'provider_failed',
  message: 'No enrichment provider could be reached. Check the enrichment settings.',
}

/** Ends the task that a user waits for. Lock order: job, task. */
export async function endJobTask(
  tx: TenantTx,
  { task_id, id }: Pick<JobRow, 'id' | 'task_id'>,
  { status, reason }: JobOutcome,
  log: readonly LogEntry[],
): Promise<void> {
  if (!task_id) return
  const result = { job_id: id, status, reason, fields: foundFieldsOf(log) }
  await endTrackedTask(tx, task_id, { result, ...(status === 'failed' && { error: failure }) })
}

export async function recordJobEnd(tx: TenantTx, job: JobRow): Promise<void> {
  const { id, entity_type, entity_id, status, reason, credits_used } = job
  const fields = foundFieldsOf(job.log as LogEntry[])
  await recordAudit(tx, 'enrichment.completed', {
    id,
    label: entity_type,
    after: { entity_type, entity_id, status, reason, credits_used, fields },
  })
  if (status === 'failed') await emit(tx, enrichmentFailed, { id }, { entity_type, entity_id })
  else await emit(tx, enrichmentCompleted, { id }, { entity_type, entity_id, status, reason, fields })
}
