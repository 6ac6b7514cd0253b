import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateSecretToken } from '#platform/secrets'
import { startEmailApp } from '../messages/email-app.fixture.ts'

const lines: string[] = []
const app = await startEmailApp({ LOG_LEVEL: 'info' }, { onLine: (line) => lines.push(line) })
const { tenant, queue, waitForEmails } = app
await app.startTestWorker()
const form = { 'content-type': 'application/x-www-form-urlencoded' }
type Workspace = Awaited<ReturnType<typeof tenant>>

/** Sends an email and returns the token of the link in it. */
async function receiveLink(workspace: Workspace, address: string, kind = 'newsletter'): Promise<string> {
  await queue(workspace, [address], { kind })
  await waitForEmails(workspace)
  const [mail] = await app.mails(address, 1)
  return mail!.text!.match(/\/unsubscribe\/([\w-]+)/)![1]!
}

const statusOf = async (workspace: Workspace, path: string): Promise<string> =>
  (await workspace.member.get(path)).body.email_status

test('crm-10-1 unsubscribing by link applies to the lead and contact with the email address, and to a lead created later', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const email = 'Jane@acme.example'
  const lead = (await acme.member.post('/api/leads/', { last_name: 'Doe', email })).body
  const contact = (await acme.member.post('/api/contacts/', { last_name: 'Doe', email })).body
  const foreign = (await other.member.post('/api/leads/', { last_name: 'Doe', email })).body
  const token = await receiveLink(acme, email)

  for (let visit = 0; visit < 5; visit++) {
    const { status, body } = await acme.anonymous.get(`/api/public/unsubscribe/${token}`)
    const shown = { email_masked: 'J***@acme.example', status: 'subscribed', workspace_name: acme.name }
    assert.deepEqual([status, body], [200, shown])
    assert.equal((await acme.anonymous.get(`/unsubscribe/${token}`)).status, 200)
  }
  assert.equal(await statusOf(acme, `/api/leads/${lead.id}`), 'unknown')

  const clicked = await acme.anonymous.post(`/unsubscribe/${token}`, 'List-Unsubscribe=One-Click', form)
  assert.deepEqual(
    [clicked.status, clicked.headers['set-cookie'], clicked.headers.location],
    [200, undefined, undefined],
  )
  const later = (await acme.member.post('/api/leads/', { last_name: 'Doe', email: 'jane@ACME.example' })).body
  assert.equal(await statusOf(acme, `/api/leads/${lead.id}`), 'unsubscribed')
  assert.equal(await statusOf(acme, `/api/contacts/${contact.id}`), 'unsubscribed')
  assert.equal(later.email_status, 'unsubscribed')
  assert.equal(await statusOf(other, `/api/leads/${foreign.id}`), 'unknown')

  await queue(acme, [email])
  const emails = await waitForEmails(acme)
  assert.deepEqual(emails.map(({ state, skip_reason }) => [state, skip_reason]).sort(), [
    ['sent', null],
    ['skipped', 'opted_out'],
  ])
})

test('the unsubscribe page works without JavaScript and shows neither name nor whole email address', async () => {
  const acme = await tenant({ name: 'Acme <b>' })
  const token = await receiveLink(acme, 'page@acme.example')
  const url = `/unsubscribe/${token}`

  const shown = await acme.anonymous.get(url)
  assert.match(shown.text, /<form method="post" action="\/unsubscribe\/[\w-]+">/)
  assert.match(shown.text, /p\*\*\*@acme\.example/)
  assert.match(shown.text, /from Acme &lt;b&gt; to/)
  assert.ok(!/page@|Ada|<script/.test(shown.text))
  const { headers } = shown
  assert.match(headers['content-security-policy'], /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/)
  assert.deepEqual(
    [headers['cache-control'], headers['referrer-policy'], headers['x-robots-tag']],
    ['no-store', 'no-referrer', 'noindex, nofollow'],
  )
  for (let click = 0; click < 2; click++) {
    const posted = await acme.anonymous.post(url, 'List-Unsubscribe=One-Click', form)
    assert.deepEqual([posted.status, /You are unsubscribed/.test(posted.text)], [200, true])
  }
  assert.match((await acme.anonymous.get(url)).text, /You are unsubscribed/)
})

