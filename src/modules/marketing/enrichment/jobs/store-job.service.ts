import { lockRecordFacts, type RecordFacts, type RecordRef } from '#modules/crm'
import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import type { Services } from '#platform/module'
import { isTrackedTaskOpen } from '#platform/tasks'
import type { EnrichmentProvider } from '../providers/enrichment-provider.ts'
import { offlineKey } from '../providers/offline-provider.rules.ts'
import type { EnrichmentSettings } from '../settings/enrichment-settings.schemas.ts'
import { readEnrichmentSettings } from '../settings/enrichment-settings.service.ts'
import { releaseCredits } from './credits.queries.ts'
import { endJobTask, recordJobEnd } from './end-job.service.ts'
import { toPolicy } from './enrich-record.service.ts'
import type { JobRow } from './enrichment-jobs.queries.ts'
import { finishJobRow, lockClaimedJob, requeueJobRow } from './job-claims.queries.ts'
import {
  answersIn,
  creditsIn,
  type JobOutcome,
  type LogEntry,
  needsRetry,
  outcomeOf,
  retryAt,
} from './job-status.rules.ts'
import {
  findSkipReason,
  hasExternalProvider,
  lookUpOffline,
  missingFieldsOf,
  openProviders,
} from './plan-lookup.service.ts'
import { storeValues } from './store-values.service.ts'
import type { Candidate } from './write-decision.rules.ts'

type JobServices = Pick<Services, 'clock' | 'secrets' | 'egress'>

/** Rolls back the transaction: another worker has the job, or it was ended in the meantime. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError'
}

export type PreparedJob = {
  facts: RecordFacts
  settings: EnrichmentSettings
  requested: string[]
  providers: EnrichmentProvider[]
  log: LogEntry[]
}

const refOf = ({ entity_type, entity_id }: JobRow): RecordRef => ({
  type: entity_type as RecordRef['type'],
  id: entity_id,
})

async function findLockedFacts(tx: TenantTx, job: JobRow): Promise<RecordFacts | undefined> {
  try {
    return await lockRecordFacts(tx, refOf(job))
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return undefined
    throw error
  }
}

/** Applies the built-in provider. Returns undefined if the job has ended without a call of an external provider. */
export async function prepareJob(tx: TenantTx, services: JobServices, job: JobRow): Promise<PreparedJob | undefined> {
  const facts = await findLockedFacts(tx, job)
  const settings = await readEnrichmentSettings(tx)
  const isCancelled = job.task_id !== null && !(await isTrackedTaskOpen(tx, job.task_id))
  const reason = facts ? (findSkipReason(facts, settings) ?? (isCancelled ? 'cancelled' : undefined)) : 'deleted'
  const log = (job.log as LogEntry[]).filter((entry) => entry.provider === offlineKey || answersIn([entry]).length)
  if (!facts || reason) {
    const outcome: JobOutcome = { status: 'skipped', reason: reason! }
    return await endJob(tx, services, job, {
      outcome,
      log,
      requested: job.fields_requested ?? [],
      credits: creditsIn(log),
    })
  }

  const policy = toPolicy(settings, job.is_forced, services.clock.now())
  const requested = job.fields_requested ?? missingFieldsOf(facts, settings, policy)
  if (log.length)
    return { facts, settings, requested, providers: await openProviders(tx, services, facts, settings), log }

  const offline = lookUpOffline(facts, settings)
  const { suggested } = await storeValues(tx, services, facts, offline.candidates, policy)
  const missing = requested.filter((field) => !offline.candidates.some((candidate) => candidate.field === field))
  if (!hasExternalProvider(facts, settings, missing)) {
    const outcome = outcomeOf(requested, offline.log, suggested.length)
    return await endJob(tx, services, job, { outcome, log: offline.log, requested, credits: 0 })
  }
  return { facts, settings, requested, providers: await openProviders(tx, services, facts, settings), log: offline.log }
}

export type LookupRun = {
  candidates: readonly Candidate[]
  log: readonly LogEntry[]
  /** The rate limit of a provider allows the next call after so many seconds. */
  postponedSeconds?: number
}

