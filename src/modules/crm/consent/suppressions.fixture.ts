import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import type { startTestApp } from '#testing'
import type { SuppressionReason } from './suppressions.queries.ts'
import { addSuppressions } from './suppressions.service.ts'

type TestApp = Pick<Awaited<ReturnType<typeof startTestApp>>, 'db' | 'services'>
type Acme = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>

/** Returns a function that adds a suppression of an email address or phone number. */
export function prepareSuppressions(acme: Acme, { db, services }: TestApp) {
  return (subject: string, channel: 'email' | 'phone', reason: SuppressionReason): Promise<void> =>
    inTenant(db, systemActor(acme.id), (tx) =>
      addSuppressions(tx, services, { subjects: [subject], channel, reason, source: 'test' }),
    )
}
