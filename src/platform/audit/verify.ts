import { sql } from 'kysely'
import { type TenantTx, tenantOf } from '#platform/db'
import { addToChain, type ChainEntry, chainAfter, findLastSeal, readEntries, type Seal, sealColumns } from './chain.ts'
import { digestOf } from './digest.ts'
import { lockRetention } from './retention.ts'

/**
 * What does not fit. `link`: a seal does not continue the one before it. `entries`: an entry was changed, added or removed.
 * `values`: the values of an entry are not those it was written with. `unsealed`: an entry lies behind the seals, in none of them.
 */
export type Mismatch = { kind: 'link' | 'entries' | 'values' | 'unsealed'; sealId: string; entryId: string | null }
export type ChainReport = { seals: number; entries: number; mismatch: Mismatch | null }
type Options = { latest?: number }

/** Computes the chain of the tenant again, or its latest seals, up to the first mismatch. */
export async function verifyAuditChain(tx: TenantTx, { latest }: Options = {}): Promise<ChainReport> {
  await lockRetention(tx, 'shared')
  const end = await findLastSeal(tx)
  const report: ChainReport = { seals: 0, entries: 0, mismatch: null }
  if (!end) return report

  let first: Seal | undefined
  let previous: Seal | undefined
  for await (const seal of readSeals(tx, end, latest)) {
    first ??= seal
    const { entries, mismatch } = await verifySeal(tx, seal, previous, report.entries === 0)
    if (mismatch) return { ...report, mismatch }
    report.seals++
    report.entries += entries
    previous = seal
  }
  return { ...report, mismatch: await findUnsealed(tx, report.entries, latest ? first : undefined, end) }
}

async function verifySeal(tx: TenantTx, seal: Seal, previous: Seal | undefined, isOldest: boolean) {
  const mismatch = (kind: Mismatch['kind'], entryId: string | null = null) => ({
    entries: 0,
    mismatch: { kind, sealId: seal.id, entryId },
  })
  if (previous && !isContinued(previous, seal)) return mismatch('link')

  const chain = chainAfter(seal.prev_hash)
  let entries = 0
  for await (const entry of readEntries(tx, seal)) {
    if (!hasItsValues(entry)) return mismatch('values', entry.id)
    addToChain(chain, entry)
    entries++
  }
  // Retention takes all entries of a seal at once, from the oldest on, and leaves a tenant's last seal.
  if (entries === 0 && isOldest) return { entries, mismatch: null }
  if (entries !== seal.count || !chain.digest().equals(seal.hash)) return mismatch('entries')
  return { entries, mismatch: null }
}

function isContinued(previous: Seal, seal: Seal): boolean {
  const isNext = seal.epoch === previous.epoch ? seal.from_xact === previous.to_xact : seal.from_xact === '0'
  return isNext && seal.prev_hash.equals(previous.hash)
}

const hasItsValues = ({ redacted_at, salt, digest, resource_label, changes }: ChainEntry): boolean =>
  redacted_at !== null || (salt !== null && digestOf(salt, { resource_label, changes }).equals(digest))

const pageSize = 500

/** Oldest first. Bounded by the last seal there was at the beginning, so that new ones do not matter. */
async function* readSeals(tx: TenantTx, end: Seal, latest: number | undefined): AsyncGenerator<Seal> {
  let after = latest ? await findSealBefore(tx, latest) : undefined
  for (;;) {
    const page = await listSeals(tx, after, end)
    yield* page
    if (page.length < pageSize) return
    after = page.at(-1)
  }
}

type Position = Pick<Seal, 'epoch' | 'from_xact'>

function listSeals(tx: TenantTx, after: Position | undefined, end: Position): Promise<Seal[]> {
  const seals = tx
    .selectFrom('platform.audit_seals')
    .select(sealColumns)
    .where(sql<boolean>`(epoch, from_xact) <= (${end.epoch}::integer, ${end.from_xact}::xid8)`)
    .orderBy('epoch')
    .orderBy('from_xact')
    .limit(pageSize)
  if (!after) return seals.execute()
  return seals.where(sql<boolean>`(epoch, from_xact) > (${after.epoch}::integer, ${after.from_xact}::xid8)`).execute()
}

function findSealBefore(tx: TenantTx, latest: number): Promise<Position | undefined> {
  return tx
    .selectFrom('platform.audit_seals')
    .select(['epoch', 'from_xact'])
    .orderBy('epoch', 'desc')
    .orderBy('from_xact', 'desc')
    .offset(latest)
    .limit(1)
    .executeTakeFirst()
}

/** Each seal has all entries of its range, so an entry too many is one between or before the ranges. */
async function findUnsealed(
  tx: TenantTx,
  sealed: number,
  first: Seal | undefined,
  end: Seal,
): Promise<Mismatch | null> {
  const { rows } = await sql<{ found: number }>`
    select count(*) as found from platform.audit_log
    where tenant_id = ${tenantOf(tx)} and (epoch, xact) < (${end.epoch}::integer, ${end.to_xact}::xid8)
      and (epoch, xact) >= (${first?.epoch ?? 0}::integer, ${first?.from_xact ?? '0'}::xid8)
  `.execute(tx)
  return rows[0]!.found === sealed ? null : { kind: 'unsealed', sealId: end.id, entryId: null }
}