/** Stores what the providers found, and plans the next attempt if one is needed. Lock order: record, job, usage, task. */
export async function storeResult(
  tx: TenantTx,
  services: JobServices,
  job: JobRow,
  { requested, settings, facts: before, log: logBefore }: PreparedJob,
  { candidates, log, postponedSeconds }: LookupRun,
): Promise<void> {
  const now = services.clock.now()
  const facts = await findLockedFacts(tx, job)
  const skipReason = facts ? findSkipReason(facts, settings) : 'deleted'
  if (!facts || skipReason) {
    const end = { requested, log, credits: creditsIn(logBefore) }
    await endJob(tx, services, job, { outcome: { status: 'skipped', reason: skipReason! }, ...end })
    return
  }
  // The answers belong to another email address or company, for example because the person was erased.
  if (!isSameLookup(before, facts)) {
    const offlineLog = logBefore.filter(({ provider }) => provider === offlineKey)
    return await requeueJob(tx, job, { runAt: now, attempts: job.attempts, log: offlineLog, fields: requested })
  }
  const nextAttempt = needsRetry(log) ? retryAt(job.attempts, now) : undefined
  if (nextAttempt && postponedSeconds === undefined)
    return await requeueJob(tx, job, { runAt: nextAttempt, attempts: job.attempts + 1, log, fields: requested })

  const { suggested } = await storeValues(tx, services, facts, candidates, toPolicy(settings, job.is_forced, now))
  if (postponedSeconds !== undefined) {
    const runAt = secondsLater(now, postponedSeconds)
    return await requeueJob(tx, job, { runAt, attempts: job.attempts, log, fields: requested })
  }
  const credits = creditsIn(log)
  const outcome = outcomeOf(requested, log, suggested.length)
  await endJob(tx, services, job, { outcome, log, requested, credits })
}

/** Values that the built-in provider has filled in do not matter. */
function isSameLookup({ lookup: before }: RecordFacts, { lookup: after }: RecordFacts): boolean {
  return before.email === after.email && before.domain === after.domain && before.phone === after.phone
}

type JobEnd = {
  outcome: JobOutcome
  log: readonly LogEntry[]
  requested: readonly string[]
  credits: number
}

async function endJob(tx: TenantTx, { clock }: Pick<Services, 'clock'>, job: JobRow, end: JobEnd): Promise<undefined> {
  const { outcome, log, requested, credits } = end
  const { credits_used, credits_reserved, credit_month } = await lockClaim(tx, job)
  const ended = await finishJobRow(tx, job.id, { ...outcome, log, credits, fields: requested, now: clock.now() })
  await releaseCredits(tx, credit_month, credits_used + credits_reserved - credits)
  await endJobTask(tx, job, outcome, log)
  await recordJobEnd(tx, ended)
}

/** Answers in the log stay charged, and their providers are not asked again. */
async function requeueJob(
  tx: TenantTx,
  job: JobRow,
  next: Omit<Parameters<typeof requeueJobRow>[2], 'credits'>,
): Promise<void> {
  const credits = creditsIn(next.log)
  const { credits_used, credits_reserved, credit_month } = await lockClaim(tx, job)
  await requeueJobRow(tx, job.id, { ...next, credits })
  await releaseCredits(tx, credit_month, credits_used + credits_reserved - credits)
}

async function lockClaim(tx: TenantTx, job: JobRow) {
  const claimed = await lockClaimedJob(tx, job)
  if (!claimed) throw new ClaimLostError()
  return claimed
}

/** Gives back the credits of a job whose worker ended before the result was stored, and plans its next attempt. */
export async function expireClaim(tx: TenantTx, services: Pick<Services, 'clock'>, job: JobRow): Promise<void> {
  const { attempts, fields_requested } = job
  const log = job.log as LogEntry[]
  const runAt = retryAt(attempts, services.clock.now())
  if (runAt) return await requeueJob(tx, job, { runAt, attempts: attempts + 1, log, fields: fields_requested })
  const outcome = { status: 'failed', reason: null } as const
  await endJob(tx, services, job, { outcome, log, requested: fields_requested ?? [], credits: creditsIn(log) })
}
