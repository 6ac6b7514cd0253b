import type { Role } from '#platform/access'
import { record } from '#platform/audit'
import { actorOf, searchText, type TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { userCreated, userUpdated } from '../identity.events.ts'
import {
  changeUserFields,
  findUserIdByEmail,
  insertCredentials,
  insertPresence,
  insertUser,
  lockUser,
  type UserRow,
} from './users.queries.ts'
import { assertKnownPlace, isForecastByDefault, realChanges } from './users.rules.ts'
import type { OwnProfileChanges } from './users.schemas.ts'

export type AddedUser = {
  email: string
  name: string
  role: Role
  source: 'cli' | 'admin' | 'signup' | 'google' | 'okta' | 'sample'
  status: 'invited' | 'active'
  title?: string | null
  phone?: string | null
  avatar_url?: string | null
  timezone?: string
  locale?: string
  manager_id?: string | null
  forecast_participant?: boolean
  quarterly_quota_minor?: number | null
  email_verified_at?: Date | null
  must_change_password?: boolean
  /** As `hashPassword` gives it. Without it nobody can sign in with a password yet. */
  password?: { hash: string; changed_at: Date; temporary_expires_at?: Date | null }
}

/** Adds a person, however they come. Whoever has the address already is named to people of the workspace only. */
export async function addUser(tx: TenantTx, { password, ...given }: AddedUser): Promise<UserRow> {
  const user = await insertUser(tx, {
    ...given,
    id: newId(),
    forecast_participant: given.forecast_participant ?? isForecastByDefault(given.role),
    search_text: searchText(given.name, given.email),
  })
  if (!user) throw await addressTaken(tx, given.email)

  await insertCredentials(tx, {
    user_id: user.id,
    password_hash: password?.hash ?? null,
    password_changed_at: password?.changed_at ?? null,
    temporary: Boolean(password?.temporary_expires_at),
    temporary_expires_at: password?.temporary_expires_at ?? null,
  })
  await insertPresence(tx, user.id)
  await record(tx, 'user.created', { id: user.id, label: user.name, after: user })
  await emit(tx, userCreated, user, { email: user.email, role: given.role, source: given.source })
  return user
}

/** Strangers are not told whose the address is. */
export async function addressTaken(tx: TenantTx, email: string) {
  const existing = actorOf(tx).type === 'public' ? undefined : await findUserIdByEmail(tx, email)
  return conflict(
    'already_exists',
    'Somebody has this e-mail address already.',
    existing ? { existing_id: existing } : {},
  )
}

/** What people may change about themselves. */
export async function changeOwnProfile(tx: TenantTx, userId: string, asked: OwnProfileChanges): Promise<UserRow> {
  assertKnownPlace(asked)
  const user = await lockUser(tx, userId)
  const changes = realChanges(user, asked)
  if (Object.keys(changes).length === 0) return user

  const changed = await changeUserFields(tx, userId, {
    ...changes,
    search_text: searchText(changes.name ?? user.name, user.email),
  })
  await record(tx, 'user.updated', { id: userId, label: changed.name, before: user, after: changed })
  await emit(tx, userUpdated, changed, { changed: Object.keys(changes) })
  return changed
}
