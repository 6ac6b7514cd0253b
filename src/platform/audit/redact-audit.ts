import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Erases label and changes of all entries about these records. Requires the system role. Returns their number. */
export async function redactAuditEntries(tx: TenantTx, resourceType: string, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ redacted: number }>`
    select platform.redact_audit(${resourceType}, ${ids}::uuid[]) as redacted
  `.execute(tx)
  return rows[0]!.redacted
}
