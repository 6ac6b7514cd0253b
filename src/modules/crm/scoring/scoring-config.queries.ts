import { holdTurn, type TenantTx } from '#platform/db'
import { defaultConfig } from './default-config.ts'
import type { NumberedConfig, ScoringConfig } from './scoring.schemas.ts'

/** The rules in force: the newest version, or those every workspace begins with. */
export async function readScoringConfig(tx: TenantTx): Promise<NumberedConfig> {
  const newest = await tx
    .selectFrom('crm.lead_scoring_configs')
    .select(['version', 'config', 'created_at', 'created_by'])
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest) return { ...defaultConfig, version: 0, updated_at: null, updated_by: null }
  const { version, config, created_at, created_by } = newest
  return { ...(config as ScoringConfig), version, updated_at: created_at, updated_by: created_by }
}

type NewVersion = { version: number; config: ScoringConfig; created_by: string | null; created_at: Date }

export async function insertConfig(tx: TenantTx, { config, ...numbered }: NewVersion): Promise<void> {
  const written = { ...numbered, config: JSON.stringify(config) }
  await tx.insertInto('crm.lead_scoring_configs').values(written).execute()
}

/** New rules come one after the other, and not while a lead that nobody sees yet is scored by the old ones. */
export async function lockScoringRules(tx: TenantTx): Promise<void> {
  await holdTurn(tx, 'scoring_rules')
}

/** Until the transaction ends there are no new rules. Many may hold them at once. */
export async function holdScoringRules(tx: TenantTx): Promise<void> {
  await holdTurn(tx, 'scoring_rules', { isShared: true })
}
