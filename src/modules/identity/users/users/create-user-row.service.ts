import type { Role } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { actorOf, type TenantTx, toSearchText } from '#platform/db'
import { conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { userCreated } from '../../identity.events.ts'
import {
  findUserIdByEmail,
  insertCredentials,
  insertPresence,
  insertUser,
  type UserRow,
} from '../../workspace/user-records/users.queries.ts'
import { isForecastParticipantByDefault } from '../../workspace/user-records/users.rules.ts'

export type NewUserRecord = {
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
  password?: { hash: string; changed_at: Date; temporary_expires_at?: Date | null }
}

/** Creates a user with credentials and presence. Used by admins, the CLI, sign-up and single sign-on. */
export async function createUserRecord(tx: TenantTx, { password, ...fields }: NewUserRecord): Promise<UserRow> {
  const user = await insertUser(tx, {
    ...fields,
    id: newId(),
    forecast_participant: fields.forecast_participant ?? isForecastParticipantByDefault(fields.role),
    search_text: toSearchText(fields.name, fields.email),
  })
  if (!user) throw await emailTaken(tx, fields.email)

  await insertCredentials(tx, {
    user_id: user.id,
    password_hash: password?.hash ?? null,
    password_changed_at: password?.changed_at ?? null,
    temporary: Boolean(password?.temporary_expires_at),
    temporary_expires_at: password?.temporary_expires_at ?? null,
  })
  await insertPresence(tx, user.id)
  await recordAudit(tx, 'user.created', { id: user.id, label: user.name, after: user })
  await emit(tx, userCreated, user, { email: user.email, role: fields.role, source: fields.source })
  return user
}

/** Unauthenticated callers do not get the id of the existing user. */
export async function emailTaken(tx: TenantTx, email: string) {
  const existing = actorOf(tx).type === 'public' ? undefined : await findUserIdByEmail(tx, email)
  return conflict(
    'already_exists',
    'A user with this email address already exists.',
    existing ? { existing_id: existing } : {},
  )
}
