import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp, waitForTask } from '#testing'
import { countsOf, createImportClient, createLead, getLead, listLeads, noRows } from './imports.fixture.ts'

const testApp = await startTestApp()
const { tenant, startTestWorker } = testApp
const { upload, importFile, rowsOf } = createImportClient(testApp)

type Acme = Awaited<ReturnType<typeof tenant>>
let acme: Acme
before(async () => {
  acme = await tenant()
  await startTestWorker()
})

test('contacts find or create their account', async () => {
  const own = await tenant()
  const { body: account } = await own.manager.post('/api/accounts/', { name: 'Initech', domain: 'initech.example' })
  const file = `email,last_name,account_name,account_domain
a@c.example,A,Other name,initech.example
b@c.example,B,Hooli,
c@c.example,C,Hooli,
a@c.example,,Elsewhere,
`

  const { id, body } = await importFile(own, file, { type: 'contacts' })

  assert.deepEqual(countsOf(body), { ...noRows, created: 3, updated: 1 })
  const contacts = (await own.manager.get('/api/contacts/?sort_by=name&sort_dir=asc')).body
  const accounts = contacts.map((contact: { account: { id: string; name: string } }) => contact.account)
  assert.deepEqual(accounts[0], { id: account.id, name: 'Initech' })
  assert.equal(accounts[1].name, 'Hooli')
  assert.deepEqual(accounts[1], accounts[2])
  assert.equal((await own.manager.get('/api/accounts/')).body.total, 2)
  const undo = await own.member.post(`/api/contacts/imports/${id}/undo`)
  await waitForTask(own, undo.body)
  assert.equal((await own.manager.get('/api/contacts/')).body.length, 0)
})

test('a row that matches several records fails, and records can be matched by name or a unique field', async () => {
  const own = await tenant()
  await own.manager.put('/api/leads/settings', { duplicates: { lead_email: 'warn' } })
  for (const last_name of ['One', 'Two'])
    await createLead(own, { last_name, email: 'same@match.example', company: 'Acme' })
  const field = { object_type: 'lead', key: 'number', label: 'Number', type: 'text', is_unique: true }
  assert.equal((await own.manager.post('/api/custom-fields/', field)).status, 201)
  const numbered = await createLead(own, { last_name: 'Three', custom: { number: 'N-1' } })

  const byEmail = await importFile(own, 'email,last_name\nsame@match.example,One\n')
  const byName = await importFile(own, 'last_name,company,title\nOne,ACME,CEO\n', {
    options: { match_by: 'name_company' },
  })
  const byField = await importFile(own, 'number,title\nn-1,CTO\nN-2,CFO\n', {
    options: { match_by: 'custom_field:number', default_values: { last_name: 'Nameless' }, tags: ['fair'] },
  })

  assert.deepEqual(
    (await rowsOf(own, byEmail.id)).map(({ outcome, errors }) => [outcome, errors[0]?.code]),
    [['failed', 'ambiguous_match']],
  )
  assert.deepEqual([byName.body.updated, byField.body.updated, byField.body.created], [1, 1, 1])
  const leads = await listLeads(own)
  assert.equal(leads.length, 4)
  assert.deepEqual(
    leads.map(({ title }: { title: string }) => title),
    ['CEO', null, 'CTO', 'CFO'],
  )
  assert.deepEqual((await getLead(own, numbered.id)).tags, ['fair'])
  assert.partialDeepStrictEqual(await getLead(own, leads[3].id), { last_name: 'Nameless', tags: ['fair'] })
})

