import { lockRecordFacts, type RecordRef } from '#modules/crm'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { recordJobEnd } from '../jobs/end-job.service.ts'
import { toPolicy } from '../jobs/enrich-record.service.ts'
import { insertJob } from '../jobs/enrichment-jobs.queries.ts'
import { type LogEntry, outcomeOf } from '../jobs/job-status.rules.ts'
import { missingFieldsOf } from '../jobs/plan-lookup.service.ts'
import { checkFoundValues, storeValues } from '../jobs/store-values.service.ts'
import type { FoundValue } from '../providers/enrichment-provider.ts'
import { readEnrichmentSettings } from '../settings/enrichment-settings.service.ts'

export type PlannedEnrichment = {
  outcome: 'matched' | 'no_match' | 'error'
  ms: number
  values: Readonly<Record<string, FoundValue>>
}

const provider = 'sample_provider'

/** Stores values as if a provider had returned them, without a request. */
export async function createSampleEnrichment(
  tx: TenantTx,
  actor: UserActor,
  ref: RecordRef,
  { outcome, ms, values }: PlannedEnrichment,
  services: Pick<Services, 'clock' | 'secrets'>,
): Promise<{ jobId: string; suggestionIds: string[] }> {
  const now = services.clock.now()
  const facts = await lockRecordFacts(tx, ref)
  const settings = await readEnrichmentSettings(tx)
  const policy = toPolicy(settings, false, now)
  const requested = missingFieldsOf(facts, settings, policy)
  const { candidates } = checkFoundValues(facts, provider, outcome === 'matched' ? values : {})
  const { suggested } = await storeValues(tx, services, facts, candidates, policy)
  const error = outcome === 'error' ? 'timeout' : null
  const fields = candidates.map(({ field }) => field)
  const log: LogEntry[] = [{ provider, outcome, error, ms, fields, invalid_fields: [], credits: 0 }]
  const job = await insertJob(tx, {
    id: newId(),
    entity_type: ref.type,
    entity_id: ref.id,
    trigger: 'manual',
    requested_by: actor.userId,
    ...outcomeOf(requested, log, suggested.length),
    fields_requested: requested,
    log: JSON.stringify(log),
    run_at: now,
    created_at: now,
    started_at: now,
    finished_at: now,
  })
  await recordJobEnd(tx, job)
  return { jobId: job.id, suggestionIds: suggested.map(({ id }) => id) }
}
