import { newId } from '#platform/ids'
import { hashToken } from '#platform/secrets'
import { generateKey, keyHints } from '../../src/modules/identity/credentials/api-keys/key-format.rules.ts'
import type { TestWorkspace } from './matrix-tenant.ts'

type ApiKeyOptions = {
  scopes?: string[]
  preset?: 'read_only'
  createdBy?: string
  expiresAt?: Date
  revokedAt?: Date
}

/** Inserts an API key directly into the database, because the matrices need hundreds of keys. */
export async function insertApiKey(workspace: TestWorkspace, options: ApiKeyOptions = {}): Promise<string> {
  const {
    scopes = ['crm.read', 'crm.write', 'crm.delete'],
    preset = null,
    createdBy = workspace.admin.userId,
    expiresAt = null,
    revokedAt = null,
  } = options
  const key = generateKey()
  const { key_prefix, last_four } = keyHints(key)
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

export async function endSession(
  workspace: TestWorkspace,
  sessionId: string,
  reason: 'revoked' | 'expired',
): Promise<void> {
  const column = reason === 'revoked' ? 'revoked_at' : 'idle_expires_at'
  await workspace.sql(
    `update identity.sessions set ${column} = now() - interval '1 hour' where tenant_id = $1 and id = $2`,
    [workspace.id, sessionId],
  )
}
