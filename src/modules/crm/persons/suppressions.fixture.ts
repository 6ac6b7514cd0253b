import { randomBytes } from 'node:crypto'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import type { startTestApp } from '#testing'
import { storeSecret } from '../../identity/settings/tenant-secrets.service.ts'
import { subjectHash, subjectKeyName } from './suppressions.service.ts'

type TestApp = Pick<Awaited<ReturnType<typeof startTestApp>>, 'db' | 'services'>
type Acme = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>

/** Returns a function that adds a suppression of an email address or phone number. */
export async function prepareSuppressions(acme: Acme, { db, services }: TestApp) {
  const key = randomBytes(32).toString('base64url')
  await inTenant(db, systemActor(acme.id), (tx) => storeSecret(tx, services.secrets, subjectKeyName, key))
  return async (subject: string, channel: 'email' | 'phone', reason: string): Promise<void> => {
    await acme.sql(
      `insert into crm.suppressions (tenant_id, subject_hash, channel, reason, at, source) values ($1, $2, $3, $4, now(), 'test')`,
      [acme.id, subjectHash(key, subject), channel, reason],
    )
  }
}
