import type pg from 'pg'

export const copySetup = `
  -- Keeps the timestamp of the id, which decides its partition.
  create function pg_temp.copy_id(id uuid, tenant uuid, copy bigint) returns uuid language sql immutable
    return (left(id::text, 15) || substr(md5(id::text || tenant || copy), 1, 3)
      || '-8' || substr(md5(id::text || tenant || copy), 4, 3) || '-' || right(md5(id::text || tenant || copy), 12))::uuid;
`

type Column = {
  name: string
  type: string
  /** The value must differ from that of other copies: no id in its unique index does. */
  isUnique: boolean
  isPartitionKey: boolean
  /** Table that a foreign key of the column refers to. */
  reference: string | null
}
type CopyOptions = {
  table: string
  from: string
  to: readonly string[]
  /** Number of copies of each row of a table. */
  copiesOf: (table: string) => number
}

/**
 * Inserts copies of the rows that the fixtures created in a table, with other ids, unique values and times. References between
 * copies with the same number stay valid. Returns the number of new rows.
 */
export async function copyRows(client: pg.ClientBase, { table, from, to, copiesOf }: CopyOptions): Promise<number> {
  const columns = await readColumns(client, table)
  const values = columns.map((column) => copyExpression(column, { isSameTenant: to.includes(from), copiesOf }))
  const { rowCount } = await client.query(
    `insert into ${table} (${columns.map(({ name }) => `"${name}"`).join(', ')})
     select ${values.join(', ')}
     from (select * from ${table} where tenant_id = $1) as original,
       unnest($2::uuid[]) as target, generate_series(1, $3::bigint) as copy
     ${(await hasDeferrableKey(client, table)) ? '' : 'on conflict do nothing'}`,
    [from, to, copiesOf(table)],
  )
  return rowCount ?? 0
}

/** PostgreSQL refuses ON CONFLICT for a table with such a constraint. */
async function hasDeferrableKey(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_constraint where conrelid = $1::regclass and contype = 'u' and condeferrable`,
    [table],
  )
  return rows.length > 0
}

type ExpressionOptions = { isSameTenant: boolean; copiesOf: (table: string) => number }

const sortedTexts = new Set(['name', 'title', 'label', 'subject'])

function copyExpression({ name, type, ...column }: Column, { isSameTenant, copiesOf }: ExpressionOptions): string {
  const value = `original."${name}"`
  if (name === 'tenant_id') return 'target'
  if (type === 'uuid') {
    if (isSameTenant && column.reference && keptTables.has(column.reference)) return value
    const copies = column.reference ? copiesOf(column.reference) : undefined
    const copied = `pg_temp.copy_id(${value}, target, ${copies ? `1 + copy % ${copies}` : 'copy'})`
    // Users are not copied, and not every column that refers to them has a foreign key.
    return isSameTenant
      ? `case when ${value} in (select id from identity.users) then ${value} else ${copied} end`
      : copied
  }
  if (column.isPartitionKey) return value
  if (type === 'timestamptz') return `${value} - copy % 300 * interval '1 day' - copy % 23 * interval '1 hour'`
  if (type === 'date') return `${value} - (copy % 300)::integer`
  if (type === 'bytea' && column.isUnique) return `sha256(${value} || convert_to(target::text || copy, 'UTF8'))`
  if (name === 'code' && column.isUnique) return `upper(left(md5(${value} || target || copy), 12))`
  if (type === 'text' && (column.isUnique || sortedTexts.has(name))) return `${value} || '_' || copy`
  if (type === 'int2' && column.isUnique) return `${value} + (copy % 3000)::smallint`
  if (/^int/.test(type) && column.isUnique) return `${value} + copy * 10`
  return value
}

/** Tables whose rows are needed to sign in, and tables that other statements fill. */
export const keptTables: ReadonlySet<string> = new Set([
  'crm.accounts',
  'crm.activities',
  'crm.contacts',
  'crm.custom_fields',
  'crm.deal_deltas',
  'crm.deal_sums',
  'crm.leads',
  'crm.lead_deltas',
  'crm.lead_durations',
  'crm.lead_rollups',
  'crm.lead_sources',
  'crm.opportunities',
  'crm.pipelines',
  'crm.pipeline_stages',
  'crm.record_tags',
  'crm.rollup_states',
  'crm.search_texts',
  'crm.stage_deltas',
  'crm.stage_sums',
  'identity.refresh_tokens',
  'identity.sessions',
  'identity.team_members',
  'identity.teams',
  'identity.user_credentials',
  'identity.user_presence',
  'identity.users',
])

async function readColumns(client: pg.ClientBase, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select a.attname as name, t.typname as type,
       exists (select from pg_index i where i.indrelid = a.attrelid and i.indisunique and a.attnum = any (i.indkey)
         and not exists (select from pg_attribute id where id.attrelid = a.attrelid and id.attnum = any (i.indkey)
           and (id.attname <> 'tenant_id' and id.atttypid = 'uuid'::regtype
             or id.attnum > a.attnum and id.attname <> 'channel' and id.atttypid in ('text'::regtype, 'integer'::regtype))))
         and a.attname <> 'channel' as "isUnique",
       coalesce(a.attnum = any (p.partattrs), false) as "isPartitionKey",
       (select f.confrelid::regclass::text from pg_constraint f
        where f.conrelid = a.attrelid and f.contype = 'f' and f.conkey[cardinality(f.conkey)] = a.attnum limit 1) as reference
     from pg_attribute a join pg_type t on t.oid = a.atttypid left join pg_partitioned_table p on p.partrelid = a.attrelid
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''`,
    [table],
  )
  return rows
}
