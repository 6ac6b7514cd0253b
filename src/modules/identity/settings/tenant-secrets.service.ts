import { type TenantTx, tenantOf } from '#platform/db'
import type { SecretBox, SecretPlace } from '#platform/secrets'
import { deleteSecret, findSealedSecret, storeSealedSecret } from './tenant-secrets.queries.ts'

/** Sealed for this workspace and this name: copied elsewhere, it does not open. Null removes it. */
export async function keepSecret(tx: TenantTx, box: SecretBox, name: string, secret: string | null): Promise<void> {
  if (secret === null) return await deleteSecret(tx, name)
  await storeSealedSecret(tx, name, box.seal(secret, placeOf(tx, name)))
}

export async function readSecret(tx: TenantTx, box: SecretBox, name: string): Promise<string | null> {
  const sealed = await findSealedSecret(tx, name)
  return sealed ? box.open(sealed, placeOf(tx, name)) : null
}

const placeOf = (tx: TenantTx, row: string): SecretPlace => ({
  tenantId: tenantOf(tx),
  table: 'identity.tenant_secrets',
  column: 'ciphertext',
  row,
})
