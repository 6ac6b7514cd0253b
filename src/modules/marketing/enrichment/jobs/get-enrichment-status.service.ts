import { getRecordFacts, type RecordRef } from '#modules/crm'
import type { Page, TenantTx } from '#platform/db'
import { listOpenSuggestionsOf } from '../suggestions/suggestions.queries.ts'
import { countJobsByStatus, findLastJob, type JobRow, listJobs } from './enrichment-jobs.queries.ts'
import type { EnrichmentJob, EnrichmentStatus, QueueQuery } from './enrichment-jobs.schemas.ts'

const maxSuggestions = 200

export function toEnrichmentJob(row: JobRow): EnrichmentJob {
  const { fields_requested, run_at, task_id: _task, is_forced: _forced, claim_id: _claim, ...job } = row
  return {
    ...(job as unknown as EnrichmentJob),
    fields_requested: fields_requested ?? [],
    next_attempt_at: job.status === 'queued' ? run_at : null,
  }
}

export async function listEnrichmentQueue(
  tx: TenantTx,
  query: QueueQuery,
): Promise<Page<EnrichmentJob> & { counts: Record<string, number> }> {
  const [page, counts] = await Promise.all([listJobs(tx, query), countJobsByStatus(tx)])
  return { ...page, items: page.items.map(toEnrichmentJob), counts }
}

/** Fields without a value are listed if they were cleared. */
export async function getEnrichmentStatus(tx: TenantTx, ref: RecordRef): Promise<EnrichmentStatus> {
  const facts = await getRecordFacts(tx, ref)
  const [job, suggestions] = await Promise.all([findLastJob(tx, ref), listOpenSuggestionsOf(tx, ref, maxSuggestions)])
  const fields = [...facts.fields].flatMap(([field, { value, provenance }]) =>
    value === null && !provenance
      ? []
      : [{ field, value, ...(provenance ?? { source: null, provider: null, confidence: null, set_at: null }) }],
  )
  return { last_job: job ? toEnrichmentJob(job) : null, fields, suggestions }
}
