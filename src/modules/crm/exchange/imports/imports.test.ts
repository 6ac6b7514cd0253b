import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { startTestApp, waitForTask } from '#testing'
import { countsOf, createImportClient, createLead, getLead, listLeads, noRows } from './imports.fixture.ts'

const testApp = await startTestApp()
const { tenant, startTestWorker } = testApp
const { upload, prepare, run, importFile, rowsOf } = createImportClient(testApp)

type Acme = Awaited<ReturnType<typeof tenant>>
let acme: Acme
before(async () => {
  acme = await tenant()
  await startTestWorker()
})

test('crm-9-1 a dry run predicts the outcome of each row and writes nothing, and the run has the same counts', async () => {
  const own = await tenant()
  const known = await createLead(own, { last_name: 'Known', email: 'known@nine.example' })
  const file =
    'Last name,Email,Phone\nNew,new@nine.example,\nBad,not an address,\nOther,KNOWN@nine.example,+49 30 1234567\n'
  const id = await prepare(own, file)
  const [eventsBefore, auditBefore] = [await own.events(), await own.audit()]

  const checked = await run(own, id, {}, true)

  const expected = { ...noRows, created: 1, updated: 1, failed: 1 }
  assert.equal(checked.task.state, 'succeeded', JSON.stringify(checked.task))
  assert.deepEqual(countsOf(checked.body.dry_run), expected)
  assert.deepEqual([checked.body.state, countsOf(checked.body)], ['mapped', noRows])
  const shown = await rowsOf(own, id)
  assert.deepEqual(
    shown.map(({ row_no, outcome, record_id }) => [row_no, outcome, record_id]),
    [
      [2, 'created', null],
      [3, 'failed', null],
      [4, 'updated', known.id],
    ],
  )
  assert.deepEqual(
    shown[1]!.errors.map(({ field, column, code }) => [field, column, code]),
    [['email', 'Email', 'format']],
  )
  assert.deepEqual(
    (await listLeads(own)).map(({ id }: { id: string }) => id),
    [known.id],
  )
  assert.equal((await getLead(own, known.id)).version, known.version)
  const isOfLead = (type: string) => type.startsWith('lead.')
  assert.deepEqual((await own.events()).filter(isOfLead), eventsBefore.filter(isOfLead))
  assert.deepEqual((await own.audit()).filter(isOfLead), auditBefore.filter(isOfLead))

  const { body } = await run(own, id)

  assert.deepEqual([body.state, body.done_rows, countsOf(body)], ['completed', 3, expected])
  assert.equal((await listLeads(own)).length, 2)
  assert.equal((await getLead(own, known.id)).phone, '+49 30 1234567')
})

test('crm-9-2 a file with semicolons in Windows-1252 is read with its umlauts', async () => {
  const own = await tenant()
  const file = Buffer.from('Vorname;Nachname;Stadt\r\nJürgen;Größe;Köln\r\n', 'latin1')

  const uploaded = await upload(own, file)
  const early = await own.manager.post(`/api/leads/imports/${uploaded.body.id}/run`, { dry_run: false })
  const { body } = await importFile(own, file)

  assert.partialDeepStrictEqual(uploaded.body, {
    encoding: 'windows-1252',
    delimiter: ';',
    columns: ['Vorname', 'Nachname', 'Stadt'],
    sample_rows: [['Jürgen', 'Größe', 'Köln']],
    suggested_mapping: [
      { column: 'Vorname', field: 'first_name' },
      { column: 'Nachname', field: 'last_name' },
      { column: 'Stadt', field: 'city' },
    ],
  })
  assert.deepEqual([early.status, early.body.code], [409, 'invalid_transition'])
  assert.match(
    early.body.detail,
    /Send the mapping first \(`PUT …\/mapping`\); `suggested_mapping` can be sent as it is\.$/,
  )
  assert.equal(body.created, 1)
  const [lead] = await listLeads(own)
  assert.partialDeepStrictEqual(await getLead(own, lead.id), {
    first_name: 'Jürgen',
    last_name: 'Größe',
    city: 'Köln',
    source: 'import',
    import_id: body.id,
    sla_status: 'none',
    owner_id: null,
  })
})

