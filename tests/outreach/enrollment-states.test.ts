// Does each event of the table in docs/architecture/cadences.md to an enrollment in every state.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newId } from '#platform/ids'
import { MailError } from '#platform/mail'
import { startTestApp } from '#testing'
import { createBackground } from './background.ts'
import { type Enrolled, prepareEnrollments, type StatesWorkspace } from './enrollments-in-states.ts'

const app = await startTestApp({}, { isOwn: true })
const { clock, services } = app
const workspace = await app.tenant()
const acme: StatesWorkspace = {
  ...workspace,
  sender: await workspace.person('member'),
  absentSender: await workspace.person('member'),
}
const background = createBackground(app, acme, { startWorker: () => new Promise(() => {}), isExpected: () => true })
const sending = { from_address: 'sales@acme.example', postal_address: '1 Main Street', max_live_cadences_per_person: 5 }
assert.equal((await acme.manager.put('/api/leads/settings', { sending })).status, 200)
const standardMailer = services.outreachMailer
const setMailServer = (send: typeof standardMailer.send) => {
  services.outreachMailer = { ...standardMailer, send }
}
const accept = async ({ messageId }: { messageId?: string }) => ({ messageId: messageId! })
setMailServer(accept)
after(() => {
  services.outreachMailer = standardMailer
  clock.reset()
})

const failWith = (error: MailError) => async (_: Enrolled[]) => {
  setMailServer(() => Promise.reject(error))
  await sendNext()
}
/** Sends the second step. Access tokens would expire with the clock, so what follows signs in again. */
const sendNext = async () => {
  clock.advance(3_700)
  await background.sendDue()
}
const setStatus = (status: string) => async (enrolled: Enrolled[]) => {
  const responses = []
  for (const { url } of enrolled) responses.push(await acme.manager.patch(url, { status }))
  return responses
}
const eachLead =
  (change: (lead: Enrolled['lead'], enrolled: Enrolled) => Promise<{ status: number; text: string }>) =>
  async (all: Enrolled[]) => {
    for (const one of all) {
      const { status, text } = await change(one.lead, one)
      assert.ok(status < 300, text)
    }
  }
const report = (event: object) =>
  acme.admin.post('/api/leads/email-events', {
    external_id: newId(),
    received_at: clock.now().toISOString(),
    ...event,
  })
const messageIdOf = ({ runId }: Enrolled) => `<${runId}@${app.config.APP_DOMAIN}>`
const logActivity = (type: string) =>
  eachLead(({ id }) => acme.admin.post(`/api/leads/${id}/activities`, { type, subject: 'Noted' }))
const patchLead = (changes: (lead: Enrolled['lead']) => object) =>
  eachLead((lead) => acme.manager.patch(`/api/leads/${lead.id}`, changes(lead)))
const reportBounce = eachLead((_, enrolled) =>
  report({ kind: 'bounce', bounce_type: 'hard', message_id: messageIdOf(enrolled) }),
)
const correctAddress = patchLead(({ id }) => ({ email: `${id}@corrected.example` }))
const setUserStatus = async ({ userId }: { userId: string }, status: string) => {
  assert.equal((await acme.admin.patch(`/api/users/${userId}`, { status })).status, 200)
  await background.settle()
}
const setCadence =
  (changes: object) =>
  async ([first]: Enrolled[]) => {
    assert.equal((await acme.manager.patch(`/api/cadences/${first!.cadenceId}`, changes)).status, 200)
  }

