import { hashPassword } from '#modules/identity'

type WithPassword = { password?: string | null }
type WithHash<T> = Omit<T, 'password'> & { password_hash?: string | null }

/** Hashes before the transaction starts, because it takes as long as many statements. */
export async function hashSharePassword<T extends WithPassword>(tenantId: string, share: T): Promise<WithHash<T>> {
  const { password, ...rest } = share
  if (password === undefined) return rest
  return { ...rest, password_hash: password === null ? null : await hashPassword(tenantId, password) }
}
