import type { Role, UserActor } from '#platform/access'
import { type TenantTx, toSearchText, violatedConstraint } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, conflict, invalid, unknownReference } from '#platform/errors'
import { hasPassword } from '../../workspace/user-records/credentials.queries.ts'
import {
  findUser,
  findUserIdByEmail,
  getUser,
  lockBaseCurrency,
  lockUser,
  type UserRow,
  updateUserRow,
} from '../../workspace/user-records/users.queries.ts'
import { assertValidTimezoneAndLocale, toQuotaMinor } from '../../workspace/user-records/users.rules.ts'
import type { UserChanges } from '../../workspace/user-records/users.schemas.ts'
import { assertManagerExists } from './create-user.service.ts'
import { emailTaken } from './create-user-row.service.ts'
import { assertCanManageUser, updateActionsOf } from './manage-user.rules.ts'
import { publishUserChanges } from './publish-user-changes.service.ts'
import {
  assertNoReportingCycle,
  assertNotLastAdmin,
  assertNotOwnRoleOrStatus,
  assertReassignment,
  assertUserTransition,
  isDifferentEmail,
  maxReportingDepth,
} from './update-user.rules.ts'
import { revokeAccessAfterChange, startReassignment } from './user-effects.service.ts'
import { listManagersAbove, lockActiveAdmins, lockReportingLines } from './user-locks.queries.ts'

type UpdateUserRequest = { changes: UserChanges; expectedVersion?: number; now: Date }

export async function updateUser(tx: TenantTx, actor: UserActor, userId: string, request: UpdateUserRequest) {
  const { changes, now } = request
  const currency = changes.quarterly_quota === undefined ? undefined : await lockBaseCurrency(tx)
  const user = await lockAndCheckUser(tx, actor, userId, request)
  await assertValidChanges(tx, user, changes)
  const columns = changedFields(user, toUserColumns(user, changes, { currency, now }))

  const updated = Object.keys(columns).length ? await saveUserColumns(tx, user, columns) : user
  await revokeAccessAfterChange(tx, user, updated, now)
  await publishUserChanges(tx, user, updated, changes.reassign_to_user_id ?? null)
  const task = await startReassignment(tx, updated, changes.reassign_to_user_id)
  return { ...(await getUser(tx, actor, userId)), reassign_task_id: task?.task_id ?? null }
}

async function lockAndCheckUser(
  tx: TenantTx,
  actor: UserActor,
  userId: string,
  { changes, expectedVersion, now }: UpdateUserRequest,
): Promise<UserRow> {
  assertReassignment(userId, changes)
  if (changes.manager_id) await lockReportingLines(tx)
  const mayLoseAdmin = changes.role !== undefined || changes.status !== undefined
  const admins = mayLoseAdmin ? await lockActiveAdmins(tx) : []
  const user = await lockUser(tx, userId)

  for (const action of updateActionsOf(user, changes)) assertCanManageUser(actor, action, user.role as Role, now)
  assertVersion(user, expectedVersion)
  assertUserTransition(user.status, changes.status)
  assertNotOwnRoleOrStatus(actor, user, changes)
  assertNotLastAdmin(user, admins, changes)
  return user
}

async function assertValidChanges(tx: TenantTx, user: UserRow, changes: UserChanges): Promise<void> {
  assertValidTimezoneAndLocale(changes)
  await assertManagerExists(tx, changes.manager_id)
  if (changes.manager_id)
    assertNoReportingCycle(user.id, await listManagersAbove(tx, changes.manager_id, maxReportingDepth))
  if (changes.must_change_password && !(await hasPassword(tx, user.id)))
    throw conflict('conflict', 'This user has no password to change because they sign in with single sign-on.')
  if (changes.reassign_to_user_id) await assertValidSuccessor(tx, changes.reassign_to_user_id)
  if (changes.email === undefined || !isDifferentEmail(user.email, changes.email)) return
  const existingId = await findUserIdByEmail(tx, changes.email)
  if (existingId && existingId !== user.id) throw await emailTaken(tx, changes.email)
}

async function assertValidSuccessor(tx: TenantTx, userId: string): Promise<void> {
  const successor = await findUser(tx, userId)
  if (!successor || successor.status === 'erased') throw unknownReference('/reassign_to_user_id', 'user')
  if (successor.status !== 'active')
    throw invalid('body', '/reassign_to_user_id', 'inactive', '`reassign_to_user_id` must be an active user.')
}

type UserColumns = Partial<UserRow>
type ColumnContext = { currency: string | undefined; now: Date }

function toUserColumns(user: UserRow, changes: UserChanges, { currency, now }: ColumnContext): UserColumns {
  const { quarterly_quota, status, reassign_to_user_id: _, ...others } = changes
  const columns: UserColumns = { ...others }
  if (quarterly_quota !== undefined) columns.quarterly_quota_minor = toQuotaMinor(quarterly_quota, currency!)
  if (status !== undefined && status !== user.status)
    Object.assign(columns, { status, deactivated_at: status === 'deactivated' ? now : null })
  if (others.email !== undefined && isDifferentEmail(user.email, others.email)) columns.email_verified_at = null
  return columns
}

async function saveUserColumns(tx: TenantTx, user: UserRow, columns: UserColumns): Promise<UserRow> {
  const search_text = toSearchText(columns.name ?? user.name, columns.email ?? user.email)
  try {
    return await updateUserRow(tx, user.id, { ...columns, search_text })
  } catch (error) {
    // A concurrent request took the email address after the check above.
    if (violatedConstraint(error) === 'users_email_unique')
      throw conflict('already_exists', 'A user with this email address already exists.')
    throw error
  }
}
