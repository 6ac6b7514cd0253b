import { baseCurrencyOf } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { assertVersion, invalidInput } from '#platform/errors'
import { nilUuid } from '#platform/ids'
import { emit } from '#platform/outbox'
import { maxInline, startTask, supersedeTasks } from '#platform/tasks'
import { scoringConfigChanged } from '../../crm.events.ts'
import { lockLeads } from '../lead-records/leads.queries.ts'
import { readScoringCustomFields } from './parsed-scoring-config.service.ts'
import { rescoreTask } from './rescore.jobs.ts'
import { rescoreLeads } from './rescore-leads.service.ts'
import { findConfigProblems } from './score.rules.ts'
import { getScoringConfig, insertScoringConfig, listLeadIdsAfter, lockScoringConfig } from './scoring.queries.ts'
import type { Rescore, ScoringConfig, VersionedScoringConfig } from './scoring.schemas.ts'

type ReplaceScoringConfigInput = { config: ScoringConfig; expectedVersion?: number; now: Date }

/** Stores a new config version and rescores all leads: inline up to 200, otherwise in a task that supersedes an older one. */
export async function replaceScoringConfig(
  tx: TenantTx,
  actor: UserActor,
  { config, expectedVersion, now }: ReplaceScoringConfigInput,
): Promise<VersionedScoringConfig & { rescore: Rescore }> {
  const problems = findConfigProblems(config, await baseCurrencyOf(tx), await readScoringCustomFields(tx, config))
  if (problems.length) throw invalidInput(problems.map((problem) => ({ in: 'body', ...problem })))
  await lockScoringConfig(tx)
  const { version: previousVersion, updated_at: _, updated_by: __, ...previous } = await getScoringConfig(tx)
  assertVersion({ version: previousVersion }, expectedVersion)

  const version = previousVersion + 1
  await insertScoringConfig(tx, { version, config, created_by: actor.userId, created_at: now })
  const audit = { id: null, label: `Version ${version}`, before: previous, after: config }
  await recordAudit(tx, 'scoring.config_changed', audit)
  await emit(tx, scoringConfigChanged, { id: tenantIdOf(tx), version }, { version })
  const rescore = await rescoreAllLeads(tx, version, now)
  return { ...config, version, updated_at: now, updated_by: actor.userId, rescore }
}

async function rescoreAllLeads(tx: TenantTx, version: number, now: Date): Promise<Rescore> {
  const ids = await listLeadIdsAfter(tx, nilUuid, maxInline + 1)
  const isInline = ids.length <= maxInline
  const leads = isInline ? await lockLeads(tx, ids) : []
  await rescoreLeads(tx, leads, { cause: 'config', now })
  // Lock order: leads, then tasks, as a running rescore task does (avoids deadlocks).
  await supersedeTasks(tx, rescoreTask)
  if (isInline) return { mode: 'inline', leads: leads.length }
  return { mode: 'task', ...(await startTask(tx, rescoreTask, { version }, { title: 'Rescore all leads' })) }
}
