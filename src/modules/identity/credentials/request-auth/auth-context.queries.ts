import { sql } from 'kysely'
import type { Role } from '#platform/access'
import { compileOnce, type Db, type OutsideTx, outsideTenant } from '#platform/db'
import type { KeyScope, Preset } from '../api-keys/effective-scopes.rules.ts'

export type AuthContext = {
  tenant_id: string
  tenant_slug: string
  tenant_name: string
  tenant_status: 'active' | 'suspended' | 'deleting'
  user_id: string | null
  user_status: 'invited' | 'active' | 'deactivated' | 'erased' | null
  user_role: Role | null
  must_verify_email: boolean | null
  must_change_password: boolean | null
  session_id: string | null
  session_kind: 'user' | 'impersonation' | null
  authenticated_at: Date | null
  session_state: 'live' | 'expired' | 'revoked' | null
  actor_user_id: string | null
  key_id: string | null
  key_scopes: KeyScope[] | null
  key_preset: Preset
  key_state: 'live' | 'expired' | 'revoked' | null
  key_is_unused: boolean | null
  app_status: 'active' | 'disabled' | null
  app_allowlist: string[] | null
  key_requests_per_minute: number | null
  tenant_in_maintenance: boolean
}

export type AuthLookup = { slug: string; sessionId: string | null; keyDigest: Buffer | null; now: Date }

const columns = [
  'tenant_id',
  'tenant_slug',
  'tenant_name',
  'tenant_status',
  'user_id',
  'user_status',
  'user_role',
  'must_verify_email',
  'must_change_password',
  'session_id',
  'session_kind',
  'authenticated_at',
  'session_state',
  'actor_user_id',
  'key_id',
  'key_scopes',
  'key_preset',
  'key_state',
  'key_is_unused',
  'app_status',
  'app_allowlist',
  'key_requests_per_minute',
  'tenant_in_maintenance',
] as const

export const readAuthContext = (db: Db, lookup: AuthLookup): Promise<AuthContext | undefined> =>
  outsideTenant(db, async (tx) => (await selectAuthContext(tx, lookup))[0])

const selectAuthContext = compileOnce((tx: OutsideTx, { slug, sessionId, keyDigest, now }: AuthLookup) =>
  tx
    .selectFrom(
      sql<AuthContext>`identity.auth_context(${slug}, ${sessionId}::uuid, ${keyDigest}::bytea, ${now}::timestamptz)`.as<'context'>(
        'context',
      ),
    )
    .select(columns.map((column) => `context.${column}` as const)),
)
