import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

const storedBytes = sql<number>`(select coalesce(sum(size_bytes), 0) from platform.files)`

export async function findUsageDrift(tx: TenantTx): Promise<string | undefined> {
  const { rows } = await sql<{ tenant_id: string }>`
    select platform.current_tenant_id() as tenant_id
    where coalesce((select bytes from platform.file_usage), 0) <> ${storedBytes}
  `.execute(tx)
  return rows[0]?.tenant_id
}

export async function lockFileUsage(tx: TenantTx): Promise<void> {
  await sql`
    insert into platform.file_usage (bytes) values (0)
    on conflict on constraint file_usage_pkey do update set bytes = file_usage.bytes
  `.execute(tx)
}

export async function updateFileUsage(tx: TenantTx): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update platform.file_usage set bytes = ${storedBytes} where bytes <> ${storedBytes}
  `.execute(tx)
  return Number(numAffectedRows)
}
