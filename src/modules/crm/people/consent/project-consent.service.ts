import { recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emitMany } from '#platform/outbox'
import { contactUpdated, leadUpdated, personOptedIn, personOptedOut } from '../../crm.events.ts'
import { insertSystemActivities } from '../../records/system-activities/system-activities.queries.ts'
import type { LeadRow } from '../lead-records/leads.queries.ts'
import { updateLeads } from '../lead-records/update-leads.service.ts'
import { getScoringConfig, isScoringField, rescoreLeads } from '../scoring/rescore-leads.service.ts'
import { type ConsentChannel, isOptOut, projectEmailStatus, type RecordConsent } from './consent.rules.ts'
import type { PersonKind, PersonRef } from './consent-events.queries.ts'
import { projectConsentLater } from './consent-projection-job.ts'
import type { LockedPersonRecords } from './lock-person-records.service.ts'
import { type PersonRow, updatePersonContacts } from './person-records.queries.ts'

/** `subject` is null if only one record is affected. */
export type ConsentChange = {
  channel: ConsentChannel
  subject: string | null
  hash: Buffer | null
  record?: PersonRef
  from: string
  to: string
  source: string
}

type LockedRecords = Pick<LockedPersonRecords, 'leads' | 'contacts'>
type ConsentRow = RecordConsent & Pick<PersonRow, 'id' | 'name' | 'email_key' | 'phone_e164' | 'version'>
type ChangedRow = { before: ConsentRow; after: ConsentRow }

/** Copies changes of consent to the locked records, and announces them; a job copies them to records that are not locked. */
export async function applyConsentChanges(
  tx: TenantTx,
  people: LockedPersonRecords,
  changes: readonly ConsentChange[],
  now: Date,
): Promise<void> {
  await projectConsent(tx, people, changes, now)
  await emitPersonEvents(tx, people, changes)
  if (people.isPartial) await projectConsentLater(tx, changes)
}

export async function projectConsent(
  tx: TenantTx,
  { leads, contacts }: LockedRecords,
  changes: readonly ConsentChange[],
  now: Date,
): Promise<void> {
  const [changedLeads, changedContacts] = await Promise.all([
    updateLeadConsents(tx, leads, changes),
    updateContactConsents(tx, contacts, changes),
  ])
  await Promise.all([
    recordChanges(tx, 'lead', changedLeads, { changes, now }),
    recordChanges(tx, 'contact', changedContacts, { changes, now }),
  ])
  await rescoreChanged(tx, changedLeads, now)
}

async function updateLeadConsents(tx: TenantTx, leads: readonly LeadRow[], changes: readonly ConsentChange[]) {
  const updates = leads.flatMap((lead) => toUpdates(lead, changes))
  const updated = await updateLeads(tx, updates)
  return leads.flatMap((before) => {
    const after = updated.get(before.id)
    return after ? [{ before, after }] : []
  })
}

async function updateContactConsents(tx: TenantTx, contacts: readonly PersonRow[], changes: readonly ConsentChange[]) {
  const updates = contacts.flatMap((contact) => toUpdates(contact, changes))
  const byId = new Map(contacts.map((contact) => [contact.id, contact]))
  const changed: ChangedRow[] = []
  for (const group of Map.groupBy(updates, ({ columns }) => JSON.stringify(columns)).values()) {
    const ids = group.map(({ id }) => id)
    for (const after of await updatePersonContacts(tx, ids, group[0]!.columns))
      changed.push({ before: byId.get(after.id)!, after })
  }
  return changed
}

function toUpdates(record: ConsentRow, changes: readonly ConsentChange[]) {
  const columns = Object.assign({}, ...changes.map((change) => toColumns(record, change))) as Partial<RecordConsent>
  const isChanged = Object.entries(columns).some(([column, value]) => record[column as keyof RecordConsent] !== value)
  return isChanged ? [{ id: record.id, columns }] : []
}