test('crm-9-3 empty fields are filled, filled ones replaced or cleared as the options say', async () => {
  const { id } = await createLead(acme, { last_name: 'Policy', email: 'policy@nine.example', title: 'CEO' })
  const read = async () => {
    const { title, phone, city } = await getLead(acme, id)
    return { title, phone, city }
  }
  const file = (cells: string) => `email,title,phone,city\npolicy@nine.example,${cells}\n`

  await importFile(acme, file('Intern,+49 30 5550100,'))
  assert.deepEqual(await read(), { title: 'CEO', phone: '+49 30 5550100', city: null })

  await importFile(acme, file('CTO,,Bonn'), { options: { on_match: 'update' } })
  assert.deepEqual(await read(), { title: 'CTO', phone: '+49 30 5550100', city: 'Bonn' })

  await importFile(acme, file('CTO,,'), { options: { on_match: 'update', blank_clears: true } })
  assert.deepEqual(await read(), { title: 'CTO', phone: null, city: null })

  const skipped = await importFile(acme, file('CFO,,'), { options: { on_match: 'skip' } })
  assert.deepEqual([countsOf(skipped.body), (await read()).title], [{ ...noRows, skipped: 1 }, 'CTO'])
})

test('crm-9-4 two rows with one email address become one record, also in a dry run', async () => {
  const own = await tenant()
  const file = 'email,last_name,title\ntwin@nine.example,Twin,\nTWIN@nine.example,Other,CFO\n'
  const id = await prepare(own, file)

  const checked = await run(own, id, {}, true)
  const { body } = await run(own, id)

  assert.deepEqual(
    [countsOf(checked.body.dry_run), countsOf(body)],
    Array(2).fill({ ...noRows, created: 1, updated: 1 }),
  )
  const [lead, ...others] = await listLeads(own)
  assert.deepEqual(others, [])
  assert.partialDeepStrictEqual(await getLead(own, lead.id), { last_name: 'Twin', title: 'CFO' })
  assert.deepEqual(
    (await rowsOf(own, id)).map(({ record_id }) => record_id),
    [lead.id, lead.id],
  )
})

test('crm-9-6 an unsubscribed address stays unsubscribed without a basis, and the row has a warning', async () => {
  const { id: leadId } = await createLead(acme, { last_name: 'Out', email: 'out@nine.example' })
  const optOut = { email_status: 'unsubscribed', basis: 'none', source: 'letter' }
  await acme.member.put(`/api/leads/${leadId}/consent`, optOut)
  await acme.manager.delete(`/api/leads/${leadId}`)
  const file = 'email,last_name,email_status\nout@nine.example,Out,subscribed\nin@nine.example,In,subscribed\n'

  const first = await importFile(acme, file)
  const withBasis = await importFile(acme, file, { options: { basis: 'consent', on_match: 'update' } })

  assert.deepEqual(countsOf(first.body), { ...noRows, created: 2, warnings: 2 })
  const codes = async (id: string) => (await rowsOf(acme, id)).map(({ warnings }) => warnings.map(({ code }) => code))
  assert.deepEqual(await codes(first.id), [['suppressed'], ['basis_required']])
  assert.deepEqual(await codes(withBasis.id), [['suppressed'], []])
  const warned = await acme.member.get(`/api/leads/imports/${withBasis.id}/rows?has_warnings=true`)
  assert.deepEqual([warned.body.total, warned.body.items[0].row_no], [1, 2])
  const ids = (await rowsOf(acme, first.id)).map(({ record_id }) => record_id!)
  const statuses = await Promise.all(ids.map(async (id) => (await getLead(acme, id)).email_status))
  assert.deepEqual(statuses, ['unsubscribed', 'subscribed'])
})

test('crm-9-8 an undo deletes new leads and resets changed fields, and keeps edited leads', async () => {
  const own = await tenant()
  const known = await createLead(own, { last_name: 'Known', email: 'known@undo.example', tags: ['old'] })
  const file = `email,last_name,title,tags
a@undo.example,A,,
b@undo.example,B,,
b@undo.example,B,CTO,
known@undo.example,Known,CEO,new
`
  const { id, body } = await importFile(own, file, { options: { on_match: 'update' } })
  assert.deepEqual(countsOf(body), { ...noRows, created: 2, updated: 2 })
  const [a, b, , updated] = (await rowsOf(own, id)).map(({ record_id }) => record_id!)
  assert.deepEqual((await getLead(own, known.id)).tags, ['old', 'new'])
  await own.member.patch(`/api/leads/${a}`, { title: 'Edited' })

  const started = await own.member.post(`/api/leads/imports/${id}/undo`)
  const task = await waitForTask(own, started.body)

  assert.deepEqual([started.status, task.state], [202, 'succeeded'], JSON.stringify(task))
  const undone = (await own.member.get(`/api/leads/imports/${id}`)).body
  assert.partialDeepStrictEqual(undone, { state: 'undone', undone: 3, kept: 1 })
  assert.deepEqual(
    (await rowsOf(own, id)).map(({ outcome }) => outcome),
    ['kept', 'undone', 'undone', 'undone'],
  )
  assert.equal((await own.member.get(`/api/leads/${a}`)).status, 200)
  assert.equal((await own.member.get(`/api/leads/${b}`)).status, 404)
  assert.partialDeepStrictEqual(await getLead(own, updated!), { id: known.id, title: null, tags: ['old'] })
  assert.equal((await own.member.post(`/api/leads/imports/${id}/undo`)).status, 409)
})

