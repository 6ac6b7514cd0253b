import { type TenantTx, tenantIdOf } from '#platform/db'
import { type SealedSecret, type SecretBox, SecretDecryptionError } from '#platform/secrets'
import type { SecretColumn } from './module.ts'
import { listSecretsOfOtherKeys, replaceSecretRow, type StoredSecret } from './secret-values.queries.ts'

const batchSize = 100

export type ReencryptionResult = { reencrypted: number; changed: number; unreadable: StoredSecret[] }
type Reencryption = {
  inTenant<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>
  box: SecretBox
  newestKid: string
}

/** Encrypts the values of a column with the newest key, a batch per transaction, so that an interruption loses nothing. */
export async function reencryptSecrets(
  column: SecretColumn,
  { inTenant, box, newestKid }: Reencryption,
): Promise<ReencryptionResult> {
  const result: ReencryptionResult = { reencrypted: 0, changed: 0, unreadable: [] }
  for (let after: string | undefined; ; ) {
    const batch = await inTenant(async (tx) => {
      const found = await listSecretsOfOtherKeys(tx, column, { newestKid, after, limit: batchSize })
      const outcomes = []
      for (const stored of found) outcomes.push({ stored, outcome: await reencryptSecret(tx, column, stored, box) })
      return outcomes
    })
    for (const { stored, outcome } of batch)
      if (outcome === 'unreadable') result.unreadable.push(stored)
      else result[outcome] += 1
    if (batch.length < batchSize) return result
    after = batch.at(-1)!.stored.row
  }
}

async function reencryptSecret(
  tx: TenantTx,
  column: SecretColumn,
  stored: StoredSecret,
  box: SecretBox,
): Promise<'reencrypted' | 'changed' | 'unreadable'> {
  const location = { tenantId: tenantIdOf(tx), table: column.table, column: column.location, row: stored.row }
  const { kid, ciphertext } = stored
  const plain = kid === null ? undefined : openOrSkip(() => box.openBytes({ kid, ciphertext }, location))
  if (!plain) return 'unreadable'
  const sealed: SealedSecret = box.seal(plain, location)
  return (await replaceSecretRow(tx, column, stored, sealed)) ? 'reencrypted' : 'changed'
}

function openOrSkip(open: () => Buffer): Buffer | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof SecretDecryptionError) return undefined
    throw error
  }
}
