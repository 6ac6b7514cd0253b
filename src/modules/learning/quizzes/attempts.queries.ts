import { type Insertable, sql, type Updateable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { type AttemptRow, type AttemptState, attemptColumns } from './attempt-row.ts'

type Attempts = Database['enablement.quiz_attempts']
type ModuleKey = { enrollment_id: string; module_id: string }

/** The enrollment must be locked, so that attempts are numbered without a gap. */
export const insertAttempt = (tx: TenantTx, attempt: Insertable<Attempts>): Promise<AttemptRow> =>
  tx
    .insertInto('enablement.quiz_attempts')
    .values(attempt)
    .returning(attemptColumns)
    .$castTo<AttemptRow>()
    .executeTakeFirstOrThrow()

export const updateAttemptRow = (tx: TenantTx, id: string, fields: Updateable<Attempts>): Promise<AttemptRow> =>
  tx
    .updateTable('enablement.quiz_attempts')
    .set(fields)
    .where('id', '=', id)
    .returning(attemptColumns)
    .$castTo<AttemptRow>()
    .executeTakeFirstOrThrow()

export const findAttempt = (tx: TenantTx, id: string, key: ModuleKey): Promise<AttemptRow | undefined> =>
  selectAttempts(tx, key).where('id', '=', id).executeTakeFirst()

export const findOpenAttempt = (tx: TenantTx, key: ModuleKey): Promise<AttemptRow | undefined> =>
  selectAttempts(tx, key).where('state', '=', sql.lit('open')).executeTakeFirst()

export type GradedAttempt = { earned: number; possible: number; submitted_at: Date }

/** Attempts that count for the score, in their order. Without questions and answers, because there can be many attempts. */
export async function listGradedAttempts(
  tx: TenantTx,
  { enrollment_id, module_id }: ModuleKey,
  fromNumber: number,
): Promise<GradedAttempt[]> {
  const { rows } = await sql<GradedAttempt>`
    select earned::float8 as earned, possible, submitted_at from enablement.quiz_attempts
    where enrollment_id = ${enrollment_id}::uuid and module_id = ${module_id}::uuid and state <> 'open'
      and number >= ${fromNumber}
    order by number
  `.execute(tx)
  return rows
}

const selectAttempts = (tx: TenantTx, { enrollment_id, module_id }: ModuleKey) =>
  tx
    .selectFrom('enablement.quiz_attempts')
    .select(attemptColumns)
    .where('enrollment_id', '=', enrollment_id)
    .where('module_id', '=', module_id)
    .$castTo<AttemptRow>()

export type AttemptSummary = Pick<
  AttemptRow,
  'id' | 'enrollment_id' | 'module_id' | 'number' | 'started_at' | 'deadline_at' | 'submitted_at' | 'score' | 'passed'
> & { state: AttemptState }

/** The newest attempt of each quiz of an enrollment, and an open one if it is another. Without questions and answers. */
export async function listNewestAttempts(tx: TenantTx, enrollmentId: string): Promise<AttemptSummary[]> {
  const { rows } = await sql<AttemptSummary>`
    select distinct on (module_id, state = 'open') id, enrollment_id, module_id, number, state, started_at, deadline_at,
      submitted_at, score, passed
    from enablement.quiz_attempts where enrollment_id = ${enrollmentId}::uuid
    order by module_id, state = 'open', number desc
  `.execute(tx)
  return rows
}
