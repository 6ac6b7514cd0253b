import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { secondsLater } from '#platform/clock'
import { inTenant } from '#platform/db'
import { startTestApp, waitForValue } from '#testing'
import { type Acme, enroll, getStats, newActiveCadence, newLead } from '../cadences/cadences.fixture.ts'
import { readLinkTracker } from './tracked-links.service.ts'

const app = await startTestApp()
const { tenant, services, clock, startTestWorker } = app
await startTestWorker()

const browser = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36' }
const target = 'https://acme.example/offer?a=1&b=2'

/** Enrolls a lead, marks its first email as sent, and returns the paths of its link and its image. */
async function sendEmail(acme: Acme, cadence: { id: string }, sentAt = secondsLater(clock.now(), -60)) {
  const leadId = await newLead(acme)
  await enroll(acme, cadence.id, { lead_ids: [leadId] })
  const { rows } = await acme.sql(
    `update marketing.cadence_step_runs run set state = 'done', done_at = $3, claimed_at = $3
     from marketing.cadence_enrollments enrollment
     where enrollment.tenant_id = $1 and enrollment.lead_id = $2 and run.tenant_id = $1 and run.enrollment_id = enrollment.id
     returning run.id`,
    [acme.id, leadId, sentAt],
  )
  const runId: string = rows[0].id
  const { click, html } = await inTenant(services.db, systemActor(acme.id), async (tx) => {
    const unsubscribeUrl = 'https://acme.example/stop'
    const tracker = (await readLinkTracker(tx, services)).trackEmail({
      runId,
      clicks: true,
      opens: true,
      unsubscribeUrl,
    })
    assert.equal(tracker.toUrl(unsubscribeUrl), unsubscribeUrl)
    return { click: new URL(tracker.toUrl(target)).pathname, html: tracker.addImage('<body></body>') }
  })
  const open = new URL(/<img src="([^"]+)"/.exec(html)![1]!).pathname
  const readRun = async () => {
    const found = await acme.sql(
      'select first_clicked_at, first_opened_at from marketing.cadence_step_runs where id = $1',
      [runId],
    )
    return found.rows[0]
  }
  return { leadId, runId, click, open, readRun }
}

test('crm-5-11 a click token leads only to the URL of the email, and a changed character is 404', async () => {
  const acme = await tenant()
  const { click } = await sendEmail(acme, await newActiveCadence(acme))

  const followed = await acme.anonymous.get(`${click}?url=https://evil.example&to=https://evil.example`, browser)
  assert.deepEqual([followed.status, followed.headers.location], [302, target])
  const token = click.split('/').at(-1)!
  for (const at of [0, 21, 22, 64, 65, token.length - 1]) {
    const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
    const { status, headers } = await acme.anonymous.get(
      `/api/public/click/${changed}?url=https://evil.example`,
      browser,
    )
    assert.deepEqual([status, headers.location], [404, undefined], `character ${at}`)
  }
  const { headers } = followed
  assert.deepEqual(
    [headers['cache-control'], headers['referrer-policy'], headers['x-robots-tag'], headers['set-cookie']],
    ['no-store', 'no-referrer', 'noindex, nofollow', undefined],
  )
})

test('crm-5-15 a valid token on the host of another workspace is 404', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const { click, open, readRun } = await sendEmail(acme, await newActiveCadence(acme))
  await sendEmail(other, await newActiveCadence(other))
  const fresh = await tenant()

  for (const foreign of [other, fresh]) {
    const { status, headers } = await foreign.anonymous.get(click, browser)
    assert.deepEqual([status, headers.location], [404, undefined])
    assert.equal((await foreign.anonymous.get(open, browser)).status, 200)
  }
  assert.deepEqual(await readRun(), { first_clicked_at: null, first_opened_at: null })
  assert.equal((await acme.anonymous.get(click, browser)).status, 302)
})

test('a wrong link of a workspace with a known key is refused without the database', async () => {
  const acme = await tenant()
  const { click } = await sendEmail(acme, await newActiveCadence(acme))
  assert.equal((await acme.anonymous.get(click, browser)).status, 302)
  let checkouts = 0
  const count = () => void checkouts++
  services.db.pool.on('acquire', count)

  const wrong = await acme.anonymous.get(`${click.slice(0, -1)}${click.endsWith('A') ? 'B' : 'A'}`, browser)

  services.db.pool.off('acquire', count)
  assert.deepEqual([wrong.status, wrong.body.code, checkouts], [404, 'not_found', 0])
  clock.advance(61)
  await acme.sql('delete from identity.tenant_secrets where tenant_id = $1', [acme.id])
  const { click: later } = await sendEmail(acme, await newActiveCadence(acme))
  assert.equal((await acme.anonymous.get(later, browser)).status, 302, 'a replaced key is read again')
})

