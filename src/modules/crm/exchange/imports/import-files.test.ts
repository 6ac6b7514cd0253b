import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp, waitForTask } from '#testing'
import { type ExportedFile, rowsPerFile } from './exported-columns.fixture.ts'
import { exportedFiles, toFile } from './exported-files.fixture.ts'
import { countsOf, createImportClient, createLead, getLead, noRows } from './imports.fixture.ts'

const testApp = await startTestApp()
const { tenant, startTestWorker } = testApp
const { upload, prepare, run, importFile, rowsOf } = createImportClient(testApp)
before(() => startTestWorker())

type Acme = Awaited<ReturnType<typeof tenant>>

const ownerName = 'Jane Doe'
const minCreated = 0.98

for (const file of exportedFiles(ownerName))
  test(`a file in the form of ${file.system} is imported as suggested, with every value of every column`, async () => {
    const acme = await tenant()
    assert.equal((await acme.admin.patch(`/api/users/${acme.member.userId}`, { name: ownerName })).status, 200)
    await createCustomFields(acme, file)

    const { body: uploaded, text } = await upload(acme, toFile(file), { type: file.type })
    assert.deepEqual(
      uploaded.columns,
      file.columns.map(({ name }) => name),
      text,
    )
    assert.deepEqual(
      uploaded.suggested_mapping.map(({ column, field, transform }: Record<string, unknown>) => [
        column,
        field,
        transform,
      ]),
      file.columns.map(({ name, field = null, transform }) => [name, field, transform]),
    )
    const url = `/api/${file.type}/imports/${uploaded.id}`
    const mapped = await acme.member.put(`${url}/mapping`, { columns: uploaded.suggested_mapping })
    assert.equal(mapped.status, 200, mapped.text)
    const { body } = await run(acme, uploaded.id, { type: file.type })

    const rows = await rowsOf(acme, uploaded.id, { type: file.type })
    const problems = rows.filter(({ errors }) => errors.length).map(({ row_no, errors }) => [row_no, errors[0]])
    assert.ok(body.created >= rowsPerFile * minCreated, JSON.stringify(problems))
    assert.deepEqual([rows.length, problems.length], [rowsPerFile, rowsPerFile - body.created])
    const codes = rows.flatMap(({ warnings }) => warnings.map(({ code }) => code))
    const counted = Object.fromEntries([...Map.groupBy(codes, (code) => code)].map(([code, all]) => [code, all.length]))
    assert.deepEqual(counted, file.warnings)
    await assertStoredValues(acme, file, rows)
  })

async function createCustomFields(
  acme: Acme,
  { type, customFields }: Pick<ExportedFile, 'type' | 'customFields'>,
): Promise<void> {
  for (const [key, field] of Object.entries(customFields)) {
    const created = await acme.manager.post('/api/custom-fields/', { ...field, key, object_type: type.slice(0, -1) })
    assert.equal(created.status, 201, created.text)
  }
}

/** Compares the values of each column, so that a failure names the column. */
async function assertStoredValues(
  acme: Acme,
  file: ExportedFile,
  rows: Awaited<ReturnType<typeof rowsOf>>,
): Promise<void> {
  const { body } = await acme.manager.get(`/api/${file.type}/?limit=200`)
  const listed: Record<string, unknown>[] = file.type === 'leads' ? body.items : body
  const byId = new Map(listed.map((record) => [record.id, record]))
  const records = new Map(
    rows.flatMap(({ row_no, record_id }) => (record_id ? [[row_no - 2, byId.get(record_id)!] as const] : [])),
  )
  for (const { name, field, read } of file.columns) {
    if (!field || !read) continue
    const stored = [...records].map(([n, record]) => [n, readValue(record, field)])
    const expected = [...records.keys()].map((n) => [n, read(n)])
    assert.deepEqual(stored, expected, `${file.system}: ${name}`)
  }
}

function readValue(record: Record<string, unknown>, field: string): unknown {
  if (field === 'owner_id') return (record.owner as { name: string } | null)?.name ?? null
  if (field.startsWith('custom.'))
    return (record.custom as Record<string, unknown>)[field.slice('custom.'.length)] ?? null
  const value = record[field]
  return Array.isArray(value) && value.length === 0 ? null : value
}

test('encoding and delimiter can be chosen, and an encoding that was guessed is a warning', async () => {
  const acme = await tenant()
  const macRoman = Buffer.from('last_name|city, country\nM\x9fller|K\x9aln, DE\n', 'latin1')
  const latin2 = Buffer.from('last_name;city\nWa\xb3\xeasa;\xa3\xf3d\xbc\n', 'latin1')
  const codesOf = ({ body }: Awaited<ReturnType<typeof upload>>) =>
    body.file_warnings.map(({ code }: { code: string }) => code)

  const guessed = await upload(acme, macRoman)
  const chosen = await upload(acme, macRoman, { fields: { encoding: 'macintosh', delimiter: 'pipe' } })
  const polish = await upload(acme, latin2, { fields: { encoding: 'iso-8859-2' } })
  const wrong = await upload(acme, macRoman, { fields: { encoding: 'utf-8' } })
  const unknown = await upload(acme, macRoman, { fields: { encoding: 'latin1' } })

  assert.deepEqual([guessed.body.encoding, codesOf(guessed)], ['windows-1252', ['guessed_encoding']])
  assert.deepEqual([codesOf(chosen), chosen.body.encoding, chosen.body.delimiter], [[], 'macintosh', '|'])
  assert.deepEqual(chosen.body.sample_rows, [['Müller', 'Köln, DE']])
  assert.deepEqual(polish.body.sample_rows, [['Wałęsa', 'Łódź']])
  assert.deepEqual([wrong.status, wrong.body.errors[0].code], [422, 'invalid_encoding'])
  assert.deepEqual([unknown.status, unknown.body.errors[0].path], [422, '/encoding'])
})

