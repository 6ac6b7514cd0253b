// Opens the links of a cadence email as mail scanners and people do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cadenceActions } from '../../src/modules/marketing/cadences/cadence-sending/cadence-runs.fixture.ts'
import { startPages } from './browser-pages.ts'

const app = await startPages()
const { originOf, openBrowser } = app
const acme = await app.tenant()
const actions = cadenceActions(app, acme)
const { createCadence, createLead, enroll, runDue, findEnrollment, listRunsOf, waitForEnrollment } = actions
await actions.setSending({})
const target = `${originOf(acme)}/login`
const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'
const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** Sends the first email of a cadence, a minute ago, and returns its links. */
async function receiveEmail(email: string) {
  const body_template = `See ${target}\n\nStop: {{ unsubscribe_url }}`
  const cadence = await createCadence([{ body_template }, { delay_days: 3 }])
  await acme.sql('update marketing.cadences set track_opens = true where id = $1', [cadence.id])
  const lead = await createLead({ email })
  const [enrollmentId] = await enroll(cadence, [lead])
  await runDue()
  const [mail] = await app.mails(email, 1)
  await actions.waitForRun(enrollmentId!, 1, 'done')
  await actions.advance(60)
  const html = String(mail!.html)
  const [click, stop] = [.../href="([^"]+)"/g[Symbol.matchAll](html)].map(([, url]) => url!)
  const open = /<img src="([^"]+)"/.exec(html)![1]!
  return { lead, cadence, enrollmentId: enrollmentId!, mail: mail!, click: click!, stop: stop!, open }
}

const statusOf = async (leadId: string): Promise<string> =>
  (await acme.member.get(`/api/leads/${leadId}`)).body.email_status
const pathOf = (url: string): string => url.slice(new URL(url).origin.length)

async function readHits(enrollmentId: string) {
  const [run] = await listRunsOf(enrollmentId)
  return { isClicked: run.first_clicked_at !== null, isOpened: run.first_opened_at !== null }
}

test('crm-5-9 GETs of scanners change nothing, one click unsubscribes and ends all enrollments, also of a lead created again', async () => {
  const { lead, enrollmentId, mail, click, stop, open } = await receiveEmail('ada@links.example')
  const [other] = await enroll(await createCadence([{ delay_days: 5 }]), [lead])
  const before = await findEnrollment(enrollmentId)
  const urls = [...new Set([...`${mail.text} ${mail.html}`.matchAll(/https?:\/\/[^\s"<]+/g)].map(([url]) => url))]

  for (let visit = 0; visit < 5; visit++)
    for (const url of [...urls, pathOf(stop).replace('/unsubscribe', '/api/public/unsubscribe')]) {
      const path = url.startsWith('/') ? url : pathOf(url)
      await acme.anonymous.get(path, { 'user-agent': 'Barracuda Sentinel (EE)' })
      await acme.anonymous.head(path, { 'user-agent': userAgent })
    }
  assert.equal(await statusOf(lead.id), 'unknown')
  assert.deepEqual(await findEnrollment(enrollmentId), before)
  assert.deepEqual(await readHits(enrollmentId), { isClicked: false, isOpened: false })
  assert.ok(urls.includes(stop) && urls.includes(click) && urls.includes(open))

  await acme.member.delete(`/api/leads/${lead.id}`)
  const again = await createLead({ email: 'Ada@links.example' })
  const [third] = await enroll(await createCadence([{ delay_days: 5 }]), [again])
  const [fourth] = await enroll(await createCadence([{ delay_days: 6 }]), [again])
  assert.equal((await acme.anonymous.post(pathOf(stop), 'List-Unsubscribe=One-Click', form)).status, 200)

  for (const id of [third!, fourth!]) assert.equal((await waitForEnrollment(id, 'exited')).exit_reason, 'opted_out')
  for (const id of [enrollmentId, other!]) assert.equal((await findEnrollment(id)).exit_reason, 'deleted')
  assert.equal(await statusOf(again.id), 'unsubscribed')
  await acme.member.delete(`/api/leads/${again.id}`)
  assert.equal(
    ((await createLead({ email: 'ada@links.example' })) as { email_status?: string }).email_status,
    'unsubscribed',
  )
})

test('a person opens the email, follows its link to the page in it and unsubscribes with one button', async () => {
  const { lead, enrollmentId, mail, click, stop, open } = await receiveEmail('bo@links.example')
  const { open: openPage, context, errors } = await openBrowser({ userAgent })

  const program = await context.newPage()
  const image = program.waitForResponse((response) => response.url() === open)
  await program.setContent(String(mail.html))
  assert.deepEqual([(await image).status(), (await image).headers()['content-type']], [200, 'image/gif'])
  const page = await openPage(`${click}?url=https://evil.example/`)
  assert.equal(page.url(), target)
  assert.deepEqual(await readHits(enrollmentId), { isClicked: true, isOpened: true })
  assert.deepEqual([await statusOf(lead.id), (await findEnrollment(enrollmentId)).status], ['unknown', 'active'])

  const unsubscribe = await openPage(stop)
  await unsubscribe.getByRole('heading', { name: 'Unsubscribe?' }).waitFor()
  assert.equal(await statusOf(lead.id), 'unknown')
  await unsubscribe.getByRole('button', { name: 'Unsubscribe' }).click()
  await unsubscribe.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
  assert.equal((await waitForEnrollment(enrollmentId, 'exited')).exit_reason, 'opted_out')
  assert.equal(await statusOf(lead.id), 'unsubscribed')
  assert.deepEqual(errors, [])
})
