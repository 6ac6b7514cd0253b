import { sql, type Updateable } from 'kysely'
import { actorOf, type Database, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { type LeadRow, leadColumns } from '../leads/leads.queries.ts'
import { stagesPassed } from '../persons/life-cycle.rules.ts'
import type { Turn } from './turns.rules.ts'

/** Gives all of them the same. As for one lead, a stage counts as an edit; of other fields the database knows it. */
export function changeFieldsOfAll(
  tx: TenantTx,
  ids: readonly string[],
  fields: Updateable<Database['crm.leads']>,
): Promise<LeadRow[]> {
  const isCounted = fields.lifecycle_stage !== undefined
  const counted = isCounted ? { version: sql<number>`version + 1`, updated_at: sql<Date>`now()` } : {}
  return tx
    .updateTable('crm.leads')
    .set({ ...fields, ...counted })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning([...leadColumns, 'score_reasons'])
    .execute()
}

type Note = { lead_id: string; meta: object }

/** The same thing in the timelines of many leads. */
export async function noteInTimelines(tx: TenantTx, type: string, notes: readonly Note[], at: Date): Promise<void> {
  if (!notes.length) return
  await sql`
    insert into crm.activities (type, direction, occurred_at, actor_type, actor_user_id, source, id, lead_id, meta)
    select ${type}, 'none', ${at}::timestamptz, 'system', ${actorOf(tx).userId}::uuid, 'system', note.*
    from unnest(${notes.map(() => newId())}::uuid[], ${notes.map(({ lead_id }) => lead_id)}::uuid[],
      ${notes.map(({ meta }) => JSON.stringify(meta))}::jsonb[]) as note
  `.execute(tx)
}

type Step = { lead_id: string; from: string; to: string; reason: string | null }

/** Steps of the life cycle of many leads, and those they imply. */
export async function noteStages(tx: TenantTx, steps: readonly Step[], at: Date): Promise<void> {
  if (!steps.length) return
  const rows = steps.flatMap(({ lead_id, from, to, reason }) => {
    const stages = [...stagesPassed(from, to), to]
    return stages.map((stage, index) => {
      const implied = index < stages.length - 1
      return { lead_id, from: stages[index - 1] ?? from, to: stage, implied, reason: implied ? null : reason }
    })
  })
  await sql`
    insert into crm.lifecycle_events (actor_user_id, at, id, lead_id, from_stage, to_stage, implied, reason)
    select ${actorOf(tx).userId}::uuid, ${at}::timestamptz, step.*
    from unnest(${rows.map(() => newId())}::uuid[], ${rows.map(({ lead_id }) => lead_id)}::uuid[],
      ${rows.map(({ from }) => from)}::text[], ${rows.map(({ to }) => to)}::text[],
      ${rows.map(({ implied }) => implied)}::boolean[], ${rows.map(({ reason }) => reason)}::text[]) as step
  `.execute(tx)
}

type Given = { lead_id: string; user_id: string }

/** Remembers who was given which leads, for whose turn it is next. */
export async function noteAssignments(tx: TenantTx, given: readonly Given[], at: Date): Promise<void> {
  if (!given.length) return
  await sql`
    insert into crm.lead_assignments (at, id, lead_id, user_id)
    select ${at}::timestamptz, given.* from unnest(${given.map(() => newId())}::uuid[],
      ${given.map(({ lead_id }) => lead_id)}::uuid[], ${given.map(({ user_id }) => user_id)}::uuid[]) as given
  `.execute(tx)
  await sql`
    insert into crm.assignment_state (user_id, last_assigned_at)
    select id, ${at}::timestamptz from unnest(${[...new Set(given.map(({ user_id }) => user_id))].sort()}::uuid[]) as id
    on conflict on constraint assignment_state_pkey do update set last_assigned_at = excluded.last_assigned_at
  `.execute(tx)
}

/** How many leads each of them got since an instant, and when the last one. */
export async function turnsSince(tx: TenantTx, userIds: readonly string[], since: Date): Promise<Turn[]> {
  const { rows } = await sql<Turn>`
    select turn.user_id, got.leads, turn.last_assigned_at from crm.assignment_state turn
    cross join lateral (
      select count(*)::integer as leads from crm.lead_assignments given
      where given.user_id = turn.user_id and given.at > ${since}
    ) as got
    where turn.user_id = any (${userIds}::uuid[])
  `.execute(tx)
  return rows
}