test('an email address that bounced can still unsubscribe, and a reset of the bounce does not end that', async () => {
  const acme = await tenant()
  const address = 'bounced@acme.example'
  const lead = (await acme.member.post('/api/leads/', { last_name: 'Doe', email: address })).body
  const token = await receiveLink(acme, address)
  const put = (body: object) =>
    acme.admin.put(`/api/leads/${lead.id}/consent`, { basis: 'none', source: 'test', ...body })
  await put({ email_status: 'bounced' })

  assert.match(
    (await acme.anonymous.get(`/unsubscribe/${token}`)).text,
    /<form method="post" action="\/unsubscribe\/[\w-]+">/,
  )
  assert.equal((await acme.anonymous.get(`/api/public/unsubscribe/${token}`)).body.status, 'subscribed')
  await acme.anonymous.post(`/unsubscribe/${token}`, 'List-Unsubscribe=One-Click', form)
  assert.match((await acme.anonymous.get(`/unsubscribe/${token}`)).text, /You are unsubscribed/)
  assert.equal((await put({ email_status: 'unknown' })).status, 409)

  await queue(acme, [address])
  const emails = await waitForEmails(acme)
  assert.deepEqual(emails.map(({ skip_reason }) => skip_reason).sort(), [null, 'opted_out'])
})

test('one click works with each media type that mail providers and programs send, also repeatedly', async () => {
  const acme = await tenant()
  const multipart = new Response(toFormData({ 'List-Unsubscribe': 'One-Click' }))
  const type = { 'content-type': multipart.headers.get('content-type')! }
  const first = await receiveLink(acme, 'one@acme.example')
  const second = await receiveLink(acme, 'two@acme.example')

  const bodyless = await acme.anonymous.post(`/unsubscribe/${first}`)
  assert.equal(bodyless.status, 200)
  assert.equal((await acme.anonymous.post(`/unsubscribe/${second}`, await multipart.text(), type)).status, 200)
  for (const body of [{}, undefined, {}]) {
    const { status, body: result } = await acme.anonymous.post(`/api/public/unsubscribe/${second}`, body)
    assert.deepEqual([status, result], [200, { status: 'unsubscribed' }])
  }
  assert.equal((await acme.anonymous.get(`/api/public/unsubscribe/${second}`)).body.status, 'unsubscribed')
})

const toFormData = (fields: Record<string, string>): FormData => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  return data
}

test('a link of an email about surveys stops surveys only', async () => {
  const acme = await tenant()
  const address = 'both@acme.example'
  const token = await receiveLink(acme, address, 'invitation')
  assert.equal((await acme.anonymous.post(`/api/public/unsubscribe/${token}`)).status, 200)

  await queue(acme, [address], { kind: 'invitation' })
  await queue(acme, [address])
  const emails = await waitForEmails(acme)
  assert.deepEqual(emails.map(({ state }) => state).sort(), ['sent', 'sent', 'skipped'])
})

test('a recipient chooses between news and surveys, and both changes are recorded as consent', async () => {
  const acme = await tenant()
  const address = 'choice@acme.example'
  const lead = (await acme.member.post('/api/leads/', { last_name: 'Doe', email: address })).body
  const token = await receiveLink(acme, address)
  const url = `/unsubscribe/${token}`
  const save = (fields: string) => acme.anonymous.post(url, `preferences=${fields}`, form)
  const isChecked = (html: string) =>
    ['email', 'survey'].map((name) => new RegExp(`name="${name}" value="1" checked`).test(html))

  const shown = await acme.anonymous.get(`${url}?choose=1`)
  const withoutSurveys = await save('selected&email=1')
  const repeated = await save('selected&email=1')
  const withoutAll = await save('none')
  const blocked = await save('selected&survey=1')
  const again = await save('selected&email=1&survey=1')
  const { rows: events } = await acme.sql(
    `select channel, to_status, basis from crm.consent_events where tenant_id = $1 order by created_at, id`,
    [acme.id],
  )

  assert.deepEqual(
    [shown, withoutSurveys, repeated, withoutAll, blocked, again].map(({ text }) => isChecked(text)),
    [
      [true, true],
      [true, false],
      [true, false],
      [false, false],
      [false, false],
      [true, true],
    ],
  )
  assert.match(again.text, /role="status".*Your choice is saved\./s)
  assert.equal(await statusOf(acme, `/api/leads/${lead.id}`), 'subscribed')
  assert.deepEqual(
    events.map(({ channel, to_status, basis }) => `${channel} ${to_status} ${basis}`),
    ['survey unsubscribed none', 'email unsubscribed none', 'survey unknown consent', 'email subscribed consent'],
  )
})