test('a mapping must fit the file and the fields', async () => {
  const uploaded = await upload(acme, 'email,name,name\na@m.example,A,B\n')
  const url = `/api/leads/imports/${uploaded.body.id}`
  const put = (columns: object[], options: object = {}) => acme.member.put(`${url}/mapping`, { columns, options })
  const pathsOf = async (response: ReturnType<typeof put>) =>
    (await response).body.errors.map(({ path }: { path: string }) => path)
  const email = { column: 'email', field: 'email' }

  assert.deepEqual(uploaded.body.columns, ['email', 'name', 'name (2)'])
  assert.equal((await acme.member.post(`${url}/run`, { dry_run: true })).status, 409)
  assert.deepEqual(await pathsOf(put([email, { column: 'phone', field: 'phone' }])), ['/columns/1/column'])
  assert.deepEqual(await pathsOf(put([email, { column: 'name', field: 'password' }])), ['/columns/1/field'])
  assert.deepEqual(await pathsOf(put([email, { column: 'name', field: 'email' }])), ['/columns/1/field'])
  assert.deepEqual(await pathsOf(put([{ column: 'email', field: null }])), ['/columns'])
  assert.deepEqual(await pathsOf(put([email], { match_by: 'custom_field:nothing' })), ['/options/match_by'])
  assert.deepEqual(await pathsOf(put([email], { default_values: { country: 'Atlantis' } })), [
    '/options/default_values/country',
  ])
  assert.deepEqual(await pathsOf(put([email], { owner_id: newId() })), ['/options/owner_id'])
  assert.deepEqual(await pathsOf(put([email], { campaign_id: newId() })), ['/options/campaign_id'])
  assert.equal((await acme.viewer.put(`${url}/mapping`, { columns: [email] })).status, 403)
})

test('imported persons are added to a campaign, and options apply to new leads', async () => {
  const own = await tenant()
  const { body: campaign } = await own.manager.post('/api/campaigns/', { name: 'Fair', type: 'event' })
  const options = { campaign_id: campaign.id, owner_id: own.member.userId, start_sla: true, tags: ['fair'] }

  const { body, task } = await importFile(own, 'email,last_name\na@f.example,A\nb@f.example,B\nx,C\n', { options })

  assert.deepEqual([task.state, body.created, body.failed], ['succeeded', 2, 1])
  assert.equal((await own.manager.get(`/api/campaigns/${campaign.id}`)).body.member_count, 2)
  const [lead] = await listLeads(own)
  assert.partialDeepStrictEqual(await getLead(own, lead.id), { owner_id: own.member.userId, tags: ['fair'] })
  assert.notEqual(lead.sla_status, 'none')
})

test('failed rows can be downloaded with their reasons, and events, audit and a notification are written', async () => {
  const own = await tenant()
  const { id } = await importFile(own, 'email,last_name\nbad,"=1+1"\nb@e.example,B\n')

  const file = await own.member.get(`/api/leads/imports/${id}/errors.csv`)

  assert.equal(file.status, 200)
  assert.match(file.headers['content-type'], /^text\/csv/)
  const [header, row] = file.text.replace('\uFEFF', '').split('\r\n')
  assert.deepEqual([header, row], ['email,last_name,row,reason', "bad,'=1+1,2,`email` must be an email address."])
  const ofImports = (names: string[]) => names.filter((name) => name.startsWith('import.'))
  const steps = ['import.uploaded', 'import.started', 'import.completed']
  assert.deepEqual(ofImports(await own.events()), steps)
  assert.deepEqual(ofImports(await own.audit()), [steps[0], 'import.mapped', ...steps.slice(1)])
  const { body } = await own.member.get('/api/auth/notifications')
  assert.partialDeepStrictEqual(body.items[0], {
    title: 'The import of leads is complete',
    path: `/imports/leads/${id}`,
  })
  const failed = await own.member.get(`/api/leads/imports/${id}/rows?outcome=failed&limit=1`)
  assert.deepEqual([failed.body.total, failed.body.items[0].row_no], [1, 2])
  assert.equal((await own.member.get('/api/leads/imports')).body.items[0].id, id)
  assert.equal((await own.viewer.get('/api/leads/imports')).body.total, 0)
})

test('defaults do not change the consent of existing people, cells do', async () => {
  const own = await tenant()
  const file = (name: string) =>
    `last_name,email,email_status\nOld,${name}-old@d.example,\nNew,${name}-new@d.example,\n`
  const statuses: string[][] = []
  for (const email_status of ['unsubscribed', 'subscribed']) {
    await createLead(own, { last_name: 'Old', email: `${email_status}-old@d.example` })
    const options = { default_values: { email_status }, basis: 'consent', on_match: 'update' }
    const { id } = await importFile(own, file(email_status), { options })
    const ids = (await rowsOf(own, id)).map(({ record_id }) => record_id!)
    statuses.push(await Promise.all(ids.map(async (leadId) => (await getLead(own, leadId)).email_status)))
  }

  assert.deepEqual(statuses, [
    ['unknown', 'unsubscribed'],
    ['unknown', 'subscribed'],
  ])
})

