import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import type { RepairResult } from './integrity.rules.ts'

const maxAuditedIds = 100

export async function recordRepair(tx: TenantTx, code: string, { found, repaired }: RepairResult): Promise<void> {
  const records = found.slice(0, maxAuditedIds).map(({ resource_type, id }) => `${resource_type} ${id}`)
  await recordAudit(tx, 'data_integrity.repaired', { id: null, label: code, after: { repaired, records } })
}
