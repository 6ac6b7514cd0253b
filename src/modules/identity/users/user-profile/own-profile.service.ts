import { recordAudit } from '#platform/audit'
import { type TenantTx, toSearchText } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion } from '#platform/errors'
import { emit } from '#platform/outbox'
import { userUpdated } from '../../identity.events.ts'
import { lockUser, type UserRow, updateUserRow } from '../../workspace/user-records/users.queries.ts'
import { assertValidTimezoneAndLocale } from '../../workspace/user-records/users.rules.ts'
import type { OwnProfileChanges } from '../../workspace/user-records/users.schemas.ts'

export async function updateOwnProfile(
  tx: TenantTx,
  userId: string,
  input: OwnProfileChanges,
  expectedVersion: number | undefined,
): Promise<UserRow> {
  assertValidTimezoneAndLocale(input)
  const user = await lockUser(tx, userId)
  assertVersion(user, expectedVersion)
  const changes = changedFields(user, input)
  if (Object.keys(changes).length === 0) return user

  const updated = await updateUserRow(tx, userId, {
    ...changes,
    search_text: toSearchText(changes.name ?? user.name, user.email),
  })
  await recordAudit(tx, 'user.updated', { id: userId, label: updated.name, before: user, after: updated })
  await emit(tx, userUpdated, updated, { changed: Object.keys(changes) })
  return updated
}
