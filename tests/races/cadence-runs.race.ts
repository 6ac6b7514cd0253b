import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '#platform/ids'
import { claimEmails } from '../../src/modules/email/messages/claim-emails.service.ts'
import { storeSendResults } from '../../src/modules/email/messages/email-results.service.ts'
import { cadenceActions } from '../../src/modules/marketing/cadences/cadence-sending/cadence-runs.fixture.ts'
import {
  storeSentEmails,
  storeSkippedEmails,
} from '../../src/modules/marketing/cadences/cadence-sending/store-results.service.ts'
import { type Race, runConcurrently, type TestApp } from './race.ts'

/** Both sides take several statements, so that only a later start of the faster one lets the other win. */
export const waitUpTo = (ms: number) => sleep(Math.random() * ms)

export async function prepareCadence(app: TestApp, steps: object[]) {
  const acme = await app.tenant()
  const actions = cadenceActions(app, acme)
  await actions.setSending({})
  const cadence = await actions.createCadence(steps)
  let persons = 0

  async function enrollPerson() {
    const lead = await actions.createLead({ email: `p${++persons}-${acme.id}@race.example` })
    const [id] = await actions.enroll(cadence, [lead])
    return { lead, id: id! }
  }

  /** Does what the dispatcher does up to the mail server. Returns the emails that would be sent. */
  async function claim() {
    const claimId = newId()
    const { emails } = await actions.inAcme((tx) => claimEmails(tx, app.services, { claimId, limit: 50 }))
    return emails.map(({ id, mail }) => ({ id, claimId, address: mail.to.address, messageId: mail.messageId! }))
  }

  /** Stores the result of the first email of a person. */
  async function sendFirst() {
    await actions.runDue()
    const [email] = await claim()
    const now = app.clock.now()
    await actions.inAcme((tx) =>
      storeSendResults(tx, { id: email!.claimId, now }, [
        { id: email!.id, address: email!.address, state: 'sent', sent_at: now },
      ]),
    )
    await actions.inAcme((tx) => storeSentEmails(tx, [{ id: email!.id, reason: null }], now))
    return email!
  }

  return { acme, cadence, ...actions, enrollPerson, claim, sendFirst }
}

/** After an opt-out was stored, no email is sent. */
export const optOutAgainstRun: Race = {
  name: 'crm-5-4 opt-out against the claim of a run',
  async prepare(app) {
    const { acme, enrollPerson, runDue, claim } = await prepareCadence(app, [{}])
    return async () => {
      const { lead } = await enrollPerson()
      const consent = { email_status: 'unsubscribed', basis: 'none', source: 'letter' }
      let optedOutAt = Number.POSITIVE_INFINITY
      let claimedAt = 0
      await runDue()

      const [optedOut, emails] = await runConcurrently(
        async () => {
          const response = await acme.member.put(`/api/leads/${lead.id}/consent`, consent)
          optedOutAt = performance.now()
          return response
        },
        async () => {
          await waitUpTo(60)
          claimedAt = performance.now()
          return await claim()
        },
      )

      const later = await claim()
      const isSentAfter = emails.length > 0 && optedOutAt < claimedAt
      if (optedOut.status !== 200 || isSentAfter || later.length)
        return { violation: JSON.stringify({ status: optedOut.status, emails, later }) }
      return { outcome: emails.length ? 'sent first' : 'opted out first' }
    }
  },
}

/** After a reply, no step is sent, also if it was queued before. */
export const replyAgainstRun: Race = {
  name: 'crm-5-6 reply against run',
  weight: 2,
  async prepare(app) {
    const race = await prepareCadence(app, [{}, {}])
    const { acme, runDue, claim, findEnrollment, listRunsOf } = race
    return async () => {
      const { id } = await race.enrollPerson()
      const email = await race.sendFirst()
      const event = { kind: 'reply', in_reply_to: email.messageId, from: email.address, external_id: newId() }
      const received_at = app.clock.now().toISOString()

      const [replied] = await runConcurrently(
        () => acme.admin.post('/api/leads/email-events', { ...event, received_at }),
        async () => {
          await waitUpTo(60)
          await runDue()
          return null
        },
      )

      const emails = await claim()
      const { status, exit_reason } = await findEnrollment(id)
      const second = (await listRunsOf(id))[1]
      if (replied.status !== 200 || exit_reason !== 'replied' || emails.length)
        return { violation: JSON.stringify({ replied: replied.body, status, exit_reason, emails, second }) }
      return { outcome: second.state === 'claimed' ? 'run first' : 'reply first' }
    }
  },
}

/** A paused person gets no email, and exactly one after the pause. */
export const pauseAgainstRun: Race = {
  name: 'crm-5-7 pause against run',
  weight: 2,
  async prepare(app) {
    const { acme, cadence, enrollPerson, inAcme, runDue, claim, listRunsOf } = await prepareCadence(app, [{}])
    return async () => {
      const { id } = await enrollPerson()
      const change = (status: string) => acme.member.patch(`/api/cadences/${cadence.id}/enrollments/${id}`, { status })

      const [paused] = await runConcurrently(
        async () => {
          await waitUpTo(60)
          return await change('paused')
        },
        async () => {
          await waitUpTo(60)
          await runDue()
          return null
        },
      )

      const [first] = await listRunsOf(id)
      const whilePaused = await claim()
      if (first.state === 'claimed')
        await inAcme((tx) => storeSkippedEmails(tx, [{ id: first.id, reason: 'paused' }], app.clock.now()))
      const resumed = await change('active')
      await runDue()
      const afterPause = await claim()
      const statuses = [paused.status, resumed.status]
      if (statuses.some((status) => status !== 200) || whilePaused.length || afterPause.length !== 1)
        return { violation: JSON.stringify({ statuses, whilePaused, afterPause, runs: await listRunsOf(id) }) }
      return { outcome: first.state === 'claimed' ? 'run first' : 'pause first' }
    }
  },
}
