import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { ActivityRow } from '../activities/activities.queries.ts'
import { signals, touches } from '../activities/activity.rules.ts'
import type { SignalSource } from '../scoring/signals.rules.ts'

const columns = ['id', 'type', 'direction', 'subject', 'body', 'outcome', 'occurred_at'] as const
/** What is read of an activity when a lead is thought about. */
export type Moment = Pick<ActivityRow, (typeof columns)[number]>

/** What people did, on both sides, the latest first. What the product itself noticed says nothing new. */
export function latestMoments(tx: TenantTx, leadId: string, limit: number): Promise<Moment[]> {
  return tx
    .selectFrom('crm.activities')
    .select(columns)
    .where('lead_id', '=', leadId)
    .where('type', 'in', [...touches, ...signals])
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(limit))
    .execute()
}

/** The latest activities that are told in one of these ways: a short walk of an index for each, however long the timeline. */
export function momentsFrom(
  tx: TenantTx,
  leadId: string,
  sources: readonly SignalSource[],
  { since, limit }: { since: Date; limit: number },
): Promise<Moment[]> {
  const told = sql<Moment>`(
    select distinct seen.* from unnest(${sources.map(({ type }) => type)}::text[],
      ${sources.map(({ outcome = null }) => outcome)}::text[], ${sources.map(({ direction = null }) => direction)}::text[]
    ) as source (type, outcome, direction)
    cross join lateral (
      select id, type, direction, subject, body, outcome, occurred_at from crm.activities activity
      where activity.lead_id = ${leadId}::uuid and activity.type = source.type and activity.occurred_at > ${since}::timestamptz
        and (source.outcome is null or activity.outcome = source.outcome)
        and (source.direction is null or activity.direction = source.direction)
      order by activity.occurred_at desc, activity.id desc limit ${sql.lit(limit)}
    ) as seen)`
  return tx
    .selectFrom(told.as('told'))
    .select(columns)
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

type Result = { lead_id: string; kind: 'qualify' | 'draft'; engine: string; result: object; input_hash: Buffer }

export async function insertResult(tx: TenantTx, id: string, result: Result, createdBy: string | null): Promise<void> {
  await tx
    .insertInto('crm.lead_ai_results')
    .values({ id, ...result, result: JSON.stringify(result.result), created_by: createdBy })
    .execute()
}
