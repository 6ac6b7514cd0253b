import { type TenantTx, tenantIdOf } from '#platform/db'
import type { SecretBox, SecretLocation } from '#platform/secrets'
import { findSealedSecret, insertSealedSecret, upsertSealedSecret } from './tenant-secrets.queries.ts'

export async function storeSecret(tx: TenantTx, box: SecretBox, name: string, secret: string): Promise<void> {
  await upsertSealedSecret(tx, name, box.seal(secret, secretPlaceOf(tx, name)))
}

export async function readSecret(tx: TenantTx, box: SecretBox, name: string): Promise<string | null> {
  const sealed = await findSealedSecret(tx, name)
  return sealed ? box.open(sealed, secretPlaceOf(tx, name)) : null
}

/** Concurrent transactions that create the secret get the same one. */
export async function findOrCreateSecret(
  tx: TenantTx,
  box: SecretBox,
  name: string,
  createSecret: () => string,
): Promise<string> {
  const existing = await readSecret(tx, box, name)
  if (existing !== null) return existing
  await insertSealedSecret(tx, name, box.seal(createSecret(), secretPlaceOf(tx, name)))
  return (await readSecret(tx, box, name))!
}

const secretPlaceOf = (tx: TenantTx, row: string): SecretLocation => ({
  tenantId: tenantIdOf(tx),
  table: 'identity.tenant_secrets',
  column: 'ciphertext',
  row,
})
