import { createHash, type Hash } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { canonicalJson } from '#platform/canonical-json'
import { type Database, type TenantTx, tenantIdOf } from '#platform/db'

export type SealRange = { epoch: number; from_xact: string; to_xact: string }
export type Seal = SealRange & {
  id: string
  count: number
  prev_hash: Buffer
  hash: Buffer
  created_at: Date
  key_id: string | null
  signature: Buffer | null
}
export type ChainEntry = Pick<Selectable<Database['platform.audit_log']>, (typeof entryColumns)[number]>

export const sealColumns = [
  'id',
  'epoch',
  'from_xact',
  'to_xact',
  'count',
  'prev_hash',
  'hash',
  'created_at',
  'key_id',
  'signature',
] as const satisfies (keyof Seal)[]

/** Immutable columns, hashed as they are. Erasable values are represented by their digest. */
const sealedColumns = [
  'tenant_id',
  'id',
  'created_at',
  'action',
  'resource_type',
  'resource_id',
  'user_id',
  'actor_type',
  'actor_user_id',
  'api_key_id',
  'session_id',
  'ip',
  'user_agent',
  'request_id',
  'outcome',
  'reason',
  'epoch',
  'xact',
] as const
const entryColumns = [...sealedColumns, 'digest', 'salt', 'resource_label', 'changes', 'redacted_at'] as const

export const genesisHash = Buffer.alloc(32)

export const startChainHash = (prevHash: Buffer): Hash => createHash('sha256').update(prevHash)

export function addToChainHash(chain: Hash, entry: ChainEntry): void {
  const sealed = Object.fromEntries(sealedColumns.map((column) => [column, entry[column]]))
  chain.update(
    canonicalJson({ ...sealed, created_at: entry.created_at.toISOString(), digest: entry.digest.toString('hex') }),
  )
}

const pageSize = 1_000

export async function* streamEntries(tx: TenantTx, range: SealRange): AsyncGenerator<ChainEntry> {
  let after: ChainEntry | undefined
  for (;;) {
    const page = await listEntries(tx, range, after)
    yield* page
    if (page.length < pageSize) return
    after = page.at(-1)
  }
}

function listEntries(tx: TenantTx, { epoch, from_xact, to_xact }: SealRange, after: ChainEntry | undefined) {
  const entries = tx
    .selectFrom('platform.audit_log')
    .select(entryColumns)
    // Redundant with row-level security, but the policy of the sealer's role cannot use an index.
    .where('tenant_id', '=', tenantIdOf(tx))
    .where('epoch', '=', epoch)
    .where('xact', '>=', from_xact)
    .where('xact', '<', to_xact)
    .orderBy('xact')
    .orderBy('id')
    .limit(pageSize)
  return (after ? entries.where(sql<boolean>`(xact, id) > (${after.xact}, ${after.id})`) : entries).execute()
}

export function findLastSeal(tx: TenantTx): Promise<Seal | undefined> {
  return tx
    .selectFrom('platform.audit_seals')
    .select(sealColumns)
    .orderBy('epoch', 'desc')
    .orderBy('from_xact', 'desc')
    .limit(1)
    .executeTakeFirst()
}

type ErasableValues = { resource_label: string | null; changes: unknown }

/** Hashes the erasable values for the chain. The salt, erased with them, prevents guessing them later. */
export const digestOf = (salt: Buffer, { resource_label, changes }: ErasableValues): Buffer =>
  digestOfJson(salt, resource_label, canonicalJson(changes ?? null))

export const digestOfJson = (salt: Buffer, label: string | null, changes: string): Buffer =>
  createHash('sha256')
    .update(salt)
    .update(`{"changes":${changes},"resource_label":${JSON.stringify(label)}}`)
    .digest()
