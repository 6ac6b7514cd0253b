import { readCrmSettings } from '#modules/crm'
import { readTemplateVariables } from '#modules/email'
import type { TenantTx } from '#platform/db'
import { listSteps } from '../cadence-records/steps.queries.ts'
import type { Readiness } from './cadence.rules.ts'
import { listStepErrors } from './steps.rules.ts'

/** The variables of templates are checked again, because custom fields may have been deleted since. */
export async function readReadiness(tx: TenantTx, ids: readonly string[]): Promise<Map<string, Readiness>> {
  const [steps, variables, { sending }] = await Promise.all([
    listSteps(tx, ids),
    readTemplateVariables(tx),
    readCrmSettings(tx),
  ])
  const { from_address, postal_address } = sending
  const stepsByCadence = Map.groupBy(steps, ({ cadence_id }) => cadence_id)
  return new Map(
    ids.map((id) => {
      const own = stepsByCadence.get(id) ?? []
      const hasInvalidTemplate = listStepErrors(own, variables).length > 0
      return [id, { steps: own.length, hasInvalidTemplate, from_address, postal_address }]
    }),
  )
}
