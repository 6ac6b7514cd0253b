import { sql } from 'kysely'
import { acquireAdvisoryLock, type TenantTx } from '#platform/db'

export type StateRow = {
  generation: number
  timezone: string
  inactive_events: string[]
  next_generation: number | null
  next_timezone: string | null
  next_inactive_events: string[] | null
  counted_on: string | null
  counted_from: Date | null
  next_counted_on: string | null
  next_counted_from: Date | null
  purged_until: Date | null
  rebuild_failed: boolean
}

const columns = [
  'generation',
  'timezone',
  'inactive_events',
  'next_generation',
  'next_timezone',
  'next_inactive_events',
  'counted_on',
  'counted_from',
  'next_counted_on',
  'next_counted_from',
  'purged_until',
  'rebuild_failed',
] as const

/** Makes the start and the end of a rebuild wait for this transaction, which adds events. */
export async function lockRollUpsShared(tx: TenantTx): Promise<void> {
  await acquireAdvisoryLock(tx, 'plg_roll_ups', { isShared: true })
}

export async function lockRollUps(tx: TenantTx): Promise<void> {
  await acquireAdvisoryLock(tx, 'plg_roll_ups')
}

export async function findState(tx: TenantTx): Promise<StateRow | undefined> {
  return await tx.selectFrom('plg.states').select(columns).executeTakeFirst()
}

/** Returns the existing row if another transaction was first. */
export async function insertState(
  tx: TenantTx,
  { timezone, inactive_events }: Pick<StateRow, 'timezone' | 'inactive_events'>,
): Promise<StateRow> {
  await tx
    .insertInto('plg.states')
    .values({ timezone, inactive_events })
    .onConflict((conflict) => conflict.constraint('states_pkey').doNothing())
    .execute()
  return (await findState(tx))!
}

export async function nextIngestSeq(tx: TenantTx): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select nextval('plg.ingest_seq') as seq`.execute(tx)
  return rows[0]!.seq
}
