import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { listTenantsAsRetention, listTenantsWithRows, type SystemTx } from '#platform/db'

const listTenantsWithPosts = (system: SystemTx, condition: RawBuilder<SqlBool>): Promise<string[]> =>
  listTenantsAsRetention(
    system,
    (tx) => listTenantsWithRows(tx, 'community.threads', condition),
    (tx) => listTenantsWithRows(tx, 'community.replies', condition),
  )

export const listTenantsWithDeletedPosts = (tx: SystemTx, before: Date): Promise<string[]> =>
  listTenantsWithPosts(tx, sql`deleted_at < ${before} and purged_at is null`)

export const listTenantsWithOldHtml = (tx: SystemTx, version: number): Promise<string[]> =>
  listTenantsWithPosts(tx, sql`renderer_version < ${version} and purged_at is null`)

export const listTenantsWithChangedThreads = (system: SystemTx, since: Date): Promise<string[]> =>
  listTenantsAsRetention(system, (tx) => listTenantsWithRows(tx, 'community.threads', sql`updated_at >= ${since}`))
