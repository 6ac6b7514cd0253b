import type { Insertable } from 'kysely'
import {
  acquireAdvisoryLock,
  type Database,
  listTenantsAsRetention,
  listTenantsWithRows,
  type SystemTx,
  type TenantTx,
} from '#platform/db'
import { type PersonaRow, personaColumns } from '../personas/persona-row.ts'
import { type ScenarioRow, scenarioColumns } from '../scenarios/scenario-row.ts'

export const lockPresets = (tx: TenantTx): Promise<void> => acquireAdvisoryLock(tx, 'coaching_presets')

/** Deleted personas count too. */
export const listTenantsWithPersonas = (system: SystemTx): Promise<string[]> =>
  listTenantsAsRetention(system, (tx) => listTenantsWithRows(tx, 'enablement.coaching_personas'))

export async function hasPersonas(tx: TenantTx): Promise<boolean> {
  const persona = await tx.selectFrom('enablement.coaching_personas').select('id').limit(1).executeTakeFirst()
  return persona !== undefined
}

export const insertPersonas = (
  tx: TenantTx,
  personas: readonly Insertable<Database['enablement.coaching_personas']>[],
): Promise<PersonaRow[]> =>
  tx
    .insertInto('enablement.coaching_personas')
    .values(personas)
    .returning(personaColumns)
    .$castTo<PersonaRow>()
    .execute()

export const insertScenarios = (
  tx: TenantTx,
  scenarios: readonly Insertable<Database['enablement.coaching_scenarios']>[],
): Promise<ScenarioRow[]> =>
  tx
    .insertInto('enablement.coaching_scenarios')
    .values(scenarios)
    .returning(scenarioColumns)
    .$castTo<ScenarioRow>()
    .execute()
