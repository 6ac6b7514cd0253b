import { findUserCards, type UserCard } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { Page, TenantTx } from '#platform/db'
import { assertVersion, notFound } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { suspensionEnded, userSuspended } from '../community.events.ts'
import {
  deleteSuspensionRow,
  findActiveSuspension,
  findSuspension,
  listSuspensionRows,
  type SuspensionRow,
  upsertSuspension,
} from './suspensions.queries.ts'
import { assertInFuture, assertMaySuspend, isActive, suspendedError } from './suspensions.rules.ts'
import type { CommunitySuspension, NewSuspension, SuspensionQuery } from './suspensions.schemas.ts'

/** Every change of threads, replies, reports and settings of rooms calls this first. */
export async function assertNotSuspended(tx: TenantTx, { userId }: Pick<UserActor, 'userId'>): Promise<void> {
  const suspension = await findActiveSuspension(tx, userId)
  if (suspension) throw suspendedError(suspension)
}

/** Null is a viewer that is not a user. */
export const isSuspended = async (tx: TenantTx, viewer: Pick<UserActor, 'userId'> | null): Promise<boolean> =>
  viewer !== null && (await findActiveSuspension(tx, viewer.userId)) !== undefined

export async function listCommunitySuspensions(
  tx: TenantTx,
  query: SuspensionQuery,
  now: Date,
): Promise<Page<CommunitySuspension>> {
  const { items, ...rest } = await listSuspensionRows(tx, query)
  return { ...rest, items: await presentSuspensions(tx, items, now) }
}

type SuspensionInput = { suspension: NewSuspension; expectedVersion?: number; now: Date }

export async function replaceCommunitySuspension(
  tx: TenantTx,
  actor: UserActor,
  userId: string,
  { suspension: { reason, ends_at = null }, expectedVersion, now }: SuspensionInput,
): Promise<CommunitySuspension> {
  await assertNotSuspended(tx, actor)
  const user = await getSuspendableUser(tx, actor, userId)
  const endsAt = ends_at === null ? null : new Date(ends_at)
  assertInFuture(endsAt, now)
  const before = await findSuspension(tx, userId)
  if (before) assertVersion(before, expectedVersion)

  const row = await upsertSuspension(tx, { id: newId(), userId, reason, endsAt, suspendedBy: actor.userId, now })
  await recordAudit(tx, 'user.community_suspended', {
    id: userId,
    label: user.name,
    ...(before && { before: auditedFields(before) }),
    after: auditedFields(row),
  })
  await emit(tx, userSuspended, { id: userId, version: row.version }, { ends_at: endsAt?.toISOString() ?? null })
  return (await presentSuspensions(tx, [row], now))[0]!
}

export async function deleteCommunitySuspension(
  tx: TenantTx,
  actor: UserActor,
  userId: string,
  expectedVersion?: number,
): Promise<void> {
  await assertNotSuspended(tx, actor)
  const user = await getSuspendableUser(tx, actor, userId)
  const before = await findSuspension(tx, userId)
  if (!before) throw notFound('suspension')
  assertVersion(before, expectedVersion)
  const deleted = await deleteSuspensionRow(tx, userId)
  if (!deleted) throw notFound('suspension')

  const entry = { id: userId, label: user.name, before: auditedFields(deleted) }
  await recordAudit(tx, 'user.community_suspension_ended', entry)
  await emit(tx, suspensionEnded, { id: userId, version: deleted.version }, {})
}

const auditedFields = ({ reason, ends_at }: SuspensionRow) => ({ reason, ends_at })

async function getSuspendableUser(tx: TenantTx, actor: UserActor, userId: string): Promise<UserCard> {
  const user = (await findUserCards(tx, [userId])).get(userId)
  if (!user || user.status === 'erased') throw notFound('user')
  assertMaySuspend(actor, user)
  return user
}

async function presentSuspensions(
  tx: TenantTx,
  rows: readonly SuspensionRow[],
  now: Date,
): Promise<CommunitySuspension[]> {
  const ids = rows.flatMap(({ user_id, suspended_by }) => [user_id, ...(suspended_by ? [suspended_by] : [])])
  const users = await findUserCards(tx, ids)
  const referenceTo = (id: string) => ({ id, name: users.get(id)?.name ?? '' })
  return rows.map(({ id: _, user_id, suspended_by, ...row }) => ({
    ...row,
    user: referenceTo(user_id),
    suspended_by: suspended_by === null ? null : referenceTo(suspended_by),
    is_active: isActive(row, now),
  }))
}
