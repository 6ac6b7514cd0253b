import { lockRecordFacts, type RecordFacts, type RecordRef } from '#modules/crm'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { conflict, invalid } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { openTrackedTask, toStartedTask } from '#platform/tasks'
import type { EnrichmentSettings } from '../settings/enrichment-settings.schemas.ts'
import { readEnrichmentSettings } from '../settings/enrichment-settings.service.ts'
import { enqueueEnrichmentDispatch } from './dispatch-job.ts'
import { recordJobEnd } from './end-job.service.ts'
import { findLiveJob, insertJob, type JobRow, setJobTask } from './enrichment-jobs.queries.ts'
import type { EnrichmentRequest, EnrichmentResult } from './enrichment-jobs.schemas.ts'
import { type JobOutcome, type LogEntry, outcomeOf } from './job-status.rules.ts'
import {
  allowedFieldsOf,
  findSkipReason,
  hasExternalProvider,
  lookUpOffline,
  missingFieldsOf,
} from './plan-lookup.service.ts'
import { type StoredValues, storeValues } from './store-values.service.ts'
import type { WritePolicy } from './write-decision.rules.ts'

type EnrichServices = Pick<Services, 'clock' | 'secrets'>

export const toPolicy = (settings: EnrichmentSettings, isForced: boolean, now: Date): WritePolicy => ({
  ...settings,
  isForced,
  now,
})

/** Applies the built-in provider now and queues the external ones. A record has one queued or running job at most. */
export async function enrichRecord(
  tx: TenantTx,
  actor: UserActor,
  ref: RecordRef,
  { fields, force = false }: EnrichmentRequest,
  services: EnrichServices,
): Promise<EnrichmentResult> {
  const facts = await lockRecordFacts(tx, ref)
  if (facts.isConverted) throw conflict('lead_converted', 'A converted lead cannot be enriched. Enrich its contact.')
  const settings = await readEnrichmentSettings(tx)
  assertAllowed(fields, allowedFieldsOf(facts, settings))
  const live = await findLiveJob(tx, ref)
  if (live) return await toLiveResult(tx, live, facts)

  const now = services.clock.now()
  const job = {
    id: newId(),
    entity_type: ref.type,
    entity_id: ref.id,
    trigger: force ? 'refresh' : 'manual',
    is_forced: force,
    requested_by: actor.userId,
    run_at: now,
    created_at: now,
  }
  const reason = findSkipReason(facts, settings)
  if (reason) return await insertEnded(tx, job, { status: 'skipped', reason }, nothingDone)

  const policy = toPolicy(settings, force, now)
  const requested = fields ?? missingFieldsOf(facts, settings, policy)
  const { candidates, log } = lookUpOffline(facts, settings)
  const chosen = fields ? candidates.filter(({ field }) => fields.includes(field)) : candidates
  const values = await storeValues(tx, services, facts, chosen, policy)
  const found = new Set(chosen.map(({ field }) => field))
  const missing = requested.filter((field) => !found.has(field))
  const work = { requested, log, values }
  // Sample data must not cause requests to providers.
  if (actor.origin !== 'sample' && hasExternalProvider(facts, settings, missing))
    return await insertQueued(tx, facts, job, work)
  return await insertEnded(tx, job, outcomeOf(requested, log, values.suggested.length), work)
}

function assertAllowed(fields: readonly string[] | undefined, allowed: readonly string[]): void {
  const index = fields?.findIndex((field) => !allowed.includes(field)) ?? -1
  if (index >= 0)
    throw invalid('query', `/fields/${index}`, 'unknown', `\`fields\` must be among: ${allowed.join(', ')}.`)
}

type NewJobFields = Parameters<typeof insertJob>[1] extends infer Job ? Omit<Job, 'status'> : never
type Work = { requested: readonly string[]; log: readonly LogEntry[]; values: StoredValues }

const nothingDone: Work = { requested: [], log: [], values: { applied: [], suggested: [] } }

async function insertEnded(
  tx: TenantTx,
  job: NewJobFields,
  { status, reason }: JobOutcome,
  { requested, log, values }: Work,
): Promise<EnrichmentResult> {
  const { run_at: now } = job
  const ended = await insertJob(tx, {
    ...job,
    status,
    reason,
    fields_requested: [...requested],
    log: JSON.stringify(log),
    started_at: now,
    finished_at: now,
  })
  await recordJobEnd(tx, ended)
  return toResult(ended, null, values)
}

async function insertQueued(
  tx: TenantTx,
  facts: RecordFacts,
  job: NewJobFields,
  { requested, log, values }: Work,
): Promise<EnrichmentResult> {
  const { task_id } = await openTask(tx, facts)
  const queued = { ...job, status: 'queued', task_id, fields_requested: [...requested], log: JSON.stringify(log) }
  const inserted = await insertJob(tx, queued)
  await enqueueEnrichmentDispatch(tx, new Date(inserted.run_at))
  return toResult(inserted, task_id, values)
}

const openTask = (tx: TenantTx, { ref: { type, id } }: RecordFacts) =>
  openTrackedTask(tx, 'enrichment.enrich_record', { title: `enrich ${type}`, resource: { type, id } })

/** A job of a bulk action or of a new lead has no task yet. */
async function toLiveResult(tx: TenantTx, live: JobRow, facts: RecordFacts): Promise<EnrichmentResult> {
  if (live.task_id) return toResult(live, live.task_id, nothingDone.values)
  const { task_id } = await openTask(tx, facts)
  await setJobTask(tx, live.id, task_id)
  return toResult(live, task_id, nothingDone.values)
}

function toResult({ id, status, reason }: JobRow, taskId: string | null, values: StoredValues): EnrichmentResult {
  return {
    job_id: id,
    ...(taskId ? toStartedTask(taskId) : { task_id: null, status_url: null }),
    status: status as EnrichmentResult['status'],
    reason: reason as EnrichmentResult['reason'],
    ...values,
  }
}
