import { type Insertable, sql, type Updateable } from 'kysely'
import {
  acquireAdvisoryLock,
  type Database,
  listTenantsAsRetention,
  listTenantsWithRows,
  type SystemTx,
  type TenantTx,
} from '#platform/db'
import { type MessageRow, messageColumns, type RoleplayRow, roleplayColumns } from './roleplay-row.ts'

type Sessions = Database['enablement.coaching_sessions']

/** The number of an attempt and the number of active roleplays of a user follow from the rows of the user. */
export const lockRoleplaysOfUser = (tx: TenantTx, userId: string): Promise<void> =>
  acquireAdvisoryLock(tx, `roleplays:${userId}`)

export async function countActiveRoleplays(tx: TenantTx, userId: string): Promise<number> {
  const { active } = await tx
    .selectFrom('enablement.coaching_sessions')
    .select(({ fn }) => fn.countAll<number>().as('active'))
    .where('rep_id', '=', userId)
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow()
  return active
}

type AttemptOf = { scenarioId: string | null; personaId: string; isPrivate: boolean }

/**
 * Returns the number of the last attempt of a user, 0 if there is none. Calls without a scenario are counted per persona. Private
 * attempts have numbers of their own, because a gap would show them to coaches.
 */
export async function findLastAttempt(
  tx: TenantTx,
  userId: string,
  { scenarioId, personaId, isPrivate }: AttemptOf,
): Promise<number> {
  const roleplays = tx
    .selectFrom('enablement.coaching_sessions')
    .select(sql<number>`coalesce(max(attempt_no), 0)`.as('attempt'))
    .where('rep_id', '=', userId)
    .where('kind', '=', 'roleplay')
    .where('is_private', '=', isPrivate)
  const { attempt } = await (scenarioId === null
    ? roleplays.where('scenario_id', 'is', null).where('persona_id', '=', personaId)
    : roleplays.where('scenario_id', '=', scenarioId)
  ).executeTakeFirstOrThrow()
  return attempt
}

export const insertRoleplay = (tx: TenantTx, session: Insertable<Sessions>): Promise<RoleplayRow> =>
  tx
    .insertInto('enablement.coaching_sessions')
    .values(session)
    .returning(roleplayColumns)
    .$castTo<RoleplayRow>()
    .executeTakeFirstOrThrow()

export const findRoleplay = (tx: TenantTx, id: string): Promise<RoleplayRow | undefined> =>
  tx
    .selectFrom('enablement.coaching_sessions')
    .select(roleplayColumns)
    .where('id', '=', id)
    .where('kind', '=', 'roleplay')
    .$castTo<RoleplayRow>()
    .executeTakeFirst()

type Claim = { claimId: string; now: Date; until: Date }
type EvaluationClaim = Claim & {
  turns?: number
}

/** Claims the turn of an active roleplay. Undefined if another request has a claim that has not expired. */
export const claimTurn = (tx: TenantTx, id: string, { claimId, now, until }: Claim): Promise<RoleplayRow | undefined> =>
  tx
    .updateTable('enablement.coaching_sessions')
    .set({ claim_id: claimId, claimed_until: until })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', now)]))
    .returning(roleplayColumns)
    .$castTo<RoleplayRow>()
    .executeTakeFirst()

/** Claims the evaluation of a roleplay that is active, or whose evaluation was lost. */
export const claimEvaluation = (
  tx: TenantTx,
  id: string,
  { claimId, now, until, turns }: EvaluationClaim,
): Promise<RoleplayRow | undefined> =>
  tx
    .updateTable('enablement.coaching_sessions')
    .set({ status: 'evaluating', last_activity_at: now, claim_id: claimId, claimed_until: until })
    .where('id', '=', id)
    .where('status', 'in', ['active', 'evaluating'])
    .$if(turns !== undefined, (update) => update.where('turns', '=', turns!))
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', now)]))
    .returning(roleplayColumns)
    .$castTo<RoleplayRow>()
    .executeTakeFirst()

/** A roleplay of which the seller asks for hints before its end is practice. */
export async function markHints(tx: TenantTx, id: string): Promise<void> {
  await tx
    .updateTable('enablement.coaching_sessions')
    .set({ practice_reason: 'hints' })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where('practice_reason', 'is', null)
    .where('is_private', '=', false)
    .execute()
}

/** Ends a claim without a result, so that the next request need not wait for its expiry. */
export async function releaseClaim(tx: TenantTx, id: string, claimId: string): Promise<void> {
  await tx
    .updateTable('enablement.coaching_sessions')
    .set({ claim_id: null, claimed_until: null })
    .where('id', '=', id)
    .where('claim_id', '=', claimId)
    .execute()
}

/** Returns a roleplay to the seller whose evaluation failed. */
export async function releaseEvaluation(tx: TenantTx, id: string, claimId: string): Promise<void> {
  await tx
    .updateTable('enablement.coaching_sessions')
    .set({ status: 'active', claim_id: null, claimed_until: null })
    .where('id', '=', id)
    .where('claim_id', '=', claimId)
    .execute()
}

/** Changes a roleplay and ends the claim. Undefined if the claim expired and another request took over. */
export const updateClaimedRoleplay = (
  tx: TenantTx,
  id: string,
  claimId: string,
  fields: Updateable<Sessions>,
): Promise<RoleplayRow | undefined> =>
  tx
    .updateTable('enablement.coaching_sessions')
    .set({ ...fields, claim_id: null, claimed_until: null })
    .where('id', '=', id)
    .where('claim_id', '=', claimId)
    .returning(roleplayColumns)
    .$castTo<RoleplayRow>()
    .executeTakeFirst()

export const listMessages = (tx: TenantTx, sessionId: string): Promise<MessageRow[]> =>
  tx
    .selectFrom('enablement.roleplay_messages')
    .select(messageColumns)
    .where('session_id', '=', sessionId)
    .orderBy('seq')
    .$castTo<MessageRow>()
    .execute()

export async function findMessageSeq(
  tx: TenantTx,
  sessionId: string,
  clientMessageId: string,
): Promise<number | undefined> {
  const message = await tx
    .selectFrom('enablement.roleplay_messages')
    .select('seq')
    .where('session_id', '=', sessionId)
    .where('client_message_id', '=', clientMessageId)
    .executeTakeFirst()
  return message?.seq
}

export const insertMessage = (
  tx: TenantTx,
  message: Insertable<Database['enablement.roleplay_messages']>,
): Promise<MessageRow> =>
  tx
    .insertInto('enablement.roleplay_messages')
    .values(message)
    .returning(messageColumns)
    .$castTo<MessageRow>()
    .executeTakeFirstOrThrow()

export const listTenantsWithMessages = (system: SystemTx, before: Date): Promise<string[]> =>
  listTenantsAsRetention(system, (tx) =>
    listTenantsWithRows(tx, 'enablement.roleplay_messages', sql`created_at < ${before}`),
  )

/** Deletes a batch and returns its size. A conversation that continues keeps its messages. */
export async function deleteOldMessages(tx: TenantTx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from enablement.roleplay_messages where id = any (array(
      select message.id from enablement.roleplay_messages as message
      where message.created_at < ${before} and not exists (
        select from enablement.coaching_sessions as session
        where session.id = message.session_id and session.status in ('active', 'evaluating'))
      order by message.created_at limit ${limit}::integer))
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}
