import { type Selectable, sql } from 'kysely'
import type { Database, TenantTx } from '#platform/db'

type Counters = Database['surveys.counters']

const counterColumns = [
  'survey_id',
  'invited',
  'sent',
  'bounced',
  'started',
  'completed_invited',
  'completed_link',
  'unreleased',
  'released_link',
  'score_counts',
  'first_response_at',
] as const
export type CounterRow = Pick<Selectable<Counters>, (typeof counterColumns)[number]>

export async function insertCounters(tx: TenantTx, surveyId: string): Promise<void> {
  await tx.insertInto('surveys.counters').values({ survey_id: surveyId }).execute()
}

export const getCounters = (tx: TenantTx, surveyId: string): Promise<CounterRow> =>
  tx.selectFrom('surveys.counters').select(counterColumns).where('survey_id', '=', surveyId).executeTakeFirstOrThrow()

export const lockCounters = (tx: TenantTx, surveyId: string): Promise<CounterRow> =>
  tx
    .selectFrom('surveys.counters')
    .select(counterColumns)
    .where('survey_id', '=', surveyId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

export function listCounters(tx: TenantTx, surveyIds: readonly string[]): Promise<CounterRow[]> {
  return tx
    .selectFrom('surveys.counters')
    .select(counterColumns)
    .where('survey_id', '=', sql<string>`any(${surveyIds}::uuid[])`)
    .execute()
}

export type CompletionInput = {
  channel: 'email' | 'link'
  isStarted: boolean
  isReleased: boolean
  limit: number | null
  now: Date | null
}

/** Counts a response and holds the lock of the row, under which all figures change. Undefined if the limit is reached. */
export function countCompletion(
  tx: TenantTx,
  surveyId: string,
  { channel, isStarted, isReleased, limit, now }: CompletionInput,
): Promise<CounterRow | undefined> {
  return tx
    .updateTable('surveys.counters')
    .set((eb) => ({
      completed_invited: eb('completed_invited', '+', channel === 'email' ? 1 : 0),
      completed_link: eb('completed_link', '+', channel === 'link' ? 1 : 0),
      started: eb('started', '+', isStarted ? 0 : 1),
      unreleased: eb('unreleased', '+', isReleased ? 0 : 1),
      first_response_at: eb.fn.coalesce('first_response_at', eb.val(now)),
    }))
    .where('survey_id', '=', surveyId)
    .where(sql<boolean>`(${limit}::integer is null or completed_invited + completed_link < ${limit}::integer)`)
    .returning(counterColumns)
    .executeTakeFirst()
}

export async function countStart(tx: TenantTx, surveyId: string, now: Date): Promise<void> {
  await tx
    .updateTable('surveys.counters')
    .set((eb) => ({
      started: eb('started', '+', 1),
      first_response_at: eb.fn.coalesce('first_response_at', eb.val(now)),
    }))
    .where('survey_id', '=', surveyId)
    .execute()
}

/** Takes back what a deleted response added. The caller holds the lock of the row. */
export async function uncountCompletion(tx: TenantTx, surveyId: string, channel: 'email' | 'link'): Promise<void> {
  await tx
    .updateTable('surveys.counters')
    .set((eb) => ({
      completed_invited: eb('completed_invited', '-', channel === 'email' ? 1 : 0),
      completed_link: eb('completed_link', '-', channel === 'link' ? 1 : 0),
      started: eb.fn<number>('greatest', [eb('started', '-', 1), eb.val(0)]),
    }))
    .where('survey_id', '=', surveyId)
    .execute()
}

/** Adds numbers of responses per score, and takes released responses from those that wait. */
export async function addScoreCounts(
  tx: TenantTx,
  surveyId: string,
  { scoreCounts, released, releasedLink }: { scoreCounts: readonly number[]; released: number; releasedLink: number },
): Promise<void> {
  await sql`
    update surveys.counters
    set unreleased = unreleased - ${released}::integer, released_link = released_link + ${releasedLink}::integer,
      score_counts = array(
        select known.n + added.n
        from unnest(score_counts) with ordinality as known (n, score)
        join unnest(${[...scoreCounts]}::integer[]) with ordinality as added (n, score) using (score)
        order by score)
    where survey_id = ${surveyId}::uuid
  `.execute(tx)
}