test('the preferences page does not end a complaint, a bounce or an opt-out of another workspace', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const address = 'complained@acme.example'
  const lead = (await acme.member.post('/api/leads/', { last_name: 'Doe', email: address })).body
  const token = await receiveLink(acme, address)
  const complaint = { basis: 'none', source: 'test', email_status: 'complained' }
  assert.equal((await acme.admin.put(`/api/leads/${lead.id}/consent`, complaint)).status, 200)

  const saved = await acme.anonymous.post(`/unsubscribe/${token}`, 'preferences=selected&email=1&survey=1', form)
  const foreign = await other.anonymous.post(`/unsubscribe/${token}`, 'preferences=none', form)
  const invalid = await acme.anonymous.post(`/unsubscribe/${token}`, 'preferences=all', form)

  assert.doesNotMatch(saved.text, /checked/)
  assert.equal(await statusOf(acme, `/api/leads/${lead.id}`), 'complained')
  assert.deepEqual([foreign.status, invalid.status], [404, 422])
})

const withoutIds = (text: string, { name }: Workspace): string =>
  text.replaceAll(name, '').replace(/"request_id":"[^"]+"/, '')

test('unknown tokens and the hosts of other workspaces get the same response, and no token is logged', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const token = await receiveLink(acme, 'host@acme.example')
  for (const url of [`/api/public/unsubscribe/${token}`, `/unsubscribe/${token}`]) {
    const missing = url.replace(token, generateSecretToken())
    for (const send of ['get', 'post'] as const) {
      const [foreign, unknown] = [await other.anonymous[send](url), await acme.anonymous[send](missing)]
      assert.deepEqual([foreign.status, unknown.status], [404, 404])
      assert.equal(withoutIds(foreign.text, other), withoutIds(unknown.text, acme))
    }
  }
  assert.equal((await acme.anonymous.get(`/api/public/unsubscribe/${token}`)).body.status, 'subscribed')
  assert.ok(lines.length > 0)
  assert.ok(!lines.some((line) => line.includes(token)))
})

test('a link works without the stored email, and a changed token does not', async () => {
  const acme = await tenant()
  const address = 'later@acme.example'
  const token = await receiveLink(acme, address, 'invitation')
  await acme.sql('delete from crm.email_messages where tenant_id = $1', [acme.id])
  const middle = Math.floor(token.length / 2)
  const changed = `${token.slice(0, middle)}${token[middle] === 'A' ? 'B' : 'A'}${token.slice(middle + 1)}`

  const shown = await acme.anonymous.get(`/api/public/unsubscribe/${token}`)
  const wrong = await acme.anonymous.post(`/api/public/unsubscribe/${changed}`)
  const clicked = await acme.anonymous.post(`/unsubscribe/${token}`, 'List-Unsubscribe=One-Click', form)
  const preferences = await acme.anonymous.get(`/unsubscribe/${token}?choose=1`)

  assert.equal(shown.body.email_masked, 'l***@acme.example')
  assert.deepEqual([wrong.status, clicked.status, preferences.status], [404, 200, 200])
  await queue(acme, [address], { kind: 'invitation' })
  await queue(acme, [address])
  const emails = await waitForEmails(acme)
  assert.deepEqual(emails.map(({ state }) => state).sort(), ['sent', 'skipped'])
})

test('an email with the subject of the header unsubscribes its sender, when the mail provider reports it', async () => {
  const acme = await tenant()
  await acme.admin.put('/api/leads/settings', { sending: { from_address: 'sales@acme.example' } })
  const address = 'mailto@acme.example'
  await receiveLink(acme, address)
  const [mail] = await app.mails(address, 1)
  const header = mail!.headerLines.find(({ key }) => key === 'list-unsubscribe')!.line.replace(/\s+/g, ' ')
  const report = (subject: string) =>
    acme.admin.post('/api/leads/email-events', {
      kind: 'reply',
      from: address,
      subject,
      external_id: subject,
      received_at: app.clock.now().toISOString(),
    })
  assert.equal((await report('Please unsubscribe Bob, not me')).status, 200)
  await queue(acme, [address])
  assert.deepEqual(
    (await waitForEmails(acme)).map(({ state }) => state),
    ['sent', 'sent'],
  )
  assert.equal((await report('Unsubscribe')).status, 200)
  await queue(acme, [address])

  assert.match(header, /^List-Unsubscribe: <http[^>]+>, <mailto:sales@acme\.example\?subject=unsubscribe>$/)
  const emails = await waitForEmails(acme)
  assert.deepEqual(emails.map(({ skip_reason }) => skip_reason).sort(), [null, null, 'opted_out'])
})
