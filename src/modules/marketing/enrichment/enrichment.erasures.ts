import { systemClock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { definePersonErasure, type ErasedPerson, type Erasure, type ErasureBatch } from '#platform/module'
import { endTrackedTask } from '#platform/tasks'
import { releaseCredits } from './jobs/credits.queries.ts'
import { eraseJobs } from './jobs/job-claims.queries.ts'
import { deleteSuggestionsOf } from './suggestions/suggestions.queries.ts'

const batchSize = 500

async function erasePerson(tx: TenantTx, person: ErasedPerson): Promise<ErasureBatch> {
  const suggestions = await deleteSuggestionsOf(tx, person, batchSize)
  const jobs = await eraseJobs(tx, person, systemClock.now(), batchSize)
  for (const { credit_month, credits_reserved } of jobs) await releaseCredits(tx, credit_month, credits_reserved)
  for (const id of jobs.flatMap(({ task_id }) => task_id ?? []).toSorted())
    await endTrackedTask(tx, id, { result: { status: 'skipped', reason: 'erased' } })
  const counts = { 'marketing.enrichment_suggestions': suggestions, 'marketing.enrichment_jobs': jobs.length }
  return { counts, ...((suggestions === batchSize || jobs.length === batchSize) && { next: 'more' }) }
}

export const enrichmentErasures: Erasure[] = [definePersonErasure('marketing.enrichment', erasePerson)]
