import { newId } from '#platform/ids'
import { hashToken } from '#platform/secrets'
import { keyHints, newKeyText } from '../../src/modules/identity/api-keys/key-text.rules.ts'
import type { Workspace } from './place.ts'

type About = { scopes?: string[]; preset?: 'read_only'; createdBy?: string; expiresAt?: Date; revokedAt?: Date }

/** An API key, put there directly: hundreds of them cost nothing. */
export async function giveKey(workspace: Workspace, about: About = {}): Promise<string> {
  const { scopes = ['crm.read', 'crm.write', 'crm.delete'], preset = null, expiresAt = null, revokedAt = null } = about
  const key = newKeyText()
  const { key_prefix, last_four } = keyHints(key)
  const createdBy = about.createdBy ?? workspace.admin.userId
  await workspace.sql(
    `insert into identity.api_keys (tenant_id, id, name, key_prefix, last_four, key_hash, scopes, preset, created_by, expires_at, revoked_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      workspace.id,
      newId(),
      scopes[0],
      key_prefix,
      last_four,
      hashToken(key),
      scopes,
      preset,
      createdBy,
      expiresAt,
      revokedAt,
    ],
  )
  return key
}

/** Changes the newest session of a person, as time or somebody else would. */
export async function endSession(workspace: Workspace, sessionId: string, how: 'revoked' | 'expired'): Promise<void> {
  const column = how === 'revoked' ? 'revoked_at' : 'idle_expires_at'
  await workspace.sql(
    `update identity.sessions set ${column} = now() - interval '1 hour' where tenant_id = $1 and id = $2`,
    [workspace.id, sessionId],
  )
}
