import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Blanks what the entries about these records say, for good. Only the worker's role may. Returns how many entries there were. */
export async function redactAudit(tx: TenantTx, resourceType: string, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ redacted: number }>`
    select platform.redact_audit(${resourceType}, ${ids}::uuid[]) as redacted
  `.execute(tx)
  return rows[0]!.redacted
}
