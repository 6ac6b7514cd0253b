import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { SealedSecret } from '#platform/secrets'

export function findSealedSecret(tx: TenantTx, name: string): Promise<SealedSecret | undefined> {
  return tx
    .selectFrom('identity.tenant_secrets')
    .select(['ciphertext', 'kid'])
    .where('name', '=', name)
    .executeTakeFirst()
}

export async function upsertSealedSecret(tx: TenantTx, name: string, { ciphertext, kid }: SealedSecret): Promise<void> {
  await tx
    .insertInto('identity.tenant_secrets')
    .values({ name, ciphertext, kid })
    .onConflict((existing) => existing.constraint('tenant_secrets_pkey').doUpdateSet({ ciphertext, kid }))
    .execute()
}

/** Keeps an existing secret. */
export async function insertSealedSecret(tx: TenantTx, name: string, { ciphertext, kid }: SealedSecret): Promise<void> {
  await tx
    .insertInto('identity.tenant_secrets')
    .values({ name, ciphertext, kid })
    .onConflict((existing) => existing.constraint('tenant_secrets_pkey').doNothing())
    .execute()
}

export async function deleteSecret(tx: TenantTx, name: string): Promise<void> {
  await tx.deleteFrom('identity.tenant_secrets').where('name', '=', name).execute()
}

export async function listStoredSecretNames(tx: TenantTx, names: string[]): Promise<Set<string>> {
  if (!names.length) return new Set()
  const rows = await tx
    .selectFrom('identity.tenant_secrets')
    .select('name')
    .where('name', '=', sql<string>`any(${names}::text[])`)
    .execute()
  return new Set(rows.map(({ name }) => name))
}

/** Deletes the secrets whose names begin with the prefix, except the given ones, and returns their names. */
export async function deleteOtherSecrets(tx: TenantTx, prefix: string, kept: readonly string[]): Promise<string[]> {
  const rows = await tx
    .deleteFrom('identity.tenant_secrets')
    .where(sql<boolean>`starts_with(name, ${prefix})`)
    .where('name', '<>', sql<string>`all(${kept}::text[])`)
    .returning('name')
    .execute()
  return rows.map(({ name }) => name)
}
