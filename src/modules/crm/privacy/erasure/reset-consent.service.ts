import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { noConsent, statusOf } from '../../people/consent/consent.rules.ts'
import { insertConsentEvents, lockConsent } from '../../people/consent/consent-events.queries.ts'
import { findSubjectConsents, hashSubjects } from '../../people/consent/find-consent.service.ts'
import type { KnownPerson } from './collect-person.service.ts'
import { deleteSuppressions } from './erasure-requests.queries.ts'
import { isE164 } from './mentions.rules.ts'

const neutralStatuses = { email: 'unknown', survey: 'unknown', phone: 'allowed', processing: 'unrestricted' } as const
const channels = Object.keys(neutralStatuses) as (keyof typeof neutralStatuses)[]

export const subjectsOf = ({ email_keys, phones }: KnownPerson): string[] => [...email_keys, ...phones.filter(isE164)]

export async function resetConsent(
  tx: TenantTx,
  person: KnownPerson,
  services: Pick<Services, 'clock' | 'secrets'>,
): Promise<void> {
  const subjects = subjectsOf(person)
  if (!subjects.length) return
  await lockConsent(tx, subjects)
  const hashes = await hashSubjects(tx, services, subjects)
  const consents = await findSubjectConsents(tx, services, subjects)
  const events = subjects.flatMap((subject) =>
    channels.flatMap((channel) => {
      const from_status = statusOf(channel, consents.get(subject) ?? noConsent)
      const to_status = neutralStatuses[channel]
      return from_status === to_status ? [] : [{ subject_hash: hashes.get(subject)!, channel, from_status, to_status }]
    }),
  )
  const now = services.clock.now()
  await deleteSuppressions(tx, [...hashes.values()])
  await insertConsentEvents(tx, events, { basis: 'none', source: 'erased', at: now, now })
}
