import { sql } from 'kysely'
import { listTenantsAsRetention, listTenantsWithRows, type SystemTx } from '#platform/db'

/** Workspaces with certificates that expire, or whose holders are enrolled again. */
export const listTenantsWithDueCertificates = (system: SystemTx, now: Date): Promise<string[]> =>
  listTenantsAsRetention(
    system,
    (tx) =>
      listTenantsWithRows(
        tx,
        'enablement.certificates',
        sql`expires_at is not null and expires_at <= ${now} and expired_at is null and revoked_at is null`,
      ),
    (tx) =>
      listTenantsWithRows(
        tx,
        'enablement.certificates',
        sql`recertify_at is not null and recertify_at <= ${now} and recertified_at is null and revoked_at is null`,
      ),
  )
