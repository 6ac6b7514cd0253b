import type { SystemTx } from '#platform/db'
import { newId } from '#platform/ids'

export type OperatorAct = {
  operator: string
  command: string
  args: Record<string, unknown>
  tenantId: string | null
  outcome: string
}

/** Kept when the workspace it was done to is gone, so it names people by id only. */
export async function insertOperatorAct(tx: SystemTx, act: OperatorAct): Promise<void> {
  const { operator, command, args, tenantId, outcome } = act
  await tx
    .insertInto('identity.operator_audit')
    .values({ id: newId(), operator, command, args: JSON.stringify(args), target_tenant: tenantId, outcome })
    .execute()
}
