import { createHash, type Hash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { canonicalJson } from '#platform/canonical-json'
import { type Database, type TenantTx, tenantOf } from '#platform/db'

/** The entries of one epoch with `from_xact <= xact < to_xact`. */
export type Range = { epoch: number; from_xact: string; to_xact: string }
export type Seal = Range & { id: string; count: number; prev_hash: Buffer; hash: Buffer; created_at: Date }
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
] as const satisfies (keyof Seal)[]

/** Everything that never changes stands in the chain as it is; the digest stands for what may be erased. */
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

/** Before the first seal of a tenant. */
export const noHash = Buffer.alloc(32)

export const chainAfter = (prevHash: Buffer): Hash => createHash('sha256').update(prevHash)

export function addToChain(chain: Hash, entry: ChainEntry): void {
  const sealed = Object.fromEntries(sealedColumns.map((column) => [column, entry[column]]))
  chain.update(
    canonicalJson({ ...sealed, created_at: entry.created_at.toISOString(), digest: entry.digest.toString('hex') }),
  )
}

const pageSize = 1_000

/** In the order of the chain, page by page. */
export async function* readEntries(tx: TenantTx, range: Range): AsyncGenerator<ChainEntry> {
  let after: ChainEntry | undefined
  for (;;) {
    const page = await listEntries(tx, range, after)
    yield* page
    if (page.length < pageSize) return
    after = page.at(-1)
  }
}

function listEntries(tx: TenantTx, { epoch, from_xact, to_xact }: Range, after: ChainEntry | undefined) {
  const entries = tx
    .selectFrom('platform.audit_log')
    .select(entryColumns)
    // The policy says so too, but for the sealer's role not in a way an index can use.
    .where('tenant_id', '=', tenantOf(tx))
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
