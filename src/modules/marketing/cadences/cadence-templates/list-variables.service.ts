import { listTemplateVariables } from '#modules/email'
import type { TenantTx } from '#platform/db'
import type { TemplateVariables } from './cadence-templates.schemas.ts'

export async function listCadenceVariables(tx: TenantTx): Promise<TemplateVariables> {
  const items = await listTemplateVariables(tx)
  return { items, total: items.length }
}
