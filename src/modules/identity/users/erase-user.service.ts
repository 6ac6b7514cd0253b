import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import { searchText, type TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import type { Erasure } from '#platform/module'
import { emit } from '#platform/outbox'
import { lockKeys } from '../api-keys/api-keys.queries.ts'
import { userErased } from '../identity.events.ts'
import { assertNotImpersonating, assertVersion } from './change-user.rules.ts'
import { replacePassword } from './credentials.queries.ts'
import {
  blankPresence,
  blankUseOfKeys,
  deleteIdentities,
  deleteOneTimeTokens,
  deleteSessions,
  forgetSignIns,
} from './erase-user.queries.ts'
import { changeUserFields, lockUser } from './users.queries.ts'

type EraseRequest = { expectedVersion?: number; now: Date; erasures: readonly Erasure[] }

/** Everything personal goes, for good. The id stays, so that what the user did is still somebody's. */
export async function eraseUser(
  tx: TenantTx,
  actor: SignedIn,
  userId: string,
  { expectedVersion, now, erasures }: EraseRequest,
): Promise<void> {
  assertNotImpersonating(actor)
  const user = await lockUser(tx, userId)
  assertVersion(user, expectedVersion)
  if (user.status !== 'deactivated')
    throw conflict('conflict', 'Only a deactivated user can be erased. Deactivate them first.')

  await lockKeys(tx)
  const erased = await changeUserFields(tx, userId, asFormerUser(userId))
  await forgetAccess(tx, userId, now)
  for (const { erase } of erasures) await erase(tx, { user_id: userId })
  await record(tx, 'user.erased', { id: userId, label: erased.name })
  await emit(tx, userErased, erased, {})
}

function asFormerUser(id: string) {
  const [name, email] = ['Former user', `erased-${id}@invalid`]
  return {
    name,
    email,
    search_text: searchText(name, email),
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

async function forgetAccess(tx: TenantTx, userId: string, now: Date): Promise<void> {
  await replacePassword(tx, userId, { hash: null, changedAt: now, temporaryExpiresAt: null })
  await deleteIdentities(tx, userId)
  await deleteOneTimeTokens(tx, userId)
  await deleteSessions(tx, userId)
  await blankPresence(tx, userId)
  await blankUseOfKeys(tx, userId)
  await forgetSignIns(tx, userId)
}