function toColumns(record: ConsentRow, change: ConsentChange): Partial<RecordConsent> {
  const { channel, to } = change
  if (channel === 'survey' || !isAbout(change, record)) return {}
  if (channel === 'phone') return { call_status: to }
  if (channel === 'processing') return { processing_restricted: to === 'restricted' }
  return { email_status: projectEmailStatus(record.email_status, change) }
}

function isAbout({ channel, subject, record: only }: ConsentChange, record: ConsentRow): boolean {
  if (subject === null) return record.id === only?.id
  return (channel === 'phone' ? record.phone_e164 : record.email_key) === subject
}

const fields = ['email_status', 'call_status', 'processing_restricted'] as const
const changedFieldsOf = ({ before, after }: ChangedRow) => fields.filter((field) => before[field] !== after[field])

async function recordChanges(
  tx: TenantTx,
  kind: 'lead' | 'contact',
  changed: readonly ChangedRow[],
  { changes: causes, now }: { changes: readonly ConsentChange[]; now: Date },
): Promise<void> {
  if (!changed.length) return
  const sourceOf = ({ after }: ChangedRow) => causes.find((cause) => isAbout(cause, after))?.source
  const entries = changed.map((row) => ({
    id: row.after.id,
    label: row.after.name,
    before: row.before,
    after: { ...row.after, consent_source: sourceOf(row) },
  }))
  const occurrences = changed.map((row) => ({ subject: row.after, data: { changed: changedFieldsOf(row) } }))
  const activities = changed.map((row) => {
    const changes = changedFieldsOf(row).map((field) => ({ field, from: row.before[field], to: row.after[field] }))
    const parent = kind === 'lead' ? { lead_id: row.after.id } : { contact_id: row.after.id }
    return { parent, activity: { type: 'consent_changed', meta: { changes, source: sourceOf(row) }, at: now } }
  })
  await Promise.all([
    recordAuditEntries(tx, `${kind}.consent_changed`, entries),
    emitMany(tx, kind === 'lead' ? leadUpdated : contactUpdated, occurrences),
    insertSystemActivities(tx, activities),
  ])
}

async function emitPersonEvents(tx: TenantTx, people: LockedRecords, changes: readonly ConsentChange[]): Promise<void> {
  const [optIns, optOuts] = [changes.filter(isOptInChange), changes.filter(isOptOutChange)]
  await emitMany(
    tx,
    personOptedIn,
    optIns.map((change) => toPersonEvent(people, change)),
  )
  await emitMany(
    tx,
    personOptedOut,
    optOuts.map((change) => toPersonEvent(people, change)),
  )
}

const isOut = (status: string): boolean => isOptOut(status) || status === 'do_not_call'

/** A bounce and a restriction of processing are neither an opt-in nor an opt-out. */
const isOptInChange = ({ hash, to }: ConsentChange): boolean =>
  hash !== null && (to === 'subscribed' || to === 'allowed')
const isOptOutChange = ({ hash, from, to }: ConsentChange): boolean => hash !== null && isOut(to) && !isOut(from)

function toPersonEvent({ leads, contacts }: LockedRecords, change: ConsentChange) {
  const { channel, hash, to } = change
  const idsOf = (kind: PersonKind, records: readonly ConsentRow[]) => {
    const ids = records.filter((row) => isAbout(change, row)).map(({ id }) => id)
    return [...new Set([...ids, ...(change.record?.kind === kind ? [change.record.id] : [])])]
  }
  const data = { channel, status: to, lead_ids: idsOf('lead', leads), contact_ids: idsOf('contact', contacts) }
  return { subject: { id: hash!.toString('hex') }, data }
}

const inputFieldOf = { email_status: 'email', call_status: 'phone', processing_restricted: 'processing_restricted' }

async function rescoreChanged(
  tx: TenantTx,
  changed: readonly { before: LeadRow; after: LeadRow }[],
  now: Date,
): Promise<void> {
  if (!changed.length) return
  const config = await getScoringConfig(tx)
  const scored = changed.filter((row) =>
    changedFieldsOf(row).some((field) => isScoringField(config, inputFieldOf[field])),
  )
  await rescoreLeads(
    tx,
    scored.map(({ after }) => after),
    { cause: 'changed', now },
  )
}
