import { findUserCards, timezoneOf } from '#modules/identity'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { type TenantTx, violatedConstraint } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, conflict, invalid, notFound, roleRequired, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { expertCreated, expertDeleted, expertUpdated } from '../experts.events.ts'
import {
  deleteExpertRow,
  type ExpertRow,
  findExpertOfUser,
  insertExpert,
  replaceTopics,
  updateExpertRow,
} from '../records/experts.queries.ts'
import { assertTimezone } from '../records/experts.rules.ts'
import type { Expert, ExpertChanges, NewExpert } from '../records/experts.schemas.ts'
import { lockExpertWithSubstitutes, rerouteRequests } from '../requests/routing.service.ts'
import { readExpertSettings } from './expert-settings.ts'
import { presentExperts } from './present-experts.service.ts'

async function presentExpert(tx: TenantTx, row: ExpertRow, now: Date): Promise<Expert> {
  const [expert] = await presentExperts(tx, [row], now)
  return expert!
}

/** Texts stay out of the audit log. */
const auditedFields = ['user_id', 'topics', 'languages', 'timezone', 'max_open', 'is_active', 'out_until_on'] as const

const toAuditValues = (expert: ExpertRow) => Object.fromEntries(auditedFields.map((field) => [field, expert[field]]))

export async function createExpert(
  tx: TenantTx,
  actor: UserActor,
  input: NewExpert,
  { now }: { now: Date },
): Promise<Expert> {
  await assertMayRegister(tx, actor, input.user_id)
  assertTimezone(input.timezone)
  const user = (await findUserCards(tx, [input.user_id])).get(input.user_id)
  if (user?.status !== 'active') throw unknownReference('/user_id', 'active user')
  if (user.role === 'viewer') throw invalid('body', '/user_id', 'not_allowed', 'Viewers cannot be experts.')
  if (await findExpertOfUser(tx, input.user_id)) throw alreadyExists()
  const expert = await insertNewExpert(tx, {
    ...input,
    id: newId(),
    timezone: input.timezone ?? (await timezoneOf(tx)),
    created_at: now,
    updated_at: now,
  })
  await replaceTopics(tx, expert.id, expert.topics)
  await recordAudit(tx, 'expert.created', { id: expert.id, label: user.name, after: toAuditValues(expert) })
  await emit(tx, expertCreated, expert, { user_id: expert.user_id })
  return await presentExpert(tx, expert, now)
}

const alreadyExists = () => conflict('already_exists', 'The user is already an expert. Update the expert instead.')

/** A concurrent request can insert the same user first. */
async function insertNewExpert(tx: TenantTx, expert: Parameters<typeof insertExpert>[1]): Promise<ExpertRow> {
  try {
    return await insertExpert(tx, expert)
  } catch (error) {
    if (violatedConstraint(error) === 'experts_user_unique') throw alreadyExists()
    throw error
  }
}

async function assertMayRegister(tx: TenantTx, { role, userId }: UserActor, expertUserId: string): Promise<void> {
  if (isManagerOrAdmin(role)) return
  if (expertUserId !== userId) throw roleRequired('Only managers and admins can add other users as experts.')
  const { experts_self_register } = await readExpertSettings(tx)
  if (!experts_self_register)
    throw roleRequired(
      'Only managers and admins can add experts. The workspace does not allow users to add themselves.',
    )
}

type UpdateInput = { changes: ExpertChanges; expectedVersion?: number; now: Date }

export async function updateExpert(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { changes: requested, expectedVersion, now }: UpdateInput,
): Promise<Expert> {
  const { expert, substitutes } = await lockExpertWithSubstitutes(tx, id)
  if (!expert) throw notFound('expert')
  if (expert.user_id !== actor.userId && !isManagerOrAdmin(actor.role))
    throw roleRequired('Only the expert, managers and admins can change an expert.')
  assertVersion(expert, expectedVersion)
  assertTimezone(requested.timezone)
  const changes: Partial<ExpertRow> = changedFields(expert, requested)
  if (!Object.keys(changes).length) return await presentExpert(tx, expert, now)
  const updated = await storeChanges(tx, expert, changes)
  if (changes.is_active === false)
    await rerouteRequests(tx, expert, { substitutes, keepsAccepted: true, note: 'Expert inactive', now })
  return await presentExpert(tx, updated, now)
}

async function storeChanges(tx: TenantTx, expert: ExpertRow, changes: Partial<ExpertRow>): Promise<ExpertRow> {
  const { id, user_id } = expert
  const updated = await updateExpertRow(tx, id, changes)
  if (changes.topics) await replaceTopics(tx, id, changes.topics)
  const label = await readName(tx, expert)
  await recordAudit(tx, 'expert.updated', { id, label, before: toAuditValues(expert), after: toAuditValues(updated) })
  await emit(tx, expertUpdated, updated, { user_id, changed: Object.keys(changes) })
  return updated
}

async function readName(tx: TenantTx, { user_id }: ExpertRow): Promise<string> {
  return (await findUserCards(tx, [user_id])).get(user_id)?.name ?? ''
}

/** Gives the unanswered requests of the expert to others. Answered ones keep the user who answered. */
export async function deleteExpert(
  tx: TenantTx,
  id: string,
  { expectedVersion, now }: { expectedVersion?: number; now: Date },
): Promise<void> {
  const { expert, substitutes } = await lockExpertWithSubstitutes(tx, id)
  if (!expert) throw notFound('expert')
  assertVersion(expert, expectedVersion)
  await removeExpert(tx, expert, { substitutes, now })
}

type Removal = { substitutes: readonly ExpertRow[]; now: Date }

export async function removeExpert(tx: TenantTx, expert: ExpertRow, { substitutes, now }: Removal): Promise<void> {
  await rerouteRequests(tx, expert, { substitutes, keepsAccepted: false, note: 'Expert removed', now })
  await deleteExpertRow(tx, expert.id)
  const label = await readName(tx, expert)
  await recordAudit(tx, 'expert.deleted', { id: expert.id, label, before: toAuditValues(expert) })
  await emit(tx, expertDeleted, expert, { user_id: expert.user_id })
}

/** A deactivated user or viewer cannot answer, so the accepted requests also go to others. */
export async function deactivateExpertOfUser(tx: TenantTx, userId: string, now: Date): Promise<void> {
  const known = await findExpertOfUser(tx, userId)
  if (!known) return
  const { expert, substitutes } = await lockExpertWithSubstitutes(tx, known.id)
  if (!expert) return
  if (expert.is_active) await storeChanges(tx, expert, { is_active: false })
  await rerouteRequests(tx, expert, { substitutes, keepsAccepted: false, note: 'Expert inactive', now })
}
