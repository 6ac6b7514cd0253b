import { generateTemporaryPassword, hashPassword } from '../../credentials/passwords/password-hash.ts'
import { temporaryPasswordExpiresAt } from '../../workspace/user-records/users.rules.ts'

export type TemporaryPassword = { password: string; hash: string; expires_at: Date }

/** Call before opening the transaction: hashing is slow, and no row should stay locked during it. */
export async function createTemporaryPassword(tenantId: string, now: Date): Promise<TemporaryPassword> {
  const password = generateTemporaryPassword()
  return { password, hash: await hashPassword(tenantId, password), expires_at: temporaryPasswordExpiresAt(now) }
}
