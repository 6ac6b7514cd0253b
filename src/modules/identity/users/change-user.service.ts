import type { SignedIn } from '#platform/access'
import { searchText, type TenantTx, violatedConstraint } from '#platform/db'
import { conflict, invalid, unknownReference } from '#platform/errors'
import { announceChanges } from './announce-changes.service.ts'
import {
  assertHandover,
  assertMayManage,
  assertNoCycle,
  assertNotLastAdmin,
  assertNotSelf,
  assertTransition,
  assertVersion,
  isOtherAddress,
  longestLine,
} from './change-user.rules.ts'
import { assertManagerExists } from './create-user.service.ts'
import { hasPassword } from './credentials.queries.ts'
import { endWhatEnds, handOverLater } from './user-effects.service.ts'
import { lockActiveAdmins, lockReportingLines, managersAbove } from './user-locks.queries.ts'
import {
  changeUserFields,
  findUser,
  findUserIdByEmail,
  getUser,
  lockCurrency,
  lockUser,
  type UserRow,
} from './users.queries.ts'
import { assertKnownPlace, quotaInMinor, realChanges } from './users.rules.ts'
import type { UserChanges } from './users.schemas.ts'
import { addressTaken } from './users.service.ts'

type ChangeRequest = { changes: UserChanges; expectedVersion?: number; now: Date }

export async function changeUser(tx: TenantTx, actor: SignedIn, userId: string, request: ChangeRequest) {
  const { changes, now } = request
  const user = await lockChangeable(tx, actor, userId, request)
  await assertSensible(tx, user, changes)
  const fields = realChanges(user, await fieldsOf(tx, user, changes, now))

  const changed = Object.keys(fields).length ? await storeFields(tx, user, fields) : user
  await endWhatEnds(tx, user, changed, now)
  await announceChanges(tx, user, changed, changes.reassign_to_user_id ?? null)
  const task = await handOverLater(tx, changed, changes.reassign_to_user_id)
  return { ...(await getUser(tx, actor, userId)), reassign_task_id: task?.task_id ?? null }
}

/** Everything that must hold still while it is decided, always locked in this order. */
async function lockChangeable(
  tx: TenantTx,
  actor: SignedIn,
  userId: string,
  { changes, expectedVersion }: ChangeRequest,
): Promise<UserRow> {
  assertHandover(userId, changes)
  if (changes.manager_id) await lockReportingLines(tx)
  const mayLoseAdmin = changes.role !== undefined || changes.status !== undefined
  const admins = mayLoseAdmin ? await lockActiveAdmins(tx) : []
  const user = await lockUser(tx, userId)

  assertMayManage(actor, user.role, changes.role)
  assertVersion(user, expectedVersion)
  assertTransition(user.status, changes.status)
  assertNotSelf(actor, user, changes)
  assertNotLastAdmin(user, admins, changes)
  return user
}

async function assertSensible(tx: TenantTx, user: UserRow, changes: UserChanges): Promise<void> {
  assertKnownPlace(changes)
  await assertManagerExists(tx, changes.manager_id)
  if (changes.manager_id) assertNoCycle(user.id, await managersAbove(tx, changes.manager_id, longestLine))
  if (changes.must_change_password && !(await hasPassword(tx, user.id)))
    throw conflict('conflict', 'This person has no password to change: they sign in another way.')
  if (changes.reassign_to_user_id) await assertCanTakeOver(tx, changes.reassign_to_user_id)
  if (changes.email === undefined || !isOtherAddress(user.email, changes.email)) return
  const holder = await findUserIdByEmail(tx, changes.email)
  if (holder && holder !== user.id) throw await addressTaken(tx, changes.email)
}

async function assertCanTakeOver(tx: TenantTx, userId: string): Promise<void> {
  const successor = await findUser(tx, userId)
  if (!successor || successor.status === 'erased') throw unknownReference('/reassign_to_user_id', 'user')
  if (successor.status !== 'active')
    throw invalid('body', '/reassign_to_user_id', 'inactive', 'Name somebody who is active to take over.')
}

type Fields = Partial<UserRow>

/** The changes as the table holds them, with what follows from them. */
async function fieldsOf(tx: TenantTx, user: UserRow, changes: UserChanges, now: Date): Promise<Fields> {
  const { quarterly_quota, status, reassign_to_user_id: _, ...plain } = changes
  const fields: Fields = { ...plain }
  if (quarterly_quota !== undefined)
    fields.quarterly_quota_minor = quotaInMinor(quarterly_quota, await lockCurrency(tx))
  if (status !== undefined && status !== user.status)
    Object.assign(fields, { status, deactivated_at: status === 'deactivated' ? now : null })
  if (plain.email !== undefined && isOtherAddress(user.email, plain.email)) fields.email_verified_at = null
  return fields
}

async function storeFields(tx: TenantTx, user: UserRow, fields: Fields): Promise<UserRow> {
  const search_text = searchText(fields.name ?? user.name, fields.email ?? user.email)
  try {
    return await changeUserFields(tx, user.id, { ...fields, search_text })
  } catch (error) {
    // Somebody took the address between the look and the change.
    if (violatedConstraint(error) === 'users_email_unique')
      throw conflict('already_exists', 'Somebody has this e-mail address already.')
    throw error
  }
}
