import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { recordOptOut } from '../../src/modules/crm/people/consent/record-opt-out.service.ts'
import { type Race, runConcurrently } from './race.ts'

/** A lead and a contact that get an address while it opts out must be unsubscribed, whichever commits first. */
export const optOutAgainstNewRecords: Race = {
  name: 'opt-out against new records',
  async prepare(app) {
    const acme = await app.tenant()
    let run = 0
    return async () => {
      const email = `raced-${run++}@${acme.slug}.example`
      const optOut = { email, channel: 'email', reason: 'unsubscribed', source: 'link' } as const

      const [lead, contact] = await runConcurrently(
        () => acme.member.post('/api/leads/', { email }),
        () => acme.member.post('/api/contacts/', { email }),
        () => inTenant(app.db, systemActor(acme.id), (tx) => recordOptOut(tx, app.services, optOut)),
      )

      const { rows } = await acme.sql(
        `select 'lead' as kind, email_status, version from crm.leads where id = $1
        union all select 'contact', email_status, version from crm.contacts where id = $2`,
        [lead.body.id, contact.body.id],
      )
      if (rows.length !== 2 || rows.some(({ email_status }) => email_status !== 'unsubscribed'))
        return { violation: JSON.stringify(rows) }
      return { outcome: rows.map(({ kind, version }) => `${kind} ${version === 1 ? 'after' : 'before'}`).join(' ') }
    }
  },
}

/** Concurrent changes of two records with one address must leave both with the status of the address. */
export const consentOfTwoRecords: Race = {
  name: 'consent of two records with one address',
  async prepare(app) {
    const acme = await app.tenant()
    let run = 0
    return async () => {
      const email = `raced-${run++}@${acme.slug}.example`
      const lead = (await acme.member.post('/api/leads/', { email })).body
      const contact = (await acme.member.post('/api/contacts/', { email })).body
      const proof = { basis: 'consent', source: 'race', evidence: 'race' }

      const [optIn, optOut] = await runConcurrently(
        () => acme.member.put(`/api/leads/${lead.id}/consent`, { ...proof, email_status: 'subscribed' }),
        () => acme.member.put(`/api/contacts/${contact.id}/consent`, { ...proof, email_status: 'unsubscribed' }),
      )

      if (optIn.status !== 200 || optOut.status !== 200) return { violation: `${optIn.text} ${optOut.text}` }
      const { body: consent } = await acme.member.get(`/api/leads/${lead.id}/consent`)
      const { body: other } = await acme.member.get(`/api/contacts/${contact.id}/consent`)
      const [latest, first] = consent.history
      const isConsistent = consent.email.status === other.email.status && consent.email.status === latest.to
      if (!isConsistent || consent.history.length !== 2 || first.to !== latest.from)
        return { violation: JSON.stringify([consent, other]) }
      return { outcome: `${latest.to} last` }
    }
  },
}
