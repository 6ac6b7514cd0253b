import { recordAudit } from '#platform/audit'
import { type TenantTx, tenantIdOf } from '#platform/db'
import type { ErasedPerson, Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { personErased } from '../../crm.events.ts'
import { lockConsent } from '../../people/consent/consent-events.queries.ts'
import { suppressSubjects } from '../../people/consent/suppressions.service.ts'
import { lockLeadsIncludingDeleted } from '../../people/lead-records/leads.queries.ts'
import { lockCustomFieldsShared } from '../../records/custom-values/field-definitions.queries.ts'
import { collectPerson, type Identifiers, type KnownPerson, toErasedPerson } from './collect-person.service.ts'
import { hasActivityTexts } from './erase-activities.queries.ts'
import { lockContactsIncludingDeleted, lockContactsToErase } from './erase-contacts.queries.ts'
import { lockLeadsToErase } from './erase-leads.queries.ts'
import { type ErasureRequestRow, getErasureRequest, updateErasureRequestRow } from './erasure-requests.queries.ts'
import { isE164 } from './mentions.rules.ts'
import { resetConsent, subjectsOf } from './reset-consent.service.ts'

export async function lockUnerasedRecords(tx: TenantTx, { lead_ids, contact_ids }: KnownPerson): Promise<boolean> {
  await lockLeadsIncludingDeleted(tx, lead_ids)
  await lockContactsIncludingDeleted(tx, contact_ids)
  const leads = await lockLeadsToErase(tx, lead_ids, await personalKeysOf(tx, 'lead'), 1)
  const contacts = await lockContactsToErase(tx, contact_ids, await personalKeysOf(tx, 'contact'), 1)
  return leads.length > 0 || contacts.length > 0 || (await hasActivityTexts(tx, { lead_ids, contact_ids }))
}

const personalKeysOf = async (tx: TenantTx, objectType: 'lead' | 'contact'): Promise<string[]> =>
  (await lockCustomFieldsShared(tx, objectType)).filter(({ is_personal }) => is_personal).map(({ key }) => key)

type ErasureServices = Pick<Services, 'clock' | 'secrets'>

export async function startErasure(
  tx: TenantTx,
  requestId: string,
  services: ErasureServices,
): Promise<ErasedPerson | undefined> {
  const request = await getErasureRequest(tx, requestId)
  if (request.state === 'completed') return undefined
  const person = await collectPerson(tx, openSubject(tx, request, services))
  await updateErasureRequestRow(tx, requestId, {
    ...sealSubject(tx, requestId, person, services),
    state: 'running',
    started_at: request.started_at ?? services.clock.now(),
  })
  if (request.keep_suppression) await suppressPerson(tx, person, services)
  else await lockConsent(tx, subjectsOf(person))
  return await toErasedPerson(tx, person, services)
}

/** Waits for transactions that create records of the person, as the lock without opt-outs does; later ones read the opt-outs. */
async function suppressPerson(tx: TenantTx, { email_keys, phones }: KnownPerson, services: ErasureServices) {
  const erased = { reason: 'erased', source: 'erased' } as const
  if (email_keys.length) await suppressSubjects(tx, services, { subjects: email_keys, channel: 'email', ...erased })
  const numbers = phones.filter(isE164)
  if (numbers.length) await suppressSubjects(tx, services, { subjects: numbers, channel: 'phone', ...erased })
}

/** Completes the erasure, or returns the person again if records were created or edited since it was started. */
export async function completeErasure(
  tx: TenantTx,
  requestId: string,
  services: ErasureServices,
): Promise<ErasedPerson | undefined> {
  const request = await getErasureRequest(tx, requestId)
  if (request.state === 'completed') return undefined
  const known = openSubject(tx, request, services)
  const person = await collectPerson(tx, known)
  const isLarger =
    person.lead_ids.length > known.lead_ids.length || person.contact_ids.length > known.contact_ids.length
  if (isLarger || (await lockUnerasedRecords(tx, person))) {
    await updateErasureRequestRow(tx, requestId, sealSubject(tx, requestId, person, services))
    return await toErasedPerson(tx, person, services)
  }

  if (!request.keep_suppression) await resetConsent(tx, person, services)
  await finishRequest(tx, request, person, services)
  return undefined
}

async function finishRequest(
  tx: TenantTx,
  { id, subject_hash, counts }: ErasureRequestRow,
  { lead_ids, contact_ids }: KnownPerson,
  { clock }: ErasureServices,
): Promise<void> {
  const isBlank = { subject_kid: null, subject_ciphertext: null }
  await updateErasureRequestRow(tx, id, { state: 'completed', finished_at: clock.now(), ...isBlank })
  await recordAudit(tx, 'person.erased', { id, after: { counts } })
  const data = { subject_hash: subject_hash.toString('hex'), lead_ids: [...lead_ids], contact_ids: [...contact_ids] }
  await emit(tx, personErased, { id }, data)
}

const locationOf = (tx: TenantTx, row: string) => ({
  tenantId: tenantIdOf(tx),
  table: 'crm.erasure_requests',
  column: 'subject_ciphertext',
  row,
})

function sealSubject(
  tx: TenantTx,
  requestId: string,
  { email_keys, phones, names, lead_ids, contact_ids }: KnownPerson,
  { secrets }: ErasureServices,
) {
  const identifiers: Identifiers = { email_keys, phones, names }
  const { kid, ciphertext } = secrets.seal(JSON.stringify(identifiers), locationOf(tx, requestId))
  const ids = { lead_ids: [...lead_ids], contact_ids: [...contact_ids] }
  return { subject_kid: kid, subject_ciphertext: ciphertext, ...ids }
}

function openSubject(tx: TenantTx, request: ErasureRequestRow, { secrets }: ErasureServices): KnownPerson {
  const {
    id,
    record_type,
    record_id,
    lead_ids,
    contact_ids,
    subject_kid: kid,
    subject_ciphertext: ciphertext,
  } = request
  if (kid !== null && ciphertext !== null)
    return { ...JSON.parse(secrets.open({ kid, ciphertext }, locationOf(tx, id))), lead_ids, contact_ids }
  const isLead = record_type === 'lead'
  return {
    email_keys: [],
    phones: [],
    names: [],
    lead_ids: isLead ? [record_id] : [],
    contact_ids: isLead ? [] : [record_id],
  }
}
