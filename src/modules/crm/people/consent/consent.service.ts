import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { AppError, conflict, invalid, notFound } from '#platform/errors'
import { type ConsentChannel, isInherited, noConsent, type SubjectConsent, statusOf } from './consent.rules.ts'
import type { ConsentUpdate, PersonConsent } from './consent.schemas.ts'
import { listConsentHistory, type PersonRef } from './consent-events.queries.ts'
import { assertCallTransition, assertEmailTransition } from './consent-transitions.rules.ts'
import { findSubjectHashes, hashSubjects, readConsents } from './find-consent.service.ts'
import { subjectsOf, toCurrentConsent } from './inherit-consent.service.ts'
import { lockPersonRecords } from './lock-person-records.service.ts'
import { findPersonIncludingDeleted, type PersonRow } from './person-records.queries.ts'
import { applyConsentChanges, type ConsentChange } from './project-consent.service.ts'
import { storeConsentChanges } from './store-consent.service.ts'
import type { SuppressionServices } from './suppressions.service.ts'

const historyLimit = 50

export async function getPersonConsent(
  tx: TenantTx,
  ref: PersonRef,
  services: SuppressionServices,
): Promise<PersonConsent> {
  const person = requirePerson(await findPersonIncludingDeleted(tx, ref), ref)
  const subjects = subjectsOf(person)
  const hashes = await findSubjectHashes(tx, services, subjects)
  const [consents, history] = await Promise.all([
    readConsents(tx, hashes),
    listConsentHistory(tx, [...hashes.values()], ref.id, historyLimit),
  ])
  const email = consents.get(person.email_key ?? '') ?? noConsent
  const phone = consents.get(person.phone_e164 ?? '') ?? noConsent
  const { email_status, call_status, processing_restricted } = toCurrentConsent(person, consents)
  return {
    email: { status: email_status, ...stateOf(email, 'email') } as PersonConsent['email'],
    phone: { status: call_status, ...stateOf(phone, 'phone') } as PersonConsent['phone'],
    processing_restricted,
    history,
  }
}

function stateOf({ latest }: SubjectConsent, channel: 'email' | 'phone') {
  const { basis = null, source = null, at = null } = latest[channel] ?? {}
  return { basis, source, at }
}

export async function updatePersonConsent(
  tx: TenantTx,
  actor: UserActor,
  ref: PersonRef,
  update: ConsentUpdate,
  services: SuppressionServices,
): Promise<PersonConsent> {
  const seen = requirePerson(await findPersonIncludingDeleted(tx, ref), ref)
  const now = services.clock.now()
  const at = update.occurred_at === undefined ? now : new Date(update.occurred_at)
  assertValidUpdate(seen, update, { at, now })
  const people = await lockPersonRecords(tx, { ...toLockedSubjects(seen, update), record: ref })
  const locked: PersonRow[] = ref.kind === 'lead' ? people.leads : people.contacts
  const person = requirePerson(
    locked.find(({ id }) => id === ref.id),
    ref,
  )
  if (person.email_key !== seen.email_key || person.phone_e164 !== seen.phone_e164)
    throw conflict('conflict', `The email address or phone number of the ${ref.kind} was changed. Try again.`)

  const changes = await toChanges(tx, ref, person, update, services)
  for (const change of changes) {
    if (change.channel === 'email') assertEmailTransition(actor, change, update)
    if (change.channel === 'phone') assertCallTransition(change, update)
  }
  const { basis, source, evidence } = update
  await storeConsentChanges(tx, changes, { basis, source, evidence, at, now, record: ref })
  await applyConsentChanges(tx, people, changes, now)
  return await getPersonConsent(tx, ref, services)
}

function requirePerson(person: PersonRow | undefined, { kind }: PersonRef): PersonRow {
  if (person && person.deleted_at === null) return person
  if (!person?.merged_into_id) throw notFound(kind)
  const extra = { merged_into_id: person.merged_into_id }
  throw new AppError(404, 'not_found', `This ${kind} was merged into another ${kind}.`, { extra })
}

function assertValidUpdate(
  { email_key, phone_e164 }: PersonRow,
  { email_status, call_status, processing_restricted }: ConsentUpdate,
  { at, now }: { at: Date; now: Date },
): void {
  if (email_status === undefined && call_status === undefined && processing_restricted === undefined)
    throw invalid(
      'body',
      '',
      'required',
      'One of `email_status`, `call_status` and `processing_restricted` is required.',
    )
  if (email_status !== undefined && email_key === null)
    throw invalid('body', '/email_status', 'no_email', '`email_status` requires a record with an email address.')
  if (call_status !== undefined && phone_e164 === null)
    throw invalid('body', '/call_status', 'no_phone', '`call_status` requires a record with a valid phone number.')
  if (at > now) throw invalid('body', '/occurred_at', 'in_future', '`occurred_at` must not be in the future.')
}

function toLockedSubjects({ email_key, phone_e164 }: PersonRow, update: ConsentUpdate) {
  const changesEmail = update.email_status !== undefined || update.processing_restricted !== undefined
  return {
    emails: changesEmail && email_key !== null ? [email_key] : [],
    phones: update.call_status !== undefined && phone_e164 !== null ? [phone_e164] : [],
  }
}

async function toChanges(
  tx: TenantTx,
  ref: PersonRef,
  person: PersonRow,
  { email_status, call_status, processing_restricted, source }: ConsentUpdate,
  services: SuppressionServices,
): Promise<ConsentChange[]> {
  const subjects = subjectsOf(person)
  const hashes = await hashSubjects(tx, services, subjects)
  const consents = await readConsents(tx, hashes)
  const wordFor = (isRestricted: boolean) => (isRestricted ? 'restricted' : 'unrestricted')
  // A record can have a stricter status than its address, which then has to change too.
  const toChange = (channel: ConsentChannel, subject: string | null, current: string, to: string): ConsentChange[] => {
    const consent = subject === null ? undefined : consents.get(subject)
    const from = current === to && consent ? statusOf(channel, consent) : current
    const hash = hashes.get(subject ?? '') ?? null
    const isPermanent = !consent || !isInherited(consent, channel)
    return from === to && isPermanent ? [] : [{ channel, subject, hash, record: ref, from, to, source }]
  }
  const { email_key, phone_e164 } = person
  const current = toCurrentConsent(person, consents)
  const restricted = processing_restricted === undefined ? undefined : wordFor(processing_restricted)
  return [
    ...(email_status === undefined ? [] : toChange('email', email_key, current.email_status, email_status)),
    ...(call_status === undefined ? [] : toChange('phone', phone_e164, current.call_status, call_status)),
    ...(restricted === undefined
      ? []
      : toChange('processing', email_key, wordFor(current.processing_restricted), restricted)),
  ]
}
