import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Lists tables with rows of tenants that lack forced row-level security or its policy, partitions included. */
export async function listTablesWithoutIsolation(tx: TenantTx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select t.oid::regclass::text as name from pg_class t
    join pg_attribute c on c.attrelid = t.oid and c.attname = 'tenant_id' and not c.attisdropped
    join pg_namespace n on n.oid = t.relnamespace
    where t.relkind in ('r', 'p') and n.nspname not in ('pgboss', 'public') and not (
      t.relrowsecurity and t.relforcerowsecurity and (t.relispartition or exists (
        select from pg_policy p where p.polrelid = t.oid and p.polcmd = '*' and p.polroles = '{0}'
          and pg_get_expr(p.polqual, t.oid) = '(tenant_id = ( SELECT platform.current_tenant_id() AS current_tenant_id))'
          and pg_get_expr(p.polwithcheck, t.oid) = '(tenant_id = ( SELECT platform.current_tenant_id() AS current_tenant_id))')))
    order by 1
  `.execute(tx)
  return rows.map(({ name }) => name)
}