const events: Record<string, (enrolled: Enrolled[]) => Promise<unknown>> = {
  'a user pauses it': setStatus('paused'),
  'a user continues it': setStatus('active'),
  'a user removes it': setStatus('exited'),
  'a user gives it another sender': async (enrolled) => {
    for (const { url } of enrolled) await acme.manager.patch(url, { sender_id: acme.manager.userId })
  },
  'the person replies': logActivity('email_replied'),
  'an automatic reply arrives': eachLead((_, enrolled) =>
    report({ kind: 'reply', in_reply_to: messageIdOf(enrolled), auto_submitted: 'auto-replied' }),
  ),
  'the person books a meeting': logActivity('meeting_booked'),
  'the person opts out': eachLead(({ id }) =>
    acme.manager.put(`/api/leads/${id}/consent`, { email_status: 'unsubscribed', basis: 'none', source: 'letter' }),
  ),
  'an email bounces': reportBounce,
  'an email to a former address bounces': async (enrolled) => {
    await correctAddress(enrolled)
    await reportBounce(enrolled)
  },
  'the lead is converted': eachLead(({ id }) => acme.manager.post(`/api/leads/${id}/convert`, {})),
  'the lead is unqualified': patchLead(() => ({ status: 'unqualified', disqualify_reason: 'other' })),
  'the record is deleted': eachLead(({ id }) => acme.manager.delete(`/api/leads/${id}`)),
  'the person is erased': eachLead(({ id }) => acme.admin.post(`/api/leads/${id}/erase`, { confirm: 'ERASE' })),
  'the record is merged into another': eachLead(async ({ id }) => {
    const { body } = await acme.manager.post('/api/leads/', { last_name: 'Survivor' })
    return await acme.manager.post(`/api/leads/${body.id}/merge`, { duplicate_ids: [id] })
  }),
  'the email address is corrected': correctAddress,
  'the record gets the address of another enrollment of the cadence': eachLead(async ({ id }, { cadenceId }) => {
    const email = `${id}@other.example`
    const { body } = await acme.manager.post('/api/contacts/', { last_name: 'Moss', email })
    await acme.manager.post(`/api/cadences/${cadenceId}/enrollments`, { contact_ids: [body.id] })
    return await acme.manager.patch(`/api/leads/${id}`, { email })
  }),
  'the mail server rejects an email': failWith(new MailError('Rejected.', { isPermanent: true })),
  'the result of an email is uncertain': failWith(
    new MailError('The connection was lost.', { isPermanent: false, mayHaveArrived: true }),
  ),
  'an email lacks a value': sendNext,
  'the sender is deactivated': () => setUserStatus(acme.sender, 'deactivated'),
  'the sender is active again': () => setUserStatus(acme.absentSender, 'active'),
  'the cadence or its campaign is paused': setCadence({ status: 'paused' }),
  'the cadence is archived': setCadence({ status: 'archived' }),
  'the last step is executed': sendNext,
}

type Row = { event: string; states: string[]; told: string }

function readTable(): Row[] {
  const path = join(import.meta.dirname, '../../docs/architecture/cadences.md')
  const [, section] = readFileSync(path, 'utf8').split('## States of enrollments')
  const lines = section!.split('\n').filter((line) => line.startsWith('| ') && !/^\| (Event|---)/.test(line))
  return lines.map((line) => {
    const [event, ...cells] = line.split('|').slice(1, -1)
    return { event: event!.trim(), states: cells.slice(0, 3).map((cell) => cell.trim()), told: cells[3]!.trim() }
  })
}

test('the table of the documentation has every event of this test, and no other', () => {
  assert.deepEqual(
    readTable()
      .map(({ event }) => event)
      .sort(),
    Object.keys(events).sort(),
  )
})

test('each event changes each enrollment as the table says, tells whom it names, and leaves ended ones as they are', async () => {
  for (const { event, states, told } of readTable()) {
    Object.assign(acme.manager, await workspace.signIn(acme.manager.userId))
    Object.assign(acme.admin, await workspace.signIn(acme.admin.userId))
    setMailServer(accept)
    await setUserStatus(acme.sender, 'active')
    const lacksValue = event === 'an email lacks a value'
    const prepared = await prepareEnrollments(acme, background, lacksValue)
    await acme.sql('delete from platform.notifications where tenant_id = $1', [acme.id])

    const responses = await events[event]!(prepared.enrolled)
    await background.settle()

    const before = ['active', 'paused: manual', 'paused: sender_deactivated', 'exited: removed']
    const rejections = Array.isArray(responses) ? responses.map(({ status }) => status) : []
    const expected = [...states, 'unchanged'].map((state, index) =>
      ['unchanged', 'rejected'].includes(state) ? before[index] : state,
    )
    assert.deepEqual(await prepared.listStates(), expected, event)
    for (const [index, state] of states.entries())
      if (rejections.length) assert.equal(rejections[index] === 409, state === 'rejected', `${event}: ${rejections}`)
    if (rejections.length) assert.equal(rejections[3] === 409, event !== 'a user removes it', `${event}: ${rejections}`)
    const isAbsent = (index: number) => index === 2 || event === 'the sender is deactivated'
    const recipients = states.flatMap((state, index) =>
      told === '–' || ['unchanged', 'rejected'].includes(state)
        ? []
        : [isAbsent(index) ? acme.manager.userId : acme.sender.userId],
    )
    const { rows } = await acme.sql(
      `select distinct user_id from platform.notifications where tenant_id = $1 and payload ->> 'cadence_id' = $2`,
      [acme.id, prepared.enrolled[0]!.cadenceId],
    )
    assert.deepEqual(rows.map(({ user_id }) => user_id).sort(), [...new Set(recipients)].sort(), event)
  }
})
