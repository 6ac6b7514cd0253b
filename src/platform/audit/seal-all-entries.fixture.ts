import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { SystemDb } from '#platform/db'
import { createSealSigner, sealAuditLogs } from './index.ts'

export const signer = createSealSigner({ NODE_ENV: 'test', AUDIT_SEAL_KEYS: '' })

/** Seals all entries. Waits for older open transactions first, because they delay sealing, even in other databases. */
export async function sealAllEntries(systemDb: SystemDb, owner: Pool, by = signer) {
  const { rows } = await owner.query('select pg_current_xact_id()::text as now')
  const isPast = () => owner.query('select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as is', [rows[0].now])
  while (!(await isPast()).rows[0].is) await sleep(5)
  return await sealAuditLogs({ systemDb, signer: by })
}
