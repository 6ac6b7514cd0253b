import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import {
  cadencesUrl,
  emailStep,
  getStats,
  newActiveCadence,
  newCadence,
  newContact,
  newLead,
} from '../cadences/cadences.fixture.ts'

const app = await startTestApp()
const limited = await startTestApp({ RATE_LIMIT_FACTOR: '1' })
const { tenant } = app
await app.startTestWorker()

test('a preview shows the email of a person and names missing values', async () => {
  const acme = await tenant()
  const steps = [emailStep({ body_template: 'Hello {{ first_name }},\n\n{{ sender.name }}' }), { type: 'call' }]
  const cadence = await newCadence(acme, { steps })
  const [email, call] = cadence.steps
  const [ada, nameless] = [await newLead(acme, { first_name: 'Ada <b>' }), await newLead(acme)]
  const preview = (input: object) => acme.member.post(`${cadencesUrl}${cadence.id}/preview`, input)

  const shown = await preview({ step_id: email.id, lead_id: ada })
  const missing = await preview({ step_id: email.id, lead_id: nameless })
  const ofContact = await preview({ step_id: email.id, contact_id: await newContact(acme, { first_name: 'Bob' }) })
  const errors = [
    await preview({ step_id: call.id, lead_id: ada }),
    await preview({ step_id: email.id }),
    await preview({ step_id: email.id, lead_id: await newLead(await tenant()) }),
    await preview({ step_id: (await newCadence(acme)).steps[0].id, lead_id: ada }),
  ].map(({ status, body }) => [status, body.errors[0].path])

  assert.equal(shown.status, 200, shown.text)
  assert.equal(shown.body.subject, 'A question, Ada <b>')
  assert.match(shown.body.html, /Hello Ada &lt;b&gt;,/)
  assert.ok(shown.body.text.includes(acme.member.name))
  assert.equal(ofContact.body.subject, 'A question, Bob')
  assert.deepEqual([missing.body.missing, missing.body.html], ['first_name', null])
  assert.deepEqual(errors, [
    [422, '/step_id'],
    [422, '/lead_id'],
    [422, '/lead_id'],
    [422, '/step_id'],
  ])
})

test('a template that is not saved is previewed, and its mistakes are named', async () => {
  const acme = await tenant()
  const { id, steps } = await newCadence(acme)
  const lead_id = await newLead(acme, { first_name: 'Ada' })
  const preview = (input: object) => acme.member.post(`${cadencesUrl}${id}/preview`, { lead_id, ...input })

  const body_template = 'Hi {{ first_name }}'
  const both = await preview({ subject_template: 'For {{ first_name }}', body_template })
  const body = await preview({ body_template })
  const wrong = await preview({ subject_template: '{{ nope }}', body_template: 'Hi {{ first_name' })
  const choices = [await preview({}), await preview({ step_id: steps[0].id, body_template })]

  assert.deepEqual([both.body.subject, both.body.text, both.body.missing], ['For Ada', 'Hi Ada', null])
  assert.deepEqual([body.status, body.body.subject, body.body.text], [200, null, 'Hi Ada'])
  assert.deepEqual(
    [wrong.status, wrong.body.errors.map(({ path, code }: Record<string, string>) => [path, code])],
    [
      422,
      [
        ['/subject_template', 'unknown_variable'],
        ['/body_template', 'malformed_template'],
      ],
    ],
  )
  assert.deepEqual(
    choices.map(({ status, body: { errors } }) => [status, errors[0].path]),
    [
      [422, '/step_id'],
      [422, '/step_id'],
    ],
  )
})

