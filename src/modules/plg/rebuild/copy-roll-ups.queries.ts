import { type RawBuilder, sql } from 'kysely'
import type { Database, TenantTx } from '#platform/db'

type RollUpTable = {
  table: keyof Database
  /** Columns of the primary key after the generation, with their types. */
  key: Record<string, RawBuilder<unknown>>
  columns: string[]
  /** Selects rows of days before that day. */
  isBefore(day: string): RawBuilder<unknown>
  /** Values to be inserted for columns that are not copied as they are. */
  values?(day: string): Record<string, RawBuilder<unknown>>
  onConflict: RawBuilder<unknown>
}

const isDayBefore = (day: string) => sql`page.day < ${day}::date`

/** Days of the month before the given one, if it is in that month. */
const keptDays = (day: string) => sql`case when page.month_on = date_trunc('month', ${day}::date)
  then page.days & ((1 << (extract(day from ${day}::date)::integer - 1)) - 1) else page.days end`

/** Active days are copied at the end, because batches of events change them only on days that are new for an actor. */
export const copiedTables: RollUpTable[] = [
  {
    table: 'plg.event_days',
    key: { day: sql`date`, name: sql`text`, shard: sql`smallint` },
    columns: ['events'],
    isBefore: isDayBefore,
    onConflict: sql`update set events = excluded.events`,
  },
  {
    table: 'plg.actor_event_days',
    key: { actor_id: sql`uuid`, name: sql`text`, day: sql`date`, shard: sql`smallint` },
    columns: ['is_account', 'events'],
    isBefore: isDayBefore,
    onConflict: sql`update set events = excluded.events`,
  },
  {
    table: 'plg.actor_days',
    key: { day: sql`date`, actor_id: sql`uuid` },
    columns: ['is_account'],
    isBefore: isDayBefore,
    onConflict: sql`nothing`,
  },
  {
    table: 'plg.first_days',
    key: { actor_id: sql`uuid` },
    columns: ['is_account', 'first_active_on'],
    isBefore: (day) => sql`page.first_active_on < ${day}::date`,
    onConflict: sql`update set first_active_on = least(stored.first_active_on, excluded.first_active_on)`,
  },
  {
    table: 'plg.actor_periods',
    key: { is_account: sql`boolean`, month_on: sql`date`, actor_id: sql`uuid` },
    columns: ['days'],
    isBefore: (day) => sql`page.month_on < ${day}::date and ${keptDays(day)} <> 0`,
    values: (day) => ({ days: keptDays(day) }),
    onConflict: sql`update set days = stored.days | excluded.days`,
  },
]

type CopyPage = { current: number; next: number; before: string; after: readonly string[] | null; limit: number }

/** Copies the next rows of a table and returns the key of the last row that was read, or undefined after the last one. */
export async function copyRollUpPage(
  tx: TenantTx,
  { table, key, columns, isBefore, values, onConflict }: RollUpTable,
  { current, next, before, after, limit }: CopyPage,
): Promise<string[] | undefined> {
  const names = Object.keys(key)
  const keyColumns = sql.join(names.map((name) => sql.ref(name)))
  const position = after
    ? sql`(${keyColumns}) > (${sql.join(names.map((name, index) => sql`${after[index]}::${key[name]!}`))})`
    : sql`true`
  const all = [...names, ...columns]
  const replaced = values?.(before) ?? {}
  const constraint = sql.ref(`${table.slice(table.indexOf('.') + 1)}_pkey`)
  const { rows } = await sql<{ last: string[] }>`
    with page as materialized (
      select ${sql.join(all.map((name) => sql.ref(name)))} from ${sql.table(table)}
      where generation = ${current} and ${position} order by ${keyColumns} limit ${limit}
    ),
    copied as (
      insert into ${sql.table(table)} as stored (generation, ${sql.join(all.map((name) => sql.ref(name)))})
      select ${next}::integer, ${sql.join(all.map((name) => replaced[name] ?? sql.ref(`page.${name}`)))}
      from page where ${isBefore(before)} order by ${keyColumns}
      on conflict on constraint ${constraint} do ${onConflict}
    )
    select array[${sql.join(names.map((name) => sql`${sql.ref(name)}::text`))}] as last
    from page order by ${sql.join(names.map((name) => sql`${sql.ref(name)} desc`))} limit 1
  `.execute(tx)
  return rows[0]?.last
}

type ActiveDays = { current: number; next: number; before: string }

/** Few rows per day: the active people and accounts. Rows that batches of events have added are in the copied numbers. */
export async function copyActiveDays(tx: TenantTx, { current, next, before }: ActiveDays): Promise<void> {
  const isCopied = sql`is_account = any (array[false, true]) and day < ${before}::date`
  await sql`delete from plg.active_days where generation = ${next} and ${isCopied}`.execute(tx)
  await sql`
    insert into plg.active_days (generation, is_account, day, shard, actors)
    select ${next}::integer, is_account, day, 0, sum(actors)::bigint from plg.active_days
    where generation = ${current} and ${isCopied} group by is_account, day
  `.execute(tx)
}
