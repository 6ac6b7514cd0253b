// Random histories of people. HISTORIES sets their number; `npm run consent-histories` uses 50,000.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { scopesOfRole, systemActor, type UserActor } from '#platform/access'
import { mapConcurrently } from '#platform/concurrency'
import { inTenant, type TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { optIn, unsubscribe } from '../consent/consent.fixture.ts'
import { updatePersonConsent } from '../consent/consent.service.ts'
import { mayContact } from '../consent/may-contact.service.ts'
import { projectConsentBatch } from '../consent/project-consent.jobs.ts'
import { recordOptOut } from '../consent/record-opt-out.service.ts'
import { createContact } from '../contacts/create-contact.service.ts'
import { deleteContact, restoreContact } from '../contacts/delete-contact.service.ts'
import { mergeContacts } from '../contacts/merge-contacts.service.ts'
import { updateContact } from '../contacts/update-contact.service.ts'
import { convertLead } from '../convert/convert-lead.service.ts'
import { recordEmailEvent } from '../email-messages/email-events.service.ts'
import { createLead } from '../leads/create-lead.service.ts'
import { deleteLead } from '../leads/delete-lead.service.ts'
import { restoreLead } from '../leads/restore-leads.service.ts'
import { updateLead } from '../leads/update-lead.service.ts'
import { mergeLeads } from '../merge/merge-leads.service.ts'
import { undoLeadMerge } from '../merge/undo-lead-merge.service.ts'
import { createConsentModel, type ModelRecord } from './consent-model.fixture.ts'
import { crmErasures } from './crm-erasures.ts'
import { completeErasure, startErasure } from './erase-person.service.ts'
import { insertErasureRequest } from './erasure-requests.queries.ts'

const histories = Number(process.env.HISTORIES ?? 60)
const firstSeed = Number(process.env.HISTORIES_SEED ?? (process.env.HISTORIES ? Date.now() % 1e9 : 7))
const stepsPerHistory = 14
const { tenant, db, services } = await startTestApp()
const acme = await tenant()
const actor: UserActor = {
  ...systemActor(acme.id),
  type: 'user',
  role: 'admin',
  scopes: scopesOfRole('admin'),
  userId: acme.admin.userId,
}
const inAcme = <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(db, actor, work)
const usedErasures = ['crm.activities', 'crm.leads', 'crm.contacts', 'crm.consent']
const consentErasures = crmErasures.filter(({ name }) => usedErasures.includes(name))

/** Returns numbers in [0, 1). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const options = { now: new Date(), expectedVersion: undefined }
const isRejection = (error: unknown) => error instanceof AppError && error.status < 500

async function erasePerson(record: ModelRecord, keep_suppression: boolean): Promise<void> {
  const id = newId()
  const request = { subject_hash: randomBytes(32), record_type: record.kind, record_id: record.id, keep_suppression }
  await inAcme((tx) => insertErasureRequest(tx, { id, ...request, requested_by: actor.userId, created_at: new Date() }))
  let person = await inAcme((tx) => startErasure(tx, id, services))
  for (let round = 0; person && round < 5; round++) {
    const erased = person
    for (const { erase } of consentErasures) await inAcme((tx) => erase(tx, erased))
    person = await inAcme((tx) => completeErasure(tx, id, services))
  }
  assert.equal(person, undefined, 'the erasure does not end')
}

async function playHistory(seed: number): Promise<void> {
  const random = createRandom(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const addresses = ['a', 'b', 'c', 'd'].map((name) => `${name}${seed}@x.example`)
  const model = createConsentModel()
  const log: string[] = []
  const live = (kind?: ModelRecord['kind']) =>
    [...model.records.values()].filter((record) => !record.isDeleted && (!kind || record.kind === kind))
  const anyEmail = () => (random() < 0.15 ? null : pick(addresses))
  const isLead = (record: ModelRecord) => record.kind === 'lead'
  const putConsent = (record: ModelRecord, body: object) =>
    inAcme((tx) => updatePersonConsent(tx, actor, { kind: record.kind, id: record.id }, body as never, services))

  const steps: Record<string, () => Promise<unknown>> = {
    async create() {
      const [kind, email] = [random() < 0.7 ? ('lead' as const) : ('contact' as const), anyEmail()]
      const input = { last_name: 'Moss', ...(email && { email }) }
      const create = kind === 'lead' ? createLead : createContact
      const { id } = await inAcme(async (tx) => await create(tx, actor, input, services))
      model.create(id, kind, email)
      return `${kind} ${email}`
    },
    async edit() {
      const [record, email] = [pick(live()), anyEmail()]
      if (!record) return
      const update = isLead(record) ? updateLead : updateContact
      await inAcme(async (tx) => await update(tx, actor, record.id, { changes: { email } }, services))
      model.edit(record, email)
      return `${record.id} ${email}`
    },
    async delete() {
      const record = pick(live())
      if (!record) return
      await inAcme((tx) =>
        (isLead(record) ? deleteLead : deleteContact)(tx, actor, record.id, { ...options, now: new Date() }),
      )
      record.isDeleted = true
      return record.id
    },
    async restore() {
      const record = pick([...model.records.values()].filter(({ isDeleted, mergedInto }) => isDeleted && !mergedInto))
      if (!record) return
      await inAcme(async (tx) => await (isLead(record) ? restoreLead : restoreContact)(tx, actor, record.id, services))
      record.isDeleted = false
      return record.id
    },
    async merge() {
      const kind = random() < 0.8 ? ('lead' as const) : ('contact' as const)
      const [primary, ...others] = live(kind)
        .sort(() => random() - 0.5)
        .slice(0, random() < 0.3 ? 3 : 2)
      if (!primary || !others.length) return
      const duplicate_ids = others.slice(0, kind === 'lead' ? 2 : 1).map(({ id }) => id)
      const merged = others.filter(({ id }) => duplicate_ids.includes(id))
      const chosen = pick([primary, ...merged])
      const request = { duplicate_ids, prefer: { email: chosen.id } }
      if (kind === 'contact') {
        await inAcme((tx) => mergeContacts(tx, actor, primary.id, request, services))
        model.mergeContacts(primary, merged[0]!, chosen.email)
      } else {
        const { merge_id } = await inAcme((tx) => mergeLeads(tx, actor, primary.id, request, services))
        model.mergeLeads(merge_id, primary, merged, chosen.email)
      }
      return `${duplicate_ids} into ${primary.id}, ${chosen.email}`
    },
    async undo() {
      const mergeId = pick([...model.merges.keys()])
      if (!mergeId) return
      await inAcme((tx) => undoLeadMerge(tx, mergeId, services))
      model.undo(mergeId)
      return mergeId
    },
    async unsubscribeByLink() {
      const email = pick(addresses)
      const optOut = { email, channel: 'email', reason: 'unsubscribed', source: 'link' } as const
      await inAcme((tx) => recordOptOut(tx, services, optOut))
      model.optOut(email)
      return email
    },
    async unsubscribeByApi() {
      const record = pick(live())
      if (!record?.email) return
      await putConsent(record, unsubscribe)
      model.optOut(record.email)
      return record.email
    },
    async subscribe() {
      const record = pick(live())
      if (!record?.email) return
      await putConsent(record, optIn)
      model.optIn(record.email)
      return record.email
    },
    async complain() {
      const email = pick(addresses)
      const event = { kind: 'complaint', email, received_at: '2026-05-04T10:00:00Z', external_id: newId() } as const
      await inAcme((tx) => recordEmailEvent(tx, services, event))
      model.optOut(email)
      return email
    },
    async bounce() {
      const email = pick(addresses)
      const optOut = { email, channel: 'email', reason: 'bounced', source: 'mail server' } as const
      await inAcme((tx) => recordOptOut(tx, services, optOut))
      model.bounce(email)
      return email
    },
    async reset() {
      const record = pick(live())
      if (!record?.email) return
      await putConsent(record, { email_status: 'unknown', basis: 'none', source: 'reset' })
      model.reset(record.email)
      return record.email
    },
    async convert() {
      const [lead, contact] = [pick(live('lead')), pick(live('contact'))]
      if (!lead) return
      const request = contact && random() < 0.5 ? { contact_id: contact.id } : {}
      const converted = await inAcme((tx) =>
        convertLead(tx, actor, lead.id, { create_opportunity: false, ...request }, services),
      )
      if (converted.already_converted) return
      const { id, email } = converted.contact!
      if (!model.records.has(id)) model.create(id, 'contact', null)
      model.convert(lead, model.records.get(id)!, email)
      return `${lead.id} to ${id}, ${email}`
    },
    async erase() {
      const record = pick(live())
      if (!record || random() < 0.7) return
      const isKept = random() < 0.7
      await erasePerson(record, isKept)
      model.erase(record, isKept)
      return `${record.id} ${isKept}`
    },
  }

  for (let step = 0; step < stepsPerHistory; step++) {
    const name = step < 2 ? 'create' : pick([...Object.keys(steps), 'create', 'merge', 'merge', 'undo', 'edit'])
    try {
      const done = await steps[name]!()
      if (done !== undefined) log.push(`${name} ${done}`)
      else continue
    } catch (error) {
      if (!isRejection(error)) throw new Error(`history ${seed}: ${name} after ${log.join('; ')}`, { cause: error })
      continue
    }
    const ask = (tx: TenantTx) => mayContact(tx, services, addresses, { channel: 'email' })
    const permissions = await inAcme(ask)
    for (const email of addresses) {
      const permission = permissions.get(email)!
      const actual = permission.allowed ? 'allowed' : permission.code
      const [expected, isPending] = [model.answer(email), actual !== model.answer(email)]
      if (!isPending) continue
      // Records of an address that was freed again keep its mail back until the job has run.
      assert.ok(
        expected === 'allowed' || expected === 'bounced',
        `history ${seed}: ${email} is ${actual}, must be ${expected}: ${log.join('; ')}`,
      )
      while (await inAcme((tx) => projectConsentBatch(tx, services)));
      const again = (await inAcme(ask)).get(email)!
      assert.equal(again.allowed ? 'allowed' : again.code, expected, `history ${seed}, ${email}: ${log.join('; ')}`)
    }
  }
}

test('a person who opted out is not sent email, whatever was merged, edited, deleted, converted or erased', async () => {
  const seeds = Array.from({ length: histories }, (_, index) => firstSeed + index)
  await mapConcurrently(seeds, 4, playHistory)
})