test('a test email goes to the caller without tracking, and nothing counts it', async () => {
  const acme = await tenant()
  const step = emailStep({ body_template: 'Hi {{ first_name }}, see https://acme.example/offer {{ sender.name }}' })
  const cadence = await newActiveCadence(acme, { steps: [step], track_clicks: true, track_opens: true })
  const lead_id = await newLead(acme, { first_name: 'Ada' })
  const before = await getStats(acme, cadence.id)
  const countRows = async () =>
    (
      await acme.sql(
        `select (select count(*) from crm.email_messages where tenant_id = $1) +
           (select count(*) from marketing.cadence_send_counts where tenant_id = $1) +
           (select count(*) from crm.activities where tenant_id = $1 and type = 'email') as counted`,
        [acme.id],
      )
    ).rows[0].counted

  const { status, body } = await acme.member.post(`${cadencesUrl}${cadence.id}/test`, {
    step_id: cadence.steps[0].id,
    lead_id,
  })
  const [mail] = await app.mails(acme.member.email, 1)

  assert.deepEqual([status, body], [200, { sent_to: acme.member.email }])
  assert.equal(mail!.subject, '[Test] A question, Ada')
  assert.match(mail!.text!, /Hi Ada, see https:\/\/acme\.example\/offer/)
  assert.match(mail!.text!, /Acme, Main Street 1/)
  assert.doesNotMatch(`${mail!.html}`, /\/api\/public\/|<img/)
  assert.ok(!mail!.headers.has('list-unsubscribe') && !mail!.headers.has('list'))
  assert.deepEqual([await getStats(acme, cadence.id), Number(await countRows())], [before, 0])
})

test('a test email needs a value for each variable, a step of the cadence and a person of the workspace', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const steps = [emailStep({ body_template: 'Hi {{ first_name }}' }), { type: 'call' }]
  const { id, steps: created } = await newCadence(acme, { steps })
  const [step_id, call] = created.map((step: { id: string }) => step.id)
  const lead_id = await newLead(acme)
  const send = (input: object, by = acme.member, cadenceId = id) => by.post(`${cadencesUrl}${cadenceId}/test`, input)
  const errorOf = async (input: object) => {
    const { status, body } = await send(input)
    return [status, body.errors[0].path, body.errors[0].code]
  }

  assert.deepEqual(await errorOf({ step_id, lead_id }), [422, '/lead_id', 'missing_variable'])
  assert.deepEqual(await errorOf({ step_id }), [422, '/lead_id', 'required'])
  assert.deepEqual(await errorOf({ step_id: call, lead_id }), [422, '/step_id', 'template'])
  assert.deepEqual(await errorOf({ step_id, lead_id: await newLead(other) }), [422, '/lead_id', 'unknown_reference'])
  assert.equal((await send({ step_id, lead_id }, other.member)).status, 404)
  assert.equal((await send({ step_id, lead_id }, acme.viewer)).status, 403)
})

test('a user can send 20 test emails per hour', async () => {
  const acme = await limited.tenant()
  const { id, steps } = await newCadence(acme)
  const lead_id = await newLead(acme)
  const send = () => acme.member.post(`${cadencesUrl}${id}/test`, { step_id: steps[0].id, lead_id })

  const statuses = []
  for (let n = 0; n < 21; n++) statuses.push((await send()).status)

  assert.deepEqual([new Set(statuses.slice(0, 20)), statuses[20]], [new Set([200]), 429])
})

test('variables are listed with the custom fields of the workspace, and all of them can be used', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const field = { object_type: 'lead', type: 'text', key: 'tier', label: 'Plan' }
  assert.equal((await acme.manager.post('/api/custom-fields', field)).status, 201)
  await acme.manager.post('/api/custom-fields', { ...field, object_type: 'contact', label: 'Plan of the contact' })
  const list = async (by = acme) => (await by.viewer.get(`${cadencesUrl}variables`)).body.items as Variable[]
  type Variable = { key: string; label: string; group: string }

  const variables = await list()
  const { steps } = await newCadence(acme, {
    steps: [emailStep({ body_template: variables.map(({ key }) => `{{ ${key} | none }}`).join(' ') })],
  })

  const find = (wanted: string) => variables.filter(({ key }) => key === wanted)
  assert.deepEqual(find('first_name'), [{ key: 'first_name', label: 'First name', group: 'person' }])
  assert.deepEqual(find('account.name'), [{ key: 'account.name', label: 'Account name', group: 'company' }])
  assert.deepEqual(find('sender.signature'), [{ key: 'sender.signature', label: 'Sender signature', group: 'sender' }])
  assert.deepEqual(find('custom.tier'), [{ key: 'custom.tier', label: 'Plan', group: 'custom' }])
  assert.equal(steps.length, 1)
  assert.ok(!(await list(other)).some(({ group }) => group === 'custom'))
})
