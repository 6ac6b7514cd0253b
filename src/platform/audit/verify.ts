import { sql } from 'kysely'
import { type TenantTx, tenantIdOf } from '#platform/db'
import {
  addToChainHash,
  type ChainEntry,
  digestOf,
  findLastSeal,
  type Seal,
  sealColumns,
  startChainHash,
  streamEntries,
} from './chain.ts'
import { lockRetention } from './retention.ts'
import type { SealSigner } from './seal-signer.ts'

/**
 * First inconsistency. `link`: a seal does not continue its predecessor. `signature`: a seal was not signed with a known key.
 * `entries`: an entry was changed, added or removed. `values`: label or changes of an entry do not match its digest.
 * `unsealed`: an entry before the last seal is not sealed.
 */
export type Mismatch = {
  kind: 'link' | 'signature' | 'entries' | 'values' | 'unsealed'
  sealId: string
  entryId: string | null
}
export type ChainReport = { seals: number; entries: number; mismatch: Mismatch | null }
type VerifyOptions = { latest?: number; signer?: SealSigner }

export async function verifyAuditChain(tx: TenantTx, { latest, signer }: VerifyOptions = {}): Promise<ChainReport> {
  await lockRetention(tx, 'shared')
  const end = await findLastSeal(tx)
  const report: ChainReport = { seals: 0, entries: 0, mismatch: null }
  if (!end) return report

  let first: Seal | undefined
  let previous: Seal | undefined
  for await (const seal of readSeals(tx, end, latest)) {
    first ??= seal
    if (signer && !hasValidSignature(tx, seal, previous, signer))
      return { ...report, mismatch: { kind: 'signature', sealId: seal.id, entryId: null } }
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
  if (previous && !continues(previous, seal)) return mismatch('link')

  const chain = startChainHash(seal.prev_hash)
  let entries = 0
  for await (const entry of streamEntries(tx, seal)) {
    if (!matchesDigest(entry)) return mismatch('values', entry.id)
    addToChainHash(chain, entry)
    entries++
  }
  // Retention deletes all entries of the oldest seals but keeps the last seal of a tenant.
  if (entries === 0 && isOldest) return { entries, mismatch: null }
  if (entries !== seal.count || !chain.digest().equals(seal.hash)) return mismatch('entries')
  return { entries, mismatch: null }
}

function continues(previous: Seal, seal: Seal): boolean {
  const isNext = seal.epoch === previous.epoch ? seal.from_xact === previous.to_xact : seal.from_xact === '0'
  return isNext && seal.prev_hash.equals(previous.hash)
}

/** Seals without a signature are older than signatures, so none follows a signed one. */
const hasValidSignature = (tx: TenantTx, seal: Seal, previous: Seal | undefined, signer: SealSigner): boolean =>
  seal.key_id === null ? !previous?.key_id : signer.isAuthentic(tenantIdOf(tx), seal)

const matchesDigest = ({ redacted_at, salt, digest, resource_label, changes }: ChainEntry): boolean =>
  redacted_at !== null || (salt !== null && digestOf(salt, { resource_label, changes }).equals(digest))

const pageSize = 500

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

/** Compares counts: every seal was complete, so a surplus entry is outside all seal ranges. */
async function findUnsealed(
  tx: TenantTx,
  sealedCount: number,
  first: Seal | undefined,
  end: Seal,
): Promise<Mismatch | null> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from platform.audit_log
    where tenant_id = ${tenantIdOf(tx)} and (epoch, xact) < (${end.epoch}::integer, ${end.to_xact}::xid8)
      and (epoch, xact) >= (${first?.epoch ?? 0}::integer, ${first?.from_xact ?? '0'}::xid8)
  `.execute(tx)
  return rows[0]!.total === sealedCount ? null : { kind: 'unsealed', sealId: end.id, entryId: null }
}