test('rows of converted leads are skipped with their contact, unless another lead has the address', async () => {
  const own = await tenant()
  await own.manager.put('/api/leads/settings', { duplicates: { lead_email: 'warn' } })
  const contactIds: string[] = []
  for (const name of ['one', 'two']) {
    const { id } = await createLead(own, { last_name: name, email: `${name}@conv.example` })
    contactIds.push((await own.member.post(`/api/leads/${id}/convert`, {})).body.contact.id)
  }
  const second = await createLead(own, { last_name: 'Two', email: 'two@conv.example' })

  const { id, body } = await importFile(
    own,
    'last_name,email,title\nOne,one@conv.example,CTO\nTwo,two@conv.example,CFO\n',
  )

  assert.deepEqual(countsOf(body), { ...noRows, skipped: 1, updated: 1, warnings: 1 })
  const [skipped, updated] = await rowsOf(own, id)
  assert.partialDeepStrictEqual(skipped!.warnings, [{ code: 'converted', record_id: contactIds[0] }])
  assert.equal(updated!.record_id, second.id)
  assert.equal((await getLead(own, second.id)).title, 'CFO')
})

test('rows of one key become one write with the result of separate writes, and an opt-out among them prevails', async () => {
  const own = await tenant()
  const rows = [
    'same@fold.example,First,,a,Bonn,subscribed',
    'SAME@fold.example,Second,CTO,b,,unsubscribed',
    'same@fold.example,Third,CEO,c,Ulm,subscribed',
    'other@fold.example,Other,,,,',
    `same@fold.example,${'x'.repeat(101)},CEO,d,Ulm,`,
  ]
  const file = `email,last_name,title,tags,city,email_status\n${rows.join('\n')}\n`

  const filled = await importFile(own, file, { options: { basis: 'consent' } })
  const [, , , , tooLong] = await rowsOf(own, filled.id)
  const ids = (await rowsOf(own, filled.id)).map(({ record_id }) => record_id)
  const lead = await getLead(own, ids[0]!)

  assert.deepEqual(countsOf(filled.body), { ...noRows, created: 2, updated: 2, failed: 1, warnings: 2 })
  assert.deepEqual(ids, [lead.id, lead.id, lead.id, ids[3], null])
  assert.deepEqual(
    tooLong!.errors.map(({ code }) => code),
    ['maxLength'],
  )
  const expected = { last_name: 'First', title: 'CTO', tags: ['a'], city: 'Bonn', email_status: 'unsubscribed' }
  assert.partialDeepStrictEqual(lead, expected)

  const replaced = await importFile(own, file, { options: { on_match: 'update' } })

  assert.deepEqual(countsOf(replaced.body), { ...noRows, updated: 4, failed: 1, warnings: 2 })
  const changed = await getLead(own, lead.id)
  assert.equal(changed.version, lead.version + 1)
  assert.partialDeepStrictEqual(changed, { last_name: 'Third', title: 'CEO', tags: ['a', 'b', 'c'], city: 'Ulm' })
})

test('a row that cannot be written does not keep the other rows of its key from being written', async () => {
  const own = await tenant()
  const [code, unique] = [
    { key: 'code', label: 'Code', type: 'text', validation: { pattern: '^[A-Z]+$' } },
    { key: 'number', label: 'Number', type: 'text', is_unique: true },
  ].map((field) => ({ ...field, object_type: 'lead' }))
  for (const field of [code, unique]) assert.equal((await own.manager.post('/api/custom-fields/', field)).status, 201)
  await own.manager.put('/api/leads/settings', { duplicates: { lead_email: 'reject' } })
  await createLead(own, { last_name: 'Taken', email: 'taken@key.example' })
  const cells = ['N-1,A,a@key.example,OK', 'N-1,A,,wrong', 'N-1,A,taken@key.example,', 'N-1,A,,FINE', 'N-2,B,,ALSO']
  const file = `number,last_name,email,code\n${cells.join('\n')}\n`

  const { id } = await importFile(own, file, { options: { on_match: 'update', match_by: 'custom_field:number' } })

  const rows = await rowsOf(own, id)
  assert.deepEqual(
    rows.map(({ outcome, errors }) => errors[0]?.code ?? outcome),
    ['created', 'pattern', 'already_exists', 'updated', 'created'],
  )
  const lead = await getLead(own, rows[0]!.record_id!)
  assert.deepEqual([lead.email, lead.custom.code], ['a@key.example', 'FINE'])
})
