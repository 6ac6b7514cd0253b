import type { TestWorkspace } from './matrix-tenant.ts'

type Sql = TestWorkspace['sql']

/** Presence timestamps, which every authenticated request updates. */
const presenceColumns = ['last_seen_at', 'last_used_at', 'last_used_ip', 'last_login_at']

/** Statistics about requests, which any request may write. */
const statistics = ['platform.slow_statements', 'platform.tenant_usage']

/** Ignores audit entries of rejected and impersonated requests, which are written although nothing changes. */
const changesOnly = "new.outcome = 'success' and new.action <> 'impersonation.request'"

/**
 * Creates triggers that record in which tables the rows of a tenant are written, and for which tenants jobs are created. Reading
 * all tables before and after the calls would take longer.
 */
export async function recordWrites(sql: Sql): Promise<void> {
  await sql(`create schema matrix;
    create unlogged table matrix.writes (tenant text, table_name text);
    create index writes_by_tenant on matrix.writes (tenant);
    create function matrix.record_write() returns trigger language plpgsql security definer as $$
      begin
        insert into matrix.writes values (case when tg_op = 'DELETE' then old.tenant_id else new.tenant_id end, tg_argv[0]);
        return null;
      end $$;
    create function matrix.record_job() returns trigger language plpgsql security definer as $$
      begin
        insert into matrix.writes values (new.group_id, 'pgboss.job');
        return null;
      end $$;
    create trigger record_job after insert on pgboss.job for each row execute function matrix.record_job()`)
  const tables = await listTables(sql)
  await sql(tables.flatMap(triggersOf).join(';'))
}

/** Forgets the writes to rows of the tenant so far. */
export const forgetWrites = ({ sql, id }: TestWorkspace) => sql('delete from matrix.writes where tenant = $1', [id])

/** Returns the tables with writes to rows of the tenant since they were forgotten. */
export async function listWrittenTables({ sql, id }: TestWorkspace): Promise<string[]> {
  const { rows } = await sql('select distinct table_name from matrix.writes where tenant = $1 order by 1', [id])
  return rows.map(({ table_name }) => table_name)
}

type Table = { name: string; presence: string[] }

async function listTables(sql: Sql): Promise<Table[]> {
  const { rows } = await sql(
    `select c.oid::regclass::text as name,
       array(select attname from pg_attribute where attrelid = c.oid and attname = any ($1::text[]))::text[] as presence
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.relkind in ('r', 'p') and not c.relispartition and not a.attisdropped
       and c.oid <> all ($2::text[]::regclass[]) order by 1`,
    [presenceColumns, statistics],
  )
  return rows as Table[]
}

function triggersOf({ name, presence }: Table): string[] {
  const createTrigger = (events: string, condition = 'true') =>
    `create trigger record_${events.replaceAll(' ', '_')} after ${events} on ${name} for each row when (${condition})
     execute function matrix.record_write('${name}')`
  if (name === 'platform.audit_log') return [createTrigger('insert', changesOnly), createTrigger('update or delete')]
  if (!presence.length) return [createTrigger('insert or update or delete')]
  const valuesOf = (row: string) => `to_jsonb(${row}) - '{${presence}}'::text[]`
  return [createTrigger('insert or delete'), createTrigger('update', `(${valuesOf('old')}) <> (${valuesOf('new')})`)]
}

/** Returns the tables in which rows of this tenant contain the word. */
export async function tablesContaining({ sql, id }: TestWorkspace, word: string): Promise<string[]> {
  const select = ({ name }: Table) =>
    `(select '${name}' as name from ${name} row where tenant_id = $1 and row::text ilike '%' || $2 || '%' limit 1)`
  const { rows } = await sql((await listTables(sql)).map(select).join(' union all '), [id, word])
  return rows.map(({ name }) => name)
}
