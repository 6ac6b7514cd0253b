import { readSettings } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { readPlgSettings } from '../settings/plg-settings.queries.ts'
import type { PlgSettings } from '../settings/plg-settings.schemas.ts'
import { createPostgresUsageStore } from '../usage-store/postgres-usage-store.ts'
import type { UsageStore } from '../usage-store/usage-store.ts'
import { planCountedFrom } from './recalculation.rules.ts'
import { findState } from './states.queries.ts'
import { hasOptions, toRollUpState } from './states.rules.ts'

export type Usage = {
  store: UsageStore
  settings: PlgSettings
  generation: number
  /** Time zone of the numbers, which differs from the setting during a rebuild. */
  timezone: string
  rebuilding: boolean
  /** First day whose numbers a change of these settings recalculates; null for all days. */
  recalculatedFromOn: string | null
}

/** Opens the roll-ups for reading. A workspace without events has empty ones. */
export async function readUsage(tx: TenantTx): Promise<Usage> {
  const [state, settings, { timezone }] = await Promise.all([
    findState(tx),
    readPlgSettings(tx),
    readSettings(tx, 'general'),
  ])
  const options = { timezone, inactive_events: settings.inactive_events }
  const current = state ? toRollUpState(state) : { generation: 1, ...options, counted: null, next: null }
  return {
    store: createPostgresUsageStore(tx, current),
    settings,
    generation: current.generation,
    timezone: current.timezone,
    rebuilding: !hasOptions(current, options),
    recalculatedFromOn: (state && planCountedFrom(state))?.counted_on ?? null,
  }
}
