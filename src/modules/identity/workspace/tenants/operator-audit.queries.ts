import type { SystemTx } from '#platform/db'
import { newId } from '#platform/ids'

export type OperatorAuditEntry = {
  operator: string
  command: string
  args: Record<string, unknown>
  tenantId: string | null
  outcome: string
}

/** Entries outlive the workspace, so they must contain user ids only, no personal data. */
export async function insertOperatorAuditEntry(tx: SystemTx, entry: OperatorAuditEntry): Promise<void> {
  const { operator, command, args, tenantId, outcome } = entry
  await tx
    .insertInto('identity.operator_audit')
    .values({ id: newId(), operator, command, args: JSON.stringify(args), target_tenant: tenantId, outcome })
    .execute()
}
