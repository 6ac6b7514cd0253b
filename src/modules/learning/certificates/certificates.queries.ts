import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type Database, listTenantsAsRetention, listTenantsWithRows, type SystemTx, type TenantTx } from '#platform/db'

type Certificates = Database['enablement.certificates']

const certificateColumns = [
  'id',
  'enrollment_id',
  'user_id',
  'path_id',
  'code',
  'holder_name',
  'title',
  'issued_at',
  'expires_at',
  'recertify_at',
  'recertified_at',
  'expired_at',
  'revoked_at',
  'revoke_reason',
  'version',
] as const
export type CertificateRow = Pick<Selectable<Certificates>, (typeof certificateColumns)[number]>

/** An enrollment has one certificate, however often it is issued. */
export const insertCertificate = (
  tx: TenantTx,
  certificate: Insertable<Certificates>,
): Promise<CertificateRow | undefined> =>
  tx
    .insertInto('enablement.certificates')
    .values(certificate)
    .onConflict((existing) => existing.constraint('certificates_enrollment_unique').doNothing())
    .returning(certificateColumns)
    .executeTakeFirst()

const selectByCode = (tx: TenantTx, code: string) =>
  tx.selectFrom('enablement.certificates').select(certificateColumns).where('code', '=', code)

export const findCertificateByCode = (tx: TenantTx, code: string): Promise<CertificateRow | undefined> =>
  selectByCode(tx, code).executeTakeFirst()

export const lockCertificateByCode = (tx: TenantTx, code: string): Promise<CertificateRow | undefined> =>
  selectByCode(tx, code).forNoKeyUpdate().executeTakeFirst()

export const listCertificates = (tx: TenantTx, enrollmentIds: readonly string[]): Promise<CertificateRow[]> =>
  tx
    .selectFrom('enablement.certificates')
    .select(certificateColumns)
    .where('enrollment_id', '=', sql<string>`any(${enrollmentIds}::uuid[])`)
    .execute()

export const updateCertificateRow = (
  tx: TenantTx,
  id: string,
  fields: Updateable<Certificates>,
): Promise<CertificateRow> =>
  tx
    .updateTable('enablement.certificates')
    .set(fields)
    .where('id', '=', id)
    .returning(certificateColumns)
    .executeTakeFirstOrThrow()

/** Locks certificates whose end has come, in the order of their ids. */
export async function lockExpiredCertificates(tx: TenantTx, now: Date, limit: number): Promise<CertificateRow[]> {
  const due = await tx
    .selectFrom('enablement.certificates')
    .select('id')
    .where('expires_at', '<=', now)
    .where('expired_at', 'is', null)
    .where('revoked_at', 'is', null)
    .orderBy('expires_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  const ids = due.map(({ id }) => id)
  const locked = await lockCertificates(tx, ids)
  return locked.filter(({ expired_at, revoked_at }) => expired_at === null && revoked_at === null)
}

/** Certificates whose holders are enrolled again, with their paths. */
export const listCertificatesToRenew = (
  tx: TenantTx,
  now: Date,
  limit: number,
): Promise<{ id: string; path_id: string | null }[]> =>
  tx
    .selectFrom('enablement.certificates')
    .select(['id', 'path_id'])
    .where('recertify_at', '<=', now)
    .where('recertified_at', 'is', null)
    .where('revoked_at', 'is', null)
    .orderBy('recertify_at')
    .orderBy('id')
    .limit(limit)
    .execute()

export const lockCertificates = (tx: TenantTx, ids: readonly string[]): Promise<CertificateRow[]> =>
  tx
    .selectFrom('enablement.certificates')
    .select(certificateColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** Returns the certificates after which their holder got another one for the same path that was not revoked. */
export async function listFollowedIds(tx: TenantTx, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select certificate.id from enablement.certificates certificate
    where certificate.id = any (${ids}::uuid[]) and exists (select from enablement.certificates newer
      where newer.user_id = certificate.user_id and newer.path_id = certificate.path_id
        and newer.issued_at > certificate.issued_at and newer.revoked_at is null)
  `.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

export async function markCertificates(
  tx: TenantTx,
  ids: readonly string[],
  mark: { expired_at: Date } | { recertified_at: Date } | { recertify_at: Date },
): Promise<CertificateRow[]> {
  return await tx
    .updateTable('enablement.certificates')
    .set(mark)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning(certificateColumns)
    .execute()
}

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
