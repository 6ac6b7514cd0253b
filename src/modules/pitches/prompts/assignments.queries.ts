import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'

export type AssignmentRow = {
  id: string
  prompt_id: string
  user_id: string
  due_on: string | null
  status: 'open' | 'done'
}

const assignmentColumns = ['id', 'prompt_id', 'user_id', 'due_on', 'status'] as const

type NewAssignment = { id: string; prompt_id: string; user_id: string; due_on: string | null; created_by: string }

/** Inserts in the order of the users, so that two requests cannot wait for each other. Returns new and changed rows. */
export async function upsertAssignments(
  tx: TenantTx,
  assignments: readonly NewAssignment[],
  { replacesDueOn }: { replacesDueOn: boolean },
): Promise<AssignmentRow[]> {
  const { columns, rows } = selectRows(assignments, {
    id: 'uuid',
    prompt_id: 'uuid',
    user_id: 'uuid',
    due_on: 'date',
    created_by: 'uuid',
  })
  return await tx
    .insertInto('enablement.pitch_assignments')
    .columns(columns)
    .expression(sql`${rows} order by user_id`)
    .onConflict((existing) => {
      const conflict = existing.constraint('pitch_assignments_user_unique')
      return replacesDueOn
        ? conflict
            .doUpdateSet(({ ref }) => ({ due_on: ref('excluded.due_on') }))
            .where('enablement.pitch_assignments.due_on', 'is distinct from', ({ ref }) => ref('excluded.due_on'))
        : conflict.doNothing()
    })
    .returning(assignmentColumns)
    .$castTo<AssignmentRow>()
    .execute()
}

export const findAssignment = (tx: TenantTx, promptId: string, userId: string): Promise<AssignmentRow | undefined> =>
  selectAssignment(tx, promptId, userId).executeTakeFirst()

export const lockAssignment = (tx: TenantTx, promptId: string, userId: string): Promise<AssignmentRow | undefined> =>
  selectAssignment(tx, promptId, userId).forNoKeyUpdate().executeTakeFirst()

const selectAssignment = (tx: TenantTx, promptId: string, userId: string) =>
  tx
    .selectFrom('enablement.pitch_assignments')
    .select(assignmentColumns)
    .where('prompt_id', '=', promptId)
    .where('user_id', '=', userId)
    .$castTo<AssignmentRow>()

export const listAssignmentsOfUser = (
  tx: TenantTx,
  userId: string,
  promptIds: readonly string[],
): Promise<AssignmentRow[]> =>
  tx
    .selectFrom('enablement.pitch_assignments')
    .select(assignmentColumns)
    .where('user_id', '=', userId)
    .where('prompt_id', '=', sql<string>`any(${promptIds}::uuid[])`)
    .$castTo<AssignmentRow>()
    .execute()

export type OpenAssignment = AssignmentRow & { title: string; takes: number; best_score: number | null }

/** Open assignments of active prompts, those with the earliest due date first. */
export const listOpenAssignments = (tx: TenantTx, userId: string, limit: number): Promise<OpenAssignment[]> =>
  tx
    .selectFrom('enablement.pitch_assignments as assignment')
    .innerJoin('enablement.pitch_prompts as prompt', 'prompt.id', 'assignment.prompt_id')
    .select([
      'assignment.id',
      'assignment.prompt_id',
      'assignment.user_id',
      'assignment.due_on',
      'assignment.status',
      'prompt.title',
    ])
    .select((eb) => [
      eb
        .selectFrom('enablement.pitch_submissions as take')
        .select(sql<number>`count(*)::int`.as('takes'))
        .whereRef('take.prompt_id', '=', 'assignment.prompt_id')
        .where('take.user_id', '=', userId)
        .where('take.is_practice', '=', false)
        .where('take.deleted_at', 'is', null)
        .as('takes'),
      eb
        .selectFrom('enablement.pitch_submissions as best')
        .select(sql<number | null>`best.final_score::float8`.as('best_score'))
        .whereRef('best.id', '=', 'assignment.best_submission_id')
        .as('best_score'),
    ])
    .where('assignment.user_id', '=', userId)
    .where('assignment.status', '=', sql.lit('open'))
    .where('prompt.status', '=', sql.lit('active'))
    .where('prompt.deleted_at', 'is', null)
    .orderBy('assignment.due_on')
    .orderBy('assignment.id')
    .limit(limit)
    .$castTo<OpenAssignment>()
    .execute()

/** A page of the open assignments of a prompt, by id. */
export const listAssigneesAfter = (
  tx: TenantTx,
  promptId: string,
  after: string,
  limit: number,
): Promise<Pick<AssignmentRow, 'id' | 'user_id' | 'due_on'>[]> =>
  tx
    .selectFrom('enablement.pitch_assignments')
    .select(['id', 'user_id', 'due_on'])
    .where('prompt_id', '=', promptId)
    .where('status', '=', 'open')
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .$castTo<Pick<AssignmentRow, 'id' | 'user_id' | 'due_on'>>()
    .execute()

/** Copies due dates to submissions, in whose index the review queue is sorted. Locks them in id order. */
export async function copyDueDates(tx: TenantTx, promptId: string, userIds: readonly string[]): Promise<void> {
  const locked = await tx
    .selectFrom('enablement.pitch_submissions')
    .select('id')
    .where('prompt_id', '=', promptId)
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .where('is_practice', '=', false)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  await tx
    .updateTable('enablement.pitch_submissions as submission')
    .from('enablement.pitch_assignments as assignment')
    .set(({ ref }) => ({ due_on: ref('assignment.due_on') }))
    .where('submission.id', '=', sql<string>`any(${locked.map(({ id }) => id)}::uuid[])`)
    .whereRef('assignment.prompt_id', '=', 'submission.prompt_id')
    .whereRef('assignment.user_id', '=', 'submission.user_id')
    .whereRef('assignment.due_on', 'is distinct from', 'submission.due_on')
    .returning('submission.id')
    .execute()
}

const best = sql`(
  select take.id from enablement.pitch_submissions take
  where take.prompt_id = assignment.prompt_id and take.user_id = assignment.user_id and not take.is_practice
    and take.status <> 'draft' and take.deleted_at is null and take.final_score is not null
  order by take.final_score desc, take.take_no limit 1)`

const status = sql`case when exists (
  select from enablement.pitch_submissions take
  where take.prompt_id = assignment.prompt_id and take.user_id = assignment.user_id and not take.is_practice
    and take.status = 'reviewed' and take.passed and take.deleted_at is null) then 'done' else 'open' end`

/** Assignments whose status or best submission does not follow from the submissions. */
export async function listStaleAssignmentIds(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select assignment.id from enablement.pitch_assignments assignment
    where assignment.best_submission_id is distinct from ${best} or assignment.status <> ${status}
    order by assignment.id limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Derives status and best submission from the submissions. Locks in id order to avoid deadlocks. */
export async function refreshAssignments(tx: TenantTx, ids: readonly string[]): Promise<number> {
  await sql`
    select id from enablement.pitch_assignments where id = any (${ids}::uuid[]) order by id for no key update
  `.execute(tx)
  const { rows } = await sql`
    update enablement.pitch_assignments assignment set best_submission_id = ${best}, status = ${status}
    where id = any (${ids}::uuid[]) and (assignment.best_submission_id is distinct from ${best} or assignment.status <> ${status})
    returning id
  `.execute(tx)
  return rows.length
}
