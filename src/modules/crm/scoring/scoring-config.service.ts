import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import { type TenantTx, tenantOf } from '#platform/db'
import { invalidInput, versionMismatch } from '#platform/errors'
import { emit } from '#platform/outbox'
import { startTask, supersedeTasks } from '#platform/tasks'
import { scoringConfigChanged } from '../crm.events.ts'
import { lockLeads } from '../leads/leads.queries.ts'
import { baseCurrencyOf } from '../settings/crm-settings.queries.ts'
import { beforeAllLeads, rescoreTask } from './rescore.jobs.ts'
import { leadIdsAfter } from './scoring.queries.ts'
import type { NumberedConfig, Rescore, ScoringConfig } from './scoring.schemas.ts'
import { rescoreLeads } from './scoring.service.ts'
import { insertConfig, lockScoringRules, readScoringConfig } from './scoring-config.queries.ts'
import { problemsInConfig } from './scoring-config.rules.ts'

/** More than these are scored in the background. */
const mostAtOnce = 200

type Replacement = { config: ScoringConfig; expectedVersion?: number; now: Date }

/** New rules, and every lead scored by them: at once if there are few, else by a task that takes the place of an older one. */
export async function replaceScoringConfig(
  tx: TenantTx,
  actor: SignedIn,
  { config, expectedVersion, now }: Replacement,
): Promise<NumberedConfig & { rescore: Rescore }> {
  const problems = problemsInConfig(config, await baseCurrencyOf(tx))
  if (problems.length) throw invalidInput(problems.map((problem) => ({ in: 'body', ...problem })))
  await lockScoringRules(tx)
  const { version: formerVersion, updated_at: _, updated_by: __, ...former } = await readScoringConfig(tx)
  if (expectedVersion !== undefined && expectedVersion !== formerVersion) throw versionMismatch()

  const version = formerVersion + 1
  await insertConfig(tx, { version, config, created_by: actor.userId, created_at: now })
  await record(tx, 'scoring.config_changed', { id: null, label: `Version ${version}`, before: former, after: config })
  await emit(tx, scoringConfigChanged, { id: tenantOf(tx), version }, { version })
  const rescore = await rescoreEverything(tx, version, now)
  return { ...config, version, updated_at: now, updated_by: actor.userId, rescore }
}

async function rescoreEverything(tx: TenantTx, version: number, now: Date): Promise<Rescore> {
  const ids = await leadIdsAfter(tx, beforeAllLeads, mostAtOnce + 1)
  const isFew = ids.length <= mostAtOnce
  const leads = isFew ? await lockLeads(tx, ids) : []
  await rescoreLeads(tx, leads, { cause: 'config', now })
  // Leads first, then the task: an older one takes them in the same order, so that neither waits for the other in a circle.
  await supersedeTasks(tx, rescoreTask)
  if (isFew) return { mode: 'inline', leads: leads.length }
  return { mode: 'task', ...(await startTask(tx, rescoreTask, { version }, { title: 'Score all leads anew' })) }
}
