import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { SignalSource } from '../../people/scoring/signals.rules.ts'
import type { ActivityRow } from '../activities/activities.queries.ts'
import { signalTypes, touchTypes } from '../activities/activity.rules.ts'

const columns = ['id', 'type', 'direction', 'subject', 'body', 'outcome', 'occurred_at'] as const
export type AssistActivity = Pick<ActivityRow, (typeof columns)[number]>

/** Lists the latest activities of users and the lead; entries of the product itself are left out. */
export function listLatestActivities(tx: TenantTx, leadId: string, limit: number): Promise<AssistActivity[]> {
  return tx
    .selectFrom('crm.activities')
    .select(columns)
    .where('lead_id', '=', leadId)
    .where('type', 'in', [...touchTypes, ...signalTypes])
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(sql.lit(limit))
    .execute()
}

export function listActivitiesBySource(
  tx: TenantTx,
  leadId: string,
  sources: readonly SignalSource[],
  { since, limit }: { since: Date; limit: number },
): Promise<AssistActivity[]> {
  const matching = sql<AssistActivity>`(
    select distinct latest.* from unnest(${sources.map(({ type }) => type)}::text[],
      ${sources.map(({ outcome = null }) => outcome)}::text[], ${sources.map(({ direction = null }) => direction)}::text[]
    ) as source (type, outcome, direction)
    cross join lateral (
      select id, type, direction, subject, body, outcome, occurred_at from crm.activities activity
      where activity.lead_id = ${leadId}::uuid and activity.type = source.type and activity.occurred_at > ${since}::timestamptz
        and (source.outcome is null or activity.outcome = source.outcome)
        and (source.direction is null or activity.direction = source.direction)
      order by activity.occurred_at desc, activity.id desc limit ${sql.lit(limit)}
    ) as latest)`
  return tx
    .selectFrom(matching.as('matching'))
    .select(columns)
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

type NewAiResult = { lead_id: string; kind: 'qualify' | 'draft'; engine: string; result: object; input_hash: Buffer }

export async function insertAiResult(
  tx: TenantTx,
  id: string,
  result: NewAiResult,
  createdBy: string | null,
): Promise<void> {
  await tx
    .insertInto('crm.lead_ai_results')
    .values({ id, ...result, result: JSON.stringify(result.result), created_by: createdBy })
    .execute()
}
