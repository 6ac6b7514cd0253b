import { sql } from 'kysely'
import { isAnyOf, listTenantsAsRetention, type SystemTx, selectRows, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { ComponentName, Gap, Level } from './readiness.rules.ts'

export type ReadinessRow = {
  user_id: string
  score_tenths: number | null
  level: Level
  coverage: number
  components: Record<ComponentName, number | null>
  gaps: Gap[]
  computed_at: Date
}

export type RenewedScore = ReadinessRow & { valid_until: Date }

const columns = sql`user_id, score_tenths, level, coverage::float8 as coverage, components, gaps, computed_at`

export async function listReadinessRows(tx: TenantTx, userIds: readonly string[]): Promise<ReadinessRow[]> {
  const { rows } = await sql<ReadinessRow>`
    select ${columns} from enablement.readiness_scores where user_id = any (${userIds}::uuid[])
  `.execute(tx)
  return rows
}

export type ScoreRow = Pick<ReadinessRow, 'user_id' | 'score_tenths' | 'level'>

export type Users = readonly string[] | null

export type StoredScore = ScoreRow & Pick<ReadinessRow, 'computed_at'>

export async function listScores(tx: TenantTx, users: Users): Promise<StoredScore[]> {
  const scores = await tx
    .selectFrom('enablement.readiness_scores')
    .select(['user_id', 'score_tenths', 'level', 'computed_at'])
    .where(isAnyOf('user_id', users))
    .execute()
  return scores as StoredScore[]
}

/** Users whose score is too old or whose records have changed, except views; users without a score are not among them. */
export async function listOutdatedUserIds(tx: TenantTx, users: Users, now: Date): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from enablement.readiness_marks where ${isAnyOf('user_id', users)}
    union select user_id from enablement.readiness_scores where valid_until <= ${now} and ${isAnyOf('user_id', users)}
  `.execute(tx)
  return rows.map(({ user_id }) => user_id)
}

export async function findOldestCalculation(tx: TenantTx, userIds: readonly string[]): Promise<Date | null> {
  const { computed_at } = await tx
    .selectFrom('enablement.readiness_scores')
    .select(({ fn }) => fn.min<Date | null>('computed_at').as('computed_at'))
    .where(isAnyOf('user_id', userIds))
    .executeTakeFirstOrThrow()
  return computed_at
}

export async function listUsersToRenew(tx: TenantTx, userIds: readonly string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select person.id from unnest(${userIds}::uuid[]) as person (id)
      left join enablement.readiness_scores score on score.user_id = person.id
    where score.user_id is null or score.valid_until <= ${now}
    order by person.id
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Scores that are still too old after all sellers were calculated belong to users without a readiness, such as deactivated ones. */
export async function endRenewals(tx: TenantTx, startedAt: Date): Promise<void> {
  await sql`
    update enablement.readiness_scores set valid_until = 'infinity' where user_id = any (array(
      select user_id from enablement.readiness_scores where valid_until <= ${startedAt} order by user_id for update))
  `.execute(tx)
}

/** Locks in the order of the users, so that two runs cannot wait for each other. */
export async function lockScores(tx: TenantTx, userIds: readonly string[]): Promise<ScoreRow[]> {
  const { rows } = await sql<ScoreRow>`
    select user_id, score_tenths, level from enablement.readiness_scores where user_id = any (${userIds}::uuid[])
    order by user_id for update
  `.execute(tx)
  return rows
}

/** Inserts a row for each user without one, so that it can be locked. Returns the ids of these users. */
export async function insertMissingScores(tx: TenantTx, userIds: readonly string[], now: Date): Promise<Set<string>> {
  const { rows } = await sql<{ user_id: string }>`
    insert into enablement.readiness_scores (user_id, level, coverage, components, gaps, computed_at)
    select id, 'unknown', 0, '{}', '[]', ${now} from unnest(${userIds}::uuid[]) as person (id) order by id
    on conflict on constraint readiness_scores_pkey do nothing returning user_id
  `.execute(tx)
  return new Set(rows.map(({ user_id }) => user_id))
}

export async function upsertScores(tx: TenantTx, scores: readonly RenewedScore[]): Promise<void> {
  const { columns: names, rows } = selectRows(scores, {
    user_id: 'uuid',
    score_tenths: 'integer',
    level: 'text',
    coverage: 'numeric',
    components: 'jsonb',
    gaps: 'jsonb',
    computed_at: 'timestamptz',
    valid_until: 'timestamptz',
  })
  await tx
    .insertInto('enablement.readiness_scores')
    .columns(names)
    .expression(sql`${rows} order by user_id`)
    .onConflict((existing) =>
      existing.constraint('readiness_scores_pkey').doUpdateSet(({ ref }) => ({
        score_tenths: ref('excluded.score_tenths'),
        level: ref('excluded.level'),
        coverage: ref('excluded.coverage'),
        components: ref('excluded.components'),
        gaps: ref('excluded.gaps'),
        computed_at: ref('excluded.computed_at'),
        valid_until: ref('excluded.valid_until'),
      })),
    )
    .execute()
}

export async function upsertReadinessSnapshots(
  tx: TenantTx,
  day: string,
  scores: readonly Pick<ReadinessRow, 'user_id' | 'score_tenths' | 'components'>[],
): Promise<void> {
  const { columns: names, rows } = selectRows(
    scores.map(({ user_id, score_tenths, components }) => ({
      user_id,
      day,
      score_tenths,
      components,
    })),
    { user_id: 'uuid', day: 'date', score_tenths: 'integer', components: 'jsonb' },
  )
  await tx
    .insertInto('enablement.readiness_snapshots')
    .columns(names)
    .expression(sql`${rows} order by user_id`)
    .onConflict((existing) =>
      existing.constraint('readiness_snapshots_pkey').doUpdateSet(({ ref }) => ({
        score_tenths: ref('excluded.score_tenths'),
        components: ref('excluded.components'),
      })),
    )
    .execute()
}

export async function listHistory(
  tx: TenantTx,
  userId: string,
  since: string,
): Promise<{ day: string; score_tenths: number | null }[]> {
  return await tx
    .selectFrom('enablement.readiness_snapshots')
    .select(['day', 'score_tenths'])
    .where('user_id', '=', userId)
    .where('day', '>=', since)
    .orderBy('day')
    .execute()
}

/** The last score of each user at that day. */
export async function listScoresAt(
  tx: TenantTx,
  userIds: readonly string[],
  day: string,
): Promise<{ user_id: string; score_tenths: number | null }[]> {
  const { rows } = await sql<{ user_id: string; score_tenths: number | null }>`
    select person.id as user_id, snapshot.score_tenths from unnest(${userIds}::uuid[]) as person (id) cross join lateral (
      select score_tenths from enablement.readiness_snapshots where user_id = person.id and day <= ${day}::date
      order by day desc limit 1) as snapshot
  `.execute(tx)
  return rows
}

/** One row per change, so that a change during a calculation is not lost. */
export async function markUsers(tx: TenantTx, userIds: readonly string[]): Promise<void> {
  if (!userIds.length) return
  const marks = [...new Set(userIds)].map((user_id) => ({ id: newId(), user_id }))
  const { columns: names, rows } = selectRows(marks, { id: 'uuid', user_id: 'uuid' })
  await tx.insertInto('enablement.readiness_marks').columns(names).expression(rows).execute()
}

export async function listMarks(tx: TenantTx, limit: number): Promise<{ id: string; user_id: string }[]> {
  return await tx
    .selectFrom('enablement.readiness_marks')
    .select(['id', 'user_id'])
    .orderBy('user_id')
    .limit(limit)
    .execute()
}

export async function deleteMarks(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('enablement.readiness_marks').where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()
}

export async function deleteReadinessOf(tx: TenantTx, userId: string): Promise<Record<string, number>> {
  const deleteFrom = async (table: 'readiness_scores' | 'readiness_snapshots' | 'readiness_marks') => {
    const { numDeletedRows } = await tx
      .deleteFrom(`enablement.${table}`)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  }
  return {
    'enablement.readiness_scores': await deleteFrom('readiness_scores'),
    'enablement.readiness_snapshots': await deleteFrom('readiness_snapshots'),
    'enablement.readiness_marks': await deleteFrom('readiness_marks'),
  }
}

export const listTenantsWithMarks = (system: SystemTx): Promise<string[]> =>
  listTenantsAsRetention(system, async (tx) => {
    const { rows } = await sql<{ tenant_id: string }>`
      select distinct tenant_id from enablement.readiness_marks
    `.execute(tx)
    return rows.map(({ tenant_id }) => tenant_id)
  })

export const listTenantsToRenew = (system: SystemTx, now: Date): Promise<string[]> =>
  listTenantsAsRetention(system, async (tx) => {
    const { rows } = await sql<{ tenant_id: string }>`
      select distinct tenant_id from enablement.readiness_scores where valid_until <= ${now}
    `.execute(tx)
    return rows.map(({ tenant_id }) => tenant_id)
  })
