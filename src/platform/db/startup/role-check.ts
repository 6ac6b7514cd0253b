import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import { outsideTenant } from '../tenant-tx.ts'

/** Throws if the role could bypass row-level security, as superusers and table owners can. */
export async function assertSafeRole(db: Db): Promise<void> {
  const { rows } = await outsideTenant(db, (tx) =>
    sql<{ reason: string }>`
      select 'is a superuser' as reason from pg_roles where rolname = current_user and rolsuper
      union all
      select 'may bypass row-level security' from pg_roles where rolname = current_user and rolbypassrls
      union all
      select 'owns ' || count(*) || ' tables and views (for example ' || min(c.oid::regclass::text) || ')'
      from pg_class c join pg_roles r on r.oid = c.relowner
      where c.relkind in ('r', 'p', 'v') and pg_has_role(r.oid, 'member') and c.relnamespace::regnamespace::text !~ '^pg_'
      having count(*) > 0
      union all
      select 'may create in ' || count(*) || ' schemas (for example ' || min(nspname) || ')' from pg_namespace
      where has_schema_privilege(oid, 'create') and nspname !~ '^pg_'
      having count(*) > 0
      union all
      select 'may act as ' || r.rolname from pg_roles r
      where r.rolname in ('app_system', 'app_search', 'app_retention') and pg_has_role(r.oid, 'member')
      union all
      select 'may truncate or refer to ' || count(*) || ' tables (for example ' || min(c.oid::regclass::text) || ')'
      from pg_class c
      where c.relkind in ('r', 'p') and c.relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
        and has_table_privilege(c.oid, 'truncate, references')
      having count(*) > 0
    `.execute(tx),
  )
  const reasons = rows.map(({ reason }) => reason)
  if (reasons.length)
    throw new Error(
      `DATABASE_URL: the role must not serve requests, because it ${reasons.join(', ')}. Use the role app.`,
    )
}
