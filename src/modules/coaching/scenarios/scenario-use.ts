import type { TenantTx } from '#platform/db'
import { defineExtensionPoint } from '#platform/module'

/** Throws if records of another module use the scenario, which cannot be deleted then. */
export type AssertScenarioUnused = (tx: TenantTx, scenario: { id: string }) => Promise<void>

export const scenarioUsePoint = defineExtensionPoint<AssertScenarioUnused>('uses of coaching scenarios')
