import type { JobContext } from '#platform/jobs'
import type { Services } from '#platform/module'
import { type EnrichmentProvider, ProviderError } from '../providers/enrichment-provider.ts'
import { creditMonthOf } from '../settings/enrichment-settings.service.ts'
import { reserveCredits } from './credits.queries.ts'
import type { JobRow } from './enrichment-jobs.queries.ts'
import { lockClaimedJob } from './job-claims.queries.ts'
import type { LogEntry } from './job-status.rules.ts'
import {
  ClaimLostError,
  expireClaim,
  type LookupRun,
  type PreparedJob,
  prepareJob,
  storeResult,
} from './store-job.service.ts'
import { checkFoundValues } from './store-values.service.ts'
import type { Candidate } from './write-decision.rules.ts'

type RunServices = Pick<Services, 'clock' | 'secrets' | 'egress' | 'limits'>

/** Runs one claimed job: prepare, ask the providers without a transaction, store. */
export const runEnrichmentJob = (services: RunServices, context: JobContext, job: JobRow): Promise<void> =>
  unlessTakenOver(context, job, async () => {
    const prepared = await context.inTenant((tx) => prepareJob(tx, services, job))
    if (!prepared) return
    const result = await askProviders(services, context, job, prepared)
    await context.inTenant((tx) => storeResult(tx, services, job, prepared, result))
  })

export const expireEnrichmentJob = (services: RunServices, context: JobContext, job: JobRow): Promise<void> =>
  unlessTakenOver(context, job, () => context.inTenant((tx) => expireClaim(tx, services, job)))

async function unlessTakenOver(context: JobContext, job: JobRow, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof ClaimLostError)
      context.log.warn({ enrichment_job_id: job.id }, 'enrichment job was taken over')
    else throw error
  }
}

/** Asks each provider for the fields that are still missing, until every field has a value or a rate limit is reached. */
async function askProviders(
  services: RunServices,
  context: JobContext,
  job: JobRow,
  prepared: PreparedJob,
): Promise<LookupRun> {
  const { facts, requested, providers, settings } = prepared
  const log = [...prepared.log]
  const candidates: Candidate[] = []
  const knownFields = new Set(log.flatMap(({ fields }) => fields))
  const answered = new Set(log.map(({ provider }) => provider))
  for (const provider of providers) {
    const found = new Set(candidates.map(({ field }) => field))
    const missing = requested.filter((field) => !found.has(field) && !knownFields.has(field))
    const fields = missing.filter((field) => provider.fields.includes(field))
    if (!fields.length || answered.has(provider.key)) continue
    if (!provider.canLookUp(facts.lookup)) {
      log.push(toEntry(provider, 'not_applicable'))
      continue
    }
    const wait = await takeAllowance(services, context, provider)
    if (wait !== undefined) return { candidates, log, postponedSeconds: wait }
    if (!(await reserve(services, context, job, provider, settings.monthly_credit_limit))) {
      log.push(toEntry(provider, 'quota_exceeded'))
      continue
    }
    const answer = await callProvider(context, provider, prepared, fields)
    candidates.push(...answer.candidates)
    log.push(answer.entry)
  }
  return { candidates, log }
}

async function takeAllowance({ limits }: RunServices, { tenantId }: JobContext, provider: EnrichmentProvider) {
  const bucket = { name: 'enrichment', limit: provider.maxRequestsPerMinute, windowSeconds: 60 }
  const { allowed, resetSeconds } = await limits.take({ ...bucket, key: `${tenantId}:${provider.key}` })
  return allowed ? undefined : Math.max(1, resetSeconds)
}

const reserve = (
  { clock }: RunServices,
  { inTenant }: JobContext,
  job: JobRow,
  { credits }: EnrichmentProvider,
  limit: number,
): Promise<boolean> =>
  inTenant(async (tx) => {
    const claimed = await lockClaimedJob(tx, job)
    if (!claimed) throw new ClaimLostError()
    if (credits === 0) return true
    const month =
      (claimed.credits_used + claimed.credits_reserved > 0 && claimed.credit_month) || creditMonthOf(clock.now())
    return await reserveCredits(tx, { jobId: job.id, month, credits, limit })
  })

async function callProvider(
  { signal }: JobContext,
  provider: EnrichmentProvider,
  { facts, settings }: PreparedJob,
  fields: readonly string[],
): Promise<{ candidates: Candidate[]; entry: LogEntry }> {
  const startedAt = performance.now()
  const elapsed = () => Math.round(performance.now() - startedAt)
  try {
    const { fields: found } = await provider.lookUp(facts.lookup, fields, signal)
    const { candidates, invalidFields } = checkFoundValues(facts, provider.key, found)
    const accepted = candidates.filter(({ confidence }) => confidence >= settings.min_confidence)
    const outcome = accepted.length ? 'matched' : 'no_match'
    const entry = { ms: elapsed(), fields: accepted.map(({ field }) => field), invalid_fields: invalidFields }
    return { candidates: accepted, entry: toEntry(provider, outcome, entry) }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { candidates: [], entry: toEntry(provider, 'error', { error: error.reason, ms: elapsed() }) }
  }
}

/** Only a provider that found a value is charged. */
const toEntry = (
  { key, credits }: EnrichmentProvider,
  outcome: LogEntry['outcome'],
  details: Partial<LogEntry> = {},
): LogEntry => ({
  provider: key,
  outcome,
  error: null,
  ms: 0,
  fields: [],
  invalid_fields: [],
  credits: outcome === 'matched' ? credits : 0,
  ...details,
})