test('an upload warns about repeated addresses and dates whose day and month could be exchanged', async () => {
  const acme = await tenant()
  await createCustomFields(acme, { type: 'leads', customFields: { since: { label: 'Since', type: 'date' } } })
  const rows = [
    'a@r.example,1/2/2026',
    'A@r.example,3/4/2026',
    'b@r.example,',
    ',',
    ',5/6/2026',
    'b@r.example,',
    'c@r.example,',
  ]

  const { body } = await upload(acme, `Email,Since\n${rows.join('\n')}\n`)

  assert.deepEqual(
    body.file_warnings.map(({ code, column }: Record<string, unknown>) => [code, column]),
    [
      ['ambiguous_dates', 'Since'],
      ['repeated_keys', 'Email'],
    ],
  )
  assert.match(body.file_warnings[1].message, /^4 rows have an email address .* \(2 different ones\)/)
  assert.deepEqual(body.suggested_mapping[1], { column: 'Since', field: 'custom.since', transform: 'date:mdy' })
  assert.deepEqual(body.column_values, [
    { column: 'Email', field: 'email', checked: 5, readable: 5 },
    { column: 'Since', field: 'custom.since', checked: 3, readable: 3 },
  ])
})

test('owners are found by email and unique name, unknown ones become the default, and short rows are accepted', async () => {
  const acme = await tenant()
  const [twin] = [await acme.person('member'), await acme.person('manager')]
  for (const { userId } of [twin, acme.manager])
    assert.equal((await acme.admin.patch(`/api/users/${userId}`, { name: 'Same Name' })).status, 200)
  const { body: member } = await acme.admin.get(`/api/users/${acme.member.userId}`)
  const owners = [member.email.toUpperCase(), member.name, acme.member.userId, 'Same Name', '', newId()]
  const lines = owners.map((owner, n) => `p${n}@owner.example,P${n},${owner},Open`)
  const file = `email,last_name,Owner,Status\n${lines.join('\n')}\nshort@owner.example\n`
  const mapping = { Owner: 'owner_id', Status: { field: 'status', values: { open: 'working' } } }

  const { id, body } = await importFile(acme, file, { mapping, options: { owner_id: twin.userId } })

  assert.deepEqual(countsOf(body), { ...noRows, created: 7, warnings: 2 })
  const rows = await rowsOf(acme, id)
  assert.deepEqual(
    rows.map(({ warnings }) => warnings.map(({ field, code }) => `${field} ${code}`).join()),
    ['', '', '', 'owner_id unknown_value', '', 'owner_id unknown_value', ''],
  )
  const leads = await Promise.all(rows.map(({ record_id }) => getLead(acme, record_id!)))
  const mine = acme.member.userId
  assert.deepEqual(
    leads.map(({ owner_id }) => owner_id),
    [mine, mine, mine, twin.userId, twin.userId, twin.userId, twin.userId],
  )
  assert.deepEqual([leads[0].status, leads[6].status], ['working', 'new'])
})

test('texts that columns are read as must fit their field', async () => {
  const acme = await tenant()
  const { body } = await upload(acme, 'email,status\na@v.example,Hot\n')
  const columns = [
    { column: 'email', field: 'email' },
    { column: 'status', field: 'status', values: { Hot: 'warm', 'n/a': '' } },
  ]

  const rejected = await acme.member.put(`/api/leads/imports/${body.id}/mapping`, { columns })

  assert.deepEqual(
    rejected.body.errors.map(({ path }: { path: string }) => path),
    ['/columns/1/values/Hot'],
  )
})

const [largeRows, maxRatio] = [20_000, 2]
const repeatedRows = Number(process.env.REPEATED_ROWS ?? 1_000)

test(`${repeatedRows} rows of one key are written once per batch, a hundredth of the writes of different keys`, async (t) => {
  const acme = await tenant()
  const measure = async (emailOf: (n: number) => string) => {
    const lines = Array.from({ length: repeatedRows }, (_, n) => `Person ${n},${emailOf(n)},Note ${n}`)
    const id = await prepare(acme, `last_name,email,notes\n${lines.join('\n')}\n`, { options: { on_match: 'update' } })
    const startedAt = performance.now()
    const started = await acme.member.post(`/api/leads/imports/${id}/run`, { dry_run: false })
    assert.equal((await waitForTask(acme, started.body, 1_200)).state, 'succeeded')
    return { id, ms: performance.now() - startedAt }
  }
  const { id: leadId } = await createLead(acme, { last_name: 'First', email: 'none@none.example' })

  const different = await measure((n) => `p${n}@keys.example`)
  const same = await measure(() => 'none@none.example')

  const ratio = same.ms / different.ms
  t.diagnostic(
    `${Math.round(different.ms)} ms for different keys, ${Math.round(same.ms)} ms for one: ${ratio.toFixed(2)}`,
  )
  const lead = await getLead(acme, leadId)
  assert.deepEqual([lead.notes, lead.version], [`Note ${repeatedRows - 1}`, 1 + Math.ceil(repeatedRows / 500)])
  // The times of short runs depend mostly on the load.
  if (repeatedRows >= largeRows) assert.ok(ratio < maxRatio, `${ratio}`)
})
