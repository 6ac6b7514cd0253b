import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { UserActor } from '#platform/access'
import { type TenantTx, withSavepoint } from '#platform/db'
import { AppError } from '#platform/errors'
import { newId } from '#platform/ids'
import { createRandom, type Services } from '#platform/module'
import { recordEmailEvent } from '../../../email/messages/email-events.service.ts'
import { mentionErasures, personErasures } from '../../privacy/erasure/crm.erasures.ts'
import { completeErasure, startErasure } from '../../privacy/erasure/erase-person.service.ts'
import { insertErasureRequest } from '../../privacy/erasure/erasure-requests.queries.ts'
import { convertLead } from '../../work/convert/convert-lead.service.ts'
import { mergeLeads } from '../../work/merge/merge-leads.service.ts'
import { undoLeadMerge } from '../../work/merge/undo-lead-merge.service.ts'
import { optIn, unsubscribe } from '../consent/consent.fixture.ts'
import { updatePersonConsent } from '../consent/consent.service.ts'
import type { ContactPermission } from '../consent/may-contact.service.ts'
import { recordOptOut } from '../consent/record-opt-out.service.ts'
import { createContact } from '../contacts/create-contacts.service.ts'
import { deleteContact } from '../contacts/delete-contact.service.ts'
import { mergeContacts } from '../contacts/merge-contacts.service.ts'
import { restoreContact } from '../contacts/restore-contacts.service.ts'
import { updateContact } from '../contacts/update-contacts.service.ts'
import { createLead } from '../leads/create-leads.service.ts'
import { deleteLead } from '../leads/delete-lead.service.ts'
import { restoreLead } from '../leads/restore-leads.service.ts'
import { updateLead } from '../leads/update-lead.service.ts'
import { createConsentModel, type ModelRecord } from './consent-model.fixture.ts'

const usedErasures = ['crm.activities', 'crm.leads', 'crm.contacts', 'crm.consent']
const consentErasures = [...mentionErasures, ...personErasures].filter(({ name }) => usedErasures.includes(name))
const isRejection = (error: unknown) => error instanceof AppError && error.status < 500

type Permissions = ReadonlyMap<string, ContactPermission>
function codeOf(permissions: Permissions, email: string): string {
  const permission = permissions.get(email)!
  return permission.allowed ? 'allowed' : permission.code
}

/** A step that is applied to many histories at once. `email` and `id` say to whom; `done` tells the model. */
export type BulkStep = {
  kind: 'create' | 'delete' | 'restore' | 'opt_out' | 'unsubscribed' | 'complained' | 'bounced' | 'listed'
  email: string | null
  id: string
  done(id: string): void
}

