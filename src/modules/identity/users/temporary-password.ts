import { hashPassword, newTemporaryPassword } from '../auth/passwords.ts'
import { temporaryPasswordEnds } from './users.rules.ts'

export type TemporaryPassword = { password: string; hash: string; expires_at: Date }

/** Made ahead of the transaction: hashing is slow on purpose, and a row must not stay locked meanwhile. */
export async function makeTemporaryPassword(now: Date): Promise<TemporaryPassword> {
  const password = newTemporaryPassword()
  return { password, hash: await hashPassword(password), expires_at: temporaryPasswordEnds(now) }
}
