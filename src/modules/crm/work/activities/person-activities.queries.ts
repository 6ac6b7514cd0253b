import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { ActivityRow } from './activities.queries.ts'

const columns = [
  'id',
  'lead_id',
  'contact_id',
  'type',
  'direction',
  'outcome',
  'source',
  'occurred_at',
  'due_at',
] as const
export type PersonActivity = Pick<ActivityRow, (typeof columns)[number]>

export const listActivitiesById = (tx: TenantTx, ids: readonly string[]): Promise<PersonActivity[]> =>
  tx.selectFrom('crm.activities').select(columns).where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()

/** Meetings in the timelines of leads or contacts that took place. */
export const listHeldMeetings = (
  tx: TenantTx,
  column: 'lead_id' | 'contact_id',
  ids: readonly string[],
): Promise<PersonActivity[]> =>
  tx
    .selectFrom('crm.activities')
    .select(columns)
    .where(column, '=', sql<string>`any(${ids}::uuid[])`)
    .where('type', '=', sql.lit('meeting'))
    .where('outcome', '=', sql.lit('held'))
    .execute()