/** One random history of up to four addresses and their records, and the model of it. */
export function startHistory(seed: number, actor: UserActor, services: Services) {
  const { integer, pick, chance } = createRandom(seed)
  const addresses = ['a', 'b', 'c', 'd'].map((name) => `${name}${seed}@x.example`)
  const model = createConsentModel()
  const log: string[] = []
  const live = (kind?: ModelRecord['kind']) =>
    [...model.records.values()].filter((record) => !record.isDeleted && (!kind || record.kind === kind))
  const deletedRecords = () =>
    [...model.records.values()].filter(({ isDeleted, mergedInto }) => isDeleted && !mergedInto)
  const pickAny = <T>(items: readonly T[]): T | undefined => (items.length ? pick(items) : undefined)
  const anyEmail = () => (chance(0.15) ? null : pick(addresses))
  const isLead = (record: ModelRecord) => record.kind === 'lead'
  const putConsent = (tx: TenantTx, { kind, id }: ModelRecord, body: object) =>
    updatePersonConsent(tx, actor, { kind, id }, body as never, services)

  async function erasePerson(tx: TenantTx, record: ModelRecord, keep_suppression: boolean): Promise<void> {
    const id = newId()
    const request = { subject_hash: randomBytes(32), record_type: record.kind, record_id: record.id, keep_suppression }
    await insertErasureRequest(tx, { id, ...request, requested_by: actor.userId, created_at: new Date() })
    let person = await startErasure(tx, id, services)
    for (let round = 0; person && round < 5; round++) {
      for (const { erase } of consentErasures) await erase(tx, person)
      person = await completeErasure(tx, id, services)
    }
    assert.equal(person, undefined, 'the erasure does not end')
  }

  const steps: Record<string, (tx: TenantTx) => Promise<unknown>> = {
    async create(tx) {
      const [kind, email] = [chance(0.7) ? ('lead' as const) : ('contact' as const), anyEmail()]
      const input = { last_name: 'Moss', ...(email && { email }) }
      const create = kind === 'lead' ? createLead : createContact
      const { id } = await create(tx, actor, input, services)
      model.create(id, kind, email)
      return `${kind} ${email}`
    },
    async edit(tx) {
      const [record, email] = [pickAny(live()), anyEmail()]
      if (!record) return
      const update = isLead(record) ? updateLead : updateContact
      await update(tx, actor, record.id, { changes: { email } }, services)
      model.edit(record, email)
      return `${record.id} ${email}`
    },
    async delete(tx) {
      const record = pickAny(live())
      if (!record) return
      await (isLead(record) ? deleteLead : deleteContact)(tx, actor, record.id, { now: new Date() })
      record.isDeleted = true
      return record.id
    },
    async restore(tx) {
      const record = pickAny(deletedRecords())
      if (!record) return
      await (isLead(record) ? restoreLead : restoreContact)(tx, actor, record.id, services)
      record.isDeleted = false
      return record.id
    },
    async merge(tx) {
      const kind = chance(0.8) ? ('lead' as const) : ('contact' as const)
      const [primary, ...others] = live(kind)
        .sort(() => integer(-1, 1))
        .slice(0, chance(0.3) ? 3 : 2)
      if (!primary || !others.length) return
      const duplicate_ids = others.slice(0, kind === 'lead' ? 2 : 1).map(({ id }) => id)
      const merged = others.filter(({ id }) => duplicate_ids.includes(id))
      const chosen = pick([primary, ...merged])
      const request = { duplicate_ids, prefer: { email: chosen.id } }
      if (kind === 'contact') {
        await mergeContacts(tx, actor, primary.id, request, services)
        model.mergeContacts(primary, merged[0]!, chosen.email)
      } else {
        const { merge_id } = await mergeLeads(tx, actor, primary.id, request, services)
        model.mergeLeads(merge_id, primary, merged, chosen.email)
      }
      return `${duplicate_ids} into ${primary.id}, ${chosen.email}`
    },
    async undo(tx) {
      const mergeId = pickAny([...model.merges.keys()])
      if (!mergeId) return
      await undoLeadMerge(tx, mergeId, services)
      model.undo(mergeId)
      return mergeId
    },
    async unsubscribeByLink(tx) {
      const email = pick(addresses)
      const optOut = { email, channel: 'email', reason: 'unsubscribed', source: 'link' } as const
      await recordOptOut(tx, services, optOut)
      model.optOut(email)
      return email
    },
    async unsubscribeByApi(tx) {
      const record = pickAny(live())
      if (!record?.email) return
      await putConsent(tx, record, unsubscribe)
      model.optOut(record.email)
      return record.email
    },
    async subscribe(tx) {
      const record = pickAny(live())
      if (!record?.email) return
      await putConsent(tx, record, optIn)
      model.optIn(record.email)
      return record.email
    },
    async complain(tx) {
      const email = pick(addresses)
      const event = { kind: 'complaint', email, received_at: '2026-05-04T10:00:00Z', external_id: newId() } as const
      await recordEmailEvent(tx, actor, services, event)
      model.optOut(email)
      return email
    },
    async bounce(tx) {
      const email = pick(addresses)
      const optOut = { email, channel: 'email', reason: 'bounced', source: 'mail server' } as const
      await recordOptOut(tx, services, optOut)
      model.bounce(email)
      return email
    },
    async reset(tx) {
      const record = pickAny(live())
      if (!record?.email) return
      await putConsent(tx, record, { email_status: 'unknown', basis: 'none', source: 'reset' })
      model.reset(record.email)
      return record.email
    },
    async convert(tx) {
      const [lead, contact] = [pickAny(live('lead')), pickAny(live('contact'))]
      if (!lead) return
      const request = contact && chance(0.5) ? { contact_id: contact.id } : {}
      const converted = await convertLead(tx, actor, lead.id, { create_opportunity: false, ...request }, services)
      if (converted.already_converted) return
      const { id, email } = converted.contact!
      if (!model.records.has(id)) model.create(id, 'contact', null)
      model.convert(lead, model.records.get(id)!, email)
      return `${lead.id} to ${id}, ${email}`
    },
    async erase(tx) {
      const record = pickAny(live())
      if (!record || chance(0.7)) return
      const isKept = chance(0.7)
      await erasePerson(tx, record, isKept)
      model.erase(record, isKept)
      return `${record.id} ${isKept}`
    },
  }

  const names = [...Object.keys(steps), 'merge', 'merge', 'undo', 'edit', 'delete']

  const ofRecord = (kind: BulkStep['kind'], record: ModelRecord | undefined, change: (record: ModelRecord) => void) =>
    record && { kind, id: record.id, email: record.email, done: () => change(record) }
  const ofAddress = (kind: BulkStep['kind'], change: (email: string) => void): BulkStep => {
    const email = pick(addresses)
    return { kind, id: '', email, done: () => change(email) }
  }
  const newLead = (email = anyEmail()): BulkStep => ({
    kind: 'create',
    id: '',
    email,
    done: (id) => model.create(id, 'lead', email),
  })
  const bulkSteps: (() => BulkStep | undefined)[] = [
    newLead,
    () => ofRecord('delete', pickAny(live('lead')), (lead) => Object.assign(lead, { isDeleted: true })),
    () =>
      ofRecord('restore', pickAny(deletedRecords().filter(isLead)), (lead) =>
        Object.assign(lead, { isDeleted: false }),
      ),
    () => ofRecord('opt_out', pickAny(live('lead').filter(({ email }) => email)), ({ email }) => model.optOut(email!)),
    () => ofAddress('unsubscribed', model.optOut),
    () => ofAddress('complained', model.optOut),
    () => ofAddress('listed', model.optOut),
    () => ofAddress('bounced', model.bounce),
  ]

  return {
    addresses,
    isLong: chance(0.03),
    firstSteps: [newLead(pick(addresses)), newLead()],
    isSingle: chance,
    chooseBulkStep(): BulkStep | undefined {
      const step = pick(bulkSteps)()
      return (
        step && {
          ...step,
          done(id) {
            log.push(`${step.kind} ${step.email} ${id || step.id}`)
            step.done(id)
          },
        }
      )
    },
    async play(tx: TenantTx): Promise<void> {
      const name = pick(names)
      try {
        const done = await withSavepoint(tx, () => steps[name]!(tx))
        if (done !== undefined) log.push(`${name} ${done}`)
      } catch (error) {
        if (!isRejection(error)) throw new Error(`history ${seed}: ${name} after ${log.join('; ')}`, { cause: error })
      }
    },
    /** Returns whether all addresses have the right answer. Records can keep email back until a job has updated them. */
    check(permissions: Permissions, isProjected: boolean): boolean {
      const differing = addresses.filter((email) => codeOf(permissions, email) !== model.answer(email))
      for (const email of differing) {
        const [actual, expected] = [codeOf(permissions, email), model.answer(email)]
        const mayFollow = !isProjected && (expected === 'allowed' || expected === 'bounced')
        assert.ok(mayFollow, `history ${seed}: ${email} is ${actual}, must be ${expected}: ${log.join('; ')}`)
      }
      return differing.length === 0
    },
  }
}