test('the first click and open of a person are counted and logged, later ones are not', async () => {
  const acme = await tenant()
  const cadence = await newActiveCadence(acme, { track_opens: true })
  const { leadId, click, open } = await sendEmail(acme, cadence)
  const before = (await acme.member.get(`/api/leads/${leadId}`)).body

  for (let hit = 0; hit < 3; hit++) {
    assert.equal((await acme.anonymous.get(click, browser)).status, 302)
    const image = await acme.anonymous.get(open, browser)
    assert.deepEqual([image.status, image.headers['content-type']], [200, 'image/gif'])
    assert.equal(image.headers['cross-origin-resource-policy'], 'cross-origin')
  }

  assert.partialDeepStrictEqual((await getStats(acme, cadence.id)).totals, { clicked: 1, opened: 1 })
  const logged = await waitForValue(
    async () => (await acme.member.get(`/api/leads/${leadId}/activities?type=email_clicked,email_opened`)).body.items,
    (items: { type: string }[]) => items.length === 2,
  )
  assert.deepEqual(logged.map(({ type }) => type).sort(), ['email_clicked', 'email_opened'])
  const after = (await acme.member.get(`/api/leads/${leadId}`)).body
  assert.deepEqual([after.email_status, after.status], [before.email_status, before.status])
})

test('scanners, HEAD requests and hits right after the send are not counted', async () => {
  const acme = await tenant()
  const cadence = await newActiveCadence(acme, { track_opens: true })
  const scanned = await sendEmail(acme, cadence)
  const immediate = await sendEmail(acme, cadence, secondsLater(clock.now(), -1))

  for (const agent of ['curl/8.5.0', 'Barracuda Sentinel (EE)', 'Mozilla/5.0 (compatible; bingbot/2.0)'])
    for (const path of [scanned.click, scanned.open]) {
      const { status } = await acme.anonymous.get(path, { 'user-agent': agent })
      assert.equal(status, path === scanned.click ? 302 : 200)
    }
  assert.equal((await acme.anonymous.head(scanned.click, browser)).status, 302)
  assert.equal((await acme.anonymous.head(scanned.open, browser)).status, 200)
  assert.equal((await acme.anonymous.get(immediate.click, browser)).status, 302)
  assert.equal((await acme.anonymous.get(immediate.open, browser)).status, 200)

  for (const { readRun } of [scanned, immediate])
    assert.deepEqual(await readRun(), { first_clicked_at: null, first_opened_at: null })
  assert.partialDeepStrictEqual((await getStats(acme, cadence.id)).totals, { clicked: 0, opened: 0 })
  assert.equal((await acme.anonymous.get('/api/public/open/unknown', browser)).status, 200)
})

test('links of an erased person or one who has opted out lead to the same URL, and nothing is recorded', async () => {
  const acme = await tenant()
  const cadence = await newActiveCadence(acme, { track_opens: true })
  const [erased, optedOut] = [await sendEmail(acme, cadence), await sendEmail(acme, cadence)]
  assert.equal((await acme.admin.post(`/api/leads/${erased.leadId}/erase`, { confirm: 'ERASE' })).status, 202)
  const consent = { email_status: 'unsubscribed', basis: 'none', source: 'letter' }
  assert.equal((await acme.member.put(`/api/leads/${optedOut.leadId}/consent`, consent)).status, 200)
  await waitForValue(
    async () =>
      (await acme.sql('select person_email_key from marketing.cadence_enrollments where lead_id = $1', [erased.leadId]))
        .rows,
    ([row]) => row.person_email_key === null,
  )

  for (const { click, open } of [erased, optedOut]) {
    const { status, headers } = await acme.anonymous.get(click, browser)
    assert.deepEqual([status, headers.location], [302, target])
    assert.equal((await acme.anonymous.get(open, browser)).status, 200)
  }

  for (const { readRun } of [erased, optedOut])
    assert.deepEqual(await readRun(), { first_clicked_at: null, first_opened_at: null })
  assert.partialDeepStrictEqual((await getStats(acme, cadence.id)).totals, { clicked: 0, opened: 0 })
})
