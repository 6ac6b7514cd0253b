import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { SealedSecret } from '#platform/secrets'
import type { SecretColumn } from './module.ts'

export type StoredSecret = { row: string; kid: string | null; ciphertext: Buffer }

export async function countSecretsByKey(
  tx: TenantTx,
  { table, ciphertext, kid }: SecretColumn,
): Promise<{ kid: string | null; count: number }[]> {
  const { rows } = await sql<{ kid: string | null; count: number }>`
    select ${sql.ref(kid)} as kid, count(*)::int as count from ${sql.table(table)}
    where ${sql.ref(ciphertext)} is not null group by 1`.execute(tx)
  return rows
}

export async function listSecretsOfOtherKeys(
  tx: TenantTx,
  { table, ciphertext, kid, row }: SecretColumn,
  { newestKid, after, limit }: { newestKid: string; after: string | undefined; limit: number },
): Promise<StoredSecret[]> {
  const isLater = after === undefined ? sql`true` : sql`${sql.ref(row)} > ${after}`
  const { rows } = await sql<StoredSecret>`
    select ${sql.ref(row)} as row, ${sql.ref(kid)} as kid, ${sql.ref(ciphertext)} as ciphertext from ${sql.table(table)}
    where ${sql.ref(ciphertext)} is not null and ${sql.ref(kid)} is distinct from ${newestKid} and ${isLater}
    order by ${sql.ref(row)} limit ${limit}`.execute(tx)
  return rows
}

/** Replaces the value only if it is still the one that was read. */
export async function replaceSecretRow(
  tx: TenantTx,
  { table, ciphertext, kid, row }: SecretColumn,
  stored: StoredSecret,
  sealed: SealedSecret,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} set ${sql.ref(ciphertext)} = ${sealed.ciphertext}, ${sql.ref(kid)} = ${sealed.kid}
    where ${sql.ref(row)} = ${stored.row} and ${sql.ref(kid)} = ${stored.kid} and ${sql.ref(ciphertext)} = ${stored.ciphertext}`.execute(
    tx,
  )
  return numAffectedRows > 0n
}
