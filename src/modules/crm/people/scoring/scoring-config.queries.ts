import { acquireAdvisoryLock, type TenantTx } from '#platform/db'
import { defaultScoringConfig } from './default-scoring-config.ts'
import type { ScoringConfig, VersionedScoringConfig } from './scoring.schemas.ts'

export async function getScoringConfig(tx: TenantTx): Promise<VersionedScoringConfig> {
  const newest = await tx
    .selectFrom('crm.lead_scoring_configs')
    .select(['version', 'config', 'created_at', 'created_by'])
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest) return { ...defaultScoringConfig, version: 0, updated_at: null, updated_by: null }
  const { version, config, created_at, created_by } = newest
  return { ...(config as ScoringConfig), version, updated_at: created_at, updated_by: created_by }
}

type NewConfigVersion = { version: number; config: ScoringConfig; created_by: string | null; created_at: Date }

export async function insertScoringConfig(tx: TenantTx, { config, ...columns }: NewConfigVersion): Promise<void> {
  const row = { ...columns, config: JSON.stringify(config) }
  await tx.insertInto('crm.lead_scoring_configs').values(row).execute()
}

/** Serializes config changes, and waits for transactions that score leads which are not visible yet. */
export async function lockScoringConfig(tx: TenantTx): Promise<void> {
  await acquireAdvisoryLock(tx, 'scoring_rules')
}

/** Makes config changes wait for this transaction, which creates or restores leads. Take it before any other CRM lock. */
export async function lockScoringConfigShared(tx: TenantTx): Promise<void> {
  await acquireAdvisoryLock(tx, 'scoring_rules', { isShared: true })
}
