import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import { inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { startTestApp } from '#testing'
import { claimEmails, postponeEmails } from '../messages/claim-emails.service.ts'
import { addEmailKinds } from '../messages/email-kinds.fixture.ts'
import { storeSendResults } from '../messages/email-results.service.ts'
import { type NewEmail, queueEmails } from '../messages/queue-emails.service.ts'
import { recordReturnedEmails } from './delivery-problems.service.ts'
import { addEmailCounts } from './email-counters.queries.ts'
import { hasDeliveryProblem, nextDayAt } from './email-limits.rules.ts'
import { findEmailPlaces, placeEmails } from './email-places.service.ts'
import { findForeignLink, listUnapproved } from './link-domains.rules.ts'

const { tenant, services } = await startTestApp()
const kinds: object[] = []
const registry = { extensionsOf: () => kinds } as unknown as Services['registry']
addEmailKinds({ ...services, registry })
type Workspace = Awaited<ReturnType<typeof tenant>>

// No worker of another file sends these emails before the tests do.
const noon = new Date('2031-05-05T12:00:00Z')
const inWorkspace = <T>({ id }: Workspace, work: (tx: TenantTx) => Promise<T>) =>
  inTenant(services.db, systemActor(id), work)
const limitTo = async (workspace: Workspace, sending: object) =>
  assert.equal((await workspace.manager.put('/api/leads/settings', { sending })).status, 200)
const queue = (workspace: Workspace, addresses: string[], email: Partial<NewEmail> = {}) =>
  inWorkspace(workspace, (tx) =>
    queueEmails(
      tx,
      addresses.map((address) => ({
        kind: 'newsletter',
        ref_id: newId(),
        to: { address },
        run_at: noon,
        ...email,
      })),
    ),
  )
const addressesOf = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@limits.example`)
const claim = async (workspace: Workspace, now: Date, claimId = newId()) => {
  const atNow = { ...services, registry, clock: { now: () => now } }
  const batch = await inWorkspace(workspace, (tx) => claimEmails(tx, atNow, { claimId, limit: 10 }))
  await inWorkspace(workspace, (tx) => postponeEmails(tx, atNow, batch.postponed, claimId))
  return batch
}
const placesLeft = async (workspace: Workspace, now = noon) =>
  (await inWorkspace(workspace, (tx) => findEmailPlaces(tx, now))).remaining

/** Claims until nothing is due and returns the addresses. */
async function claimAll(workspace: Workspace, now: Date): Promise<string[]> {
  const claimed = []
  for (;;) {
    const { found, emails } = await claim(workspace, now)
    if (!found) return claimed
    claimed.push(...emails.map(({ mail }) => mail.to.address))
  }
}

test('emails above the daily limit are sent on the next days at the same time, each of them once', async () => {
  const acme = await tenant()
  await limitTo(acme, { daily_limit_tenant: 3 })
  await queue(acme, addressesOf(7))

  const days = [await claimAll(acme, noon), await claimAll(acme, new Date('2031-05-06T11:59:00Z'))]
  for (const day of [1, 2, 3]) days.push(await claimAll(acme, daysLater(noon, day)))

  assert.deepEqual(
    days.map((addresses) => addresses.length),
    [3, 0, 3, 1, 0],
  )
  assert.deepEqual(days.flat().sort(), addressesOf(7))
})

test('concurrent transactions of a workspace do not exceed the daily limit', async () => {
  const acme = await tenant()
  await limitTo(acme, { daily_limit_tenant: 5 })
  const noPerson = { lead_id: null, contact_id: null, created_by: null }
  const emails = Array.from({ length: 3 }, () => ({ id: newId(), run_at: noon, ...noPerson }))
  const place = async (tx: TenantTx) => (await placeEmails(tx, emails, noon)).chosen.length

  const { first, others } = await inWorkspace(acme, async (tx) => {
    const chosen = await place(tx)
    const waiting = Promise.all([inWorkspace(acme, place), inWorkspace(acme, place)])
    await sleep(50)
    return { first: chosen, others: () => waiting }
  })

  assert.deepEqual([first, ...(await others()).sort()], [3, 0, 2])
  assert.equal(await placesLeft(acme), 0)
})

test('an email that the mail server could not take keeps its place of the day', async () => {
  const acme = await tenant()
  await limitTo(acme, { daily_limit_tenant: 1 })
  await queue(acme, ['ada@limits.example', 'bob@limits.example'])
  const claimId = newId()
  const { emails } = await claim(acme, noon, claimId)
  const unsent = emails.map(({ id, mail }) => ({ id, address: mail.to.address, state: 'waiting' as const }))
  await inWorkspace(acme, (tx) => storeSendResults(tx, { id: claimId, now: noon }, unsent))

  assert.deepEqual(await claimAll(acme, noon), ['ada@limits.example'])
  assert.deepEqual(await claimAll(acme, noon), [])
  assert.deepEqual(await claimAll(acme, daysLater(noon, 1)), ['bob@limits.example'])
})

test('an email whose place was taken before is sent although no place is left', async () => {
  const acme = await tenant()
  await limitTo(acme, { daily_limit_tenant: 1 })
  await inWorkspace(acme, (tx) => addEmailCounts(tx, '2031-05-05', { emails: 1 }))
  await queue(acme, ['ada@limits.example'])
  await queue(acme, ['run@limits.example'], { counted_on: '2031-05-05' })

  assert.deepEqual(await claimAll(acme, noon), ['run@limits.example'])
  assert.deepEqual(await claimAll(acme, daysLater(noon, 1)), ['ada@limits.example'])
})

test('a user sends few emails a day to addresses that are no lead or contact, and managers ten times as many', async () => {
  const acme = await tenant()
  await limitTo(acme, { daily_limit_unknown_addresses: 2 })
  const { body: lead } = await acme.member.post('/api/leads/', { last_name: 'Doe' })
  await queue(acme, addressesOf(5), { created_by: acme.member.userId })
  await queue(acme, ['lead@limits.example'], { created_by: acme.member.userId, lead_id: lead.id })
  await queue(acme, ['other@limits.example'], { created_by: acme.manager.userId })
  await queue(acme, addressesOf(24), { created_by: acme.admin.userId })

  assert.equal((await claimAll(acme, noon)).length, 2 + 1 + 1 + 20)
  assert.equal((await claimAll(acme, daysLater(noon, 1))).length, 2 + 4)
  assert.equal((await claimAll(acme, daysLater(noon, 2))).length, 1)
})

test('the limits count days of the workspace, and the next day keeps the local time', () => {
  const at = (text: string) => new Date(text)

  assert.deepEqual(
    nextDayAt(at('2026-03-28T08:30:00Z'), at('2026-03-28T10:00:00Z'), 'Europe/Berlin'),
    at('2026-03-29T07:30:00Z'),
  )
  assert.deepEqual(
    nextDayAt(at('2026-03-01T08:30:00Z'), at('2026-03-05T23:30:00Z'), 'Europe/Berlin'),
    at('2026-03-07T08:30:00Z'),
  )
  assert.deepEqual(
    nextDayAt(at('2026-01-02T04:00:00Z'), at('2026-01-02T04:30:00Z'), 'America/Lima'),
    at('2026-01-03T04:00:00Z'),
  )
})

test('admins are notified once a day when many emails bounce or are reported as spam', async () => {
  const acme = await tenant()
  const record = (now: Date, returned: object) => inWorkspace(acme, (tx) => recordReturnedEmails(tx, now, returned))
  const listAlerts = async () =>
    (await acme.admin.get('/api/auth/notifications')).body.items.filter(
      ({ kind }: { kind: string }) => kind === 'email.delivery_problem',
    )
  await inWorkspace(acme, (tx) => addEmailCounts(tx, '2031-05-01', { emails: 1_000 }))
  await record(noon, { bounced: 50, complained: 3 })
  const before = await listAlerts()
  for (let n = 0; n < 3; n++) await record(noon, { complained: 1 })
  const sameDay = await listAlerts()
  await record(daysLater(noon, 1), { bounced: 1 })

  assert.deepEqual([before.length, sameDay.length, (await listAlerts()).length], [0, 1, 2])
  assert.match(sameDay[0].body, /^Of 1000 marketing emails of the last seven days, 50 bounced and 4 were reported/)
  const rate = (emails: number, bounced: number, complained: number) =>
    hasDeliveryProblem({ emails, bounced, complained })
  assert.deepEqual([rate(99, 99, 99), rate(100, 5, 1), rate(100, 6, 0), rate(100, 0, 2)], [false, false, true, true])
})

test('links to other domains are found with and without a scheme, addresses and other words are not links', () => {
  const own = ['acme.tributary.example', 'acme.com']
  for (const text of [
    'See https://acme.com/x and www.acme.com/report.md',
    'Open https://acme.tributary.example/s/x?score=1.',
    'Write to help@evil.com, e.g. about Node.js, 10.000 or 1.2.3.4.',
  ])
    assert.equal(findForeignLink(text, own), undefined, text)
  for (const word of [
    'https://evil.example/https://acme.com',
    'HTTPS://EVIL.example',
    'https://acme.com@evil.com',
    'ftp://evil',
    'www.evil.example',
    'acme.com.evil.io',
    'notacme.com',
    'see:evil.com',
    'foo/evil.com',
    'evil。com/login',
    '*münchen.de*',
    'https://',
  ])
    assert.equal(findForeignLink(`Hi (${word}), bye`, own), word)
})

test('a sender must be one of the workspace, the owner or the allowed ones', () => {
  const allowed = { names: ['Acme', null, 'Ada Moss'], addresses: ['sales@acme.com', undefined] }
  const check = (from_name: string | null, reply_to: string | null) => listUnapproved({ from_name, reply_to }, allowed)

  assert.deepEqual(check(null, null), [])
  assert.deepEqual(check('ada moss ', 'Sales@acme.com'), [])
  assert.deepEqual(check('Bank', 'x@evil.com'), ['from_name', 'reply_to'])
})
