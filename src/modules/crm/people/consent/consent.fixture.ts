import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import type { startTestApp } from '#testing'
import type { SuppressionReason } from './consent.rules.ts'
import { type OptOut, recordOptOut } from './record-opt-out.service.ts'
import { suppressSubjects } from './suppressions.service.ts'

type TestApp = Pick<Awaited<ReturnType<typeof startTestApp>>, 'db' | 'services'>
type Acme = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>

/** Returns a function that adds a suppression of an email address or phone number. */
export function prepareSuppressions(acme: Acme, { db, services }: TestApp) {
  return (subject: string, channel: 'email' | 'phone', reason: SuppressionReason): Promise<void> =>
    inTenant(db, systemActor(acme.id), (tx) =>
      suppressSubjects(tx, services, { subjects: [subject], channel, reason, source: 'test' }),
    )
}

/** Returns a function that records an opt-out as a background job does. */
export function prepareOptOuts(acme: Acme, { db, services }: TestApp) {
  return (optOut: OptOut): Promise<void> =>
    inTenant(db, systemActor(acme.id), (tx) => recordOptOut(tx, services, optOut))
}

export const consentUrl = (kind: 'leads' | 'contacts', { id }: { id: string }): string => `/api/${kind}/${id}/consent`
export const optIn = { email_status: 'subscribed', basis: 'consent', source: 'form', evidence: 'Form of 12 May' }
export const unsubscribe = { email_status: 'unsubscribed', basis: 'none', source: 'phone call' }