test('an undo requires the scope to delete, and keeps records that its user may not delete', async () => {
  const own = await tenant()
  const createKey = async (scopes: string[]) => {
    const { body } = await own.member.post('/api/api-keys', { name: 'Machine', scopes })
    return own.bearer(`ApiKey ${body.key}`)
  }
  const file = `email,last_name,owner_id\na@own.example,A,\nb@own.example,B,${own.manager.userId}\n`
  for (const type of ['leads', 'contacts'] as const) {
    const { id } = await importFile(own, file, { type })
    const url = `/api/${type}/imports/${id}/undo`
    const writer = await createKey([`${type}.read`, `${type}.write`])
    const deleter = await createKey([`${type}.write`, `${type}.delete`])

    const rejected = await writer.post(url)
    const undo = await deleter.post(url)

    assert.deepEqual([rejected.status, rejected.body.required_scope], [403, `${type}.delete`])
    assert.equal((await waitForTask(own, undo.body)).state, 'succeeded')
    const { body } = await own.member.get(`/api/${type}/imports/${id}`)
    assert.deepEqual([body.state, body.undone, body.kept], ['undone', 1, 1])
    const [mine, theirs] = (await rowsOf(own, id, { type })).map(({ record_id }) => `/api/${type}/${record_id}`)
    assert.deepEqual([(await own.member.get(mine!)).status, (await own.member.delete(theirs!)).status], [404, 403])
  }
})

test('crm-9-9 a member cannot export, and imports of others, large files and second runs are rejected', async () => {
  const globex = await tenant()
  const id = await prepare(acme, 'email,last_name\nnine@nine.example,Nine\n')
  const url = `/api/leads/imports/${id}`

  assert.equal((await acme.member.post('/api/leads/exports', {})).status, 403)
  for (const path of ['', '/rows', '/errors.csv']) assert.equal((await globex.admin.get(`${url}${path}`)).status, 404)
  assert.equal((await globex.admin.post(`${url}/run`, { dry_run: false })).status, 404)
  assert.equal((await acme.manager.get(`/api/contacts/imports/${id}`)).status, 404)
  const other = await acme.person('member')
  assert.equal((await other.get(url)).status, 404)
  assert.equal((await acme.manager.get(url)).status, 200)
  const large = await upload(acme, Buffer.alloc(51 * 1_048_576 - 1_000, 'a,b\n'))
  assert.deepEqual([large.status, large.body.code], [413, 'too_large'])

  const starts = await Promise.all([1, 2].map(() => acme.member.post(`${url}/run`, { dry_run: false })))
  assert.deepEqual(starts.map(({ status }) => status).sort(), [202, 409])
  await waitForTask(acme, starts.find(({ status }) => status === 202)!.body)
  assert.equal((await acme.member.post(`${url}/run`, { dry_run: false })).status, 409)
})

test('crm-10-2 a person who was deleted, purged and imported again is still unsubscribed', async () => {
  const own = await tenant()
  const { id } = await createLead(own, { last_name: 'Gone', email: 'gone@ten.example' })
  await own.member.put(`/api/leads/${id}/consent`, { email_status: 'unsubscribed', basis: 'none', source: 'letter' })
  await own.manager.delete(`/api/leads/${id}`)
  await own.sql('delete from crm.leads where tenant_id = $1 and id = $2', [own.id, id])

  const { body } = await importFile(own, 'email,last_name\ngone@ten.example,Gone\n')

  assert.equal(body.created, 1)
  const [lead] = await listLeads(own)
  assert.notEqual(lead.id, id)
  assert.equal((await getLead(own, lead.id)).email_status, 'unsubscribed')
})
