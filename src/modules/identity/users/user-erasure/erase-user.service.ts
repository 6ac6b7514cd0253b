import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { type TenantTx, toSearchText } from '#platform/db'
import { assertVersion, conflict } from '#platform/errors'
import { emit } from '#platform/outbox'
import { lockApiKeys } from '../../credentials/api-keys/api-keys.queries.ts'
import { userErased } from '../../identity.events.ts'
import { deletePreferencesRow } from '../../workspace/preferences/preferences.queries.ts'
import { lockUserPresence } from '../../workspace/sessions/sessions.queries.ts'
import { replacePassword } from '../../workspace/user-records/credentials.queries.ts'
import { lockUser, updateUserRow } from '../../workspace/user-records/users.queries.ts'
import { assertNotImpersonating } from '../users/manage-user.rules.ts'
import {
  clearPresence,
  deleteIdentityRows,
  deleteOneTimeTokenRows,
  deleteSessionRows,
  redactApiKeyUsage,
  redactLoginEvents,
} from './erase-user.queries.ts'
import { eraseUserDataLater } from './erase-user-data.jobs.ts'

type EraseUserRequest = { expectedVersion?: number; now: Date }

/** Erases personal data permanently; the row stays as the author of records and audit entries. A job erases the data of other modules. */
export async function eraseUser(
  tx: TenantTx,
  actor: UserActor,
  userId: string,
  { expectedVersion, now }: EraseUserRequest,
): Promise<void> {
  assertNotImpersonating(actor)
  await lockUserPresence(tx, userId)
  const user = await lockUser(tx, userId)
  assertVersion(user, expectedVersion)
  if (user.status !== 'deactivated')
    throw conflict('conflict', 'Only a deactivated user can be erased. Deactivate the user first.')

  const erased = await updateUserRow(tx, userId, erasedUserColumns(userId))
  await deleteAccessData(tx, userId, now)
  await eraseUserDataLater(tx, userId)
  await recordAudit(tx, 'user.erased', { id: userId, label: erased.name })
  await emit(tx, userErased, erased, {})
}

function erasedUserColumns(id: string) {
  const [name, email] = ['Former user', `erased-${id}@invalid`]
  return {
    name,
    email,
    search_text: toSearchText(name, email),
    status: 'erased',
    title: null,
    phone: null,
    avatar_url: null,
    timezone: 'UTC',
    locale: 'en',
    manager_id: null,
    forecast_participant: false,
    quarterly_quota_minor: null,
    email_verified_at: null,
    must_change_password: false,
    notification_preferences: {},
  }
}

async function deleteAccessData(tx: TenantTx, userId: string, now: Date): Promise<void> {
  await replacePassword(tx, userId, { hash: null, changedAt: now, temporaryExpiresAt: null })
  await deleteIdentityRows(tx, userId)
  await deleteOneTimeTokenRows(tx, userId)
  await deletePreferencesRow(tx, userId)
  await deleteSessionRows(tx, userId)
  await clearPresence(tx, userId)
  await lockApiKeys(tx)
  await redactApiKeyUsage(tx, userId)
  await redactLoginEvents(tx, userId)
}
