import assert from 'node:assert/strict'
import { type startTestApp, type TestUser, waitForTask } from '#testing'
import { partEnd, partHead } from '../../../../platform/files/files.fixture.ts'

type App = Pick<Awaited<ReturnType<typeof startTestApp>>, 'app'>
type Workspace = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>

type Imported = {
  type?: 'leads' | 'contacts'
  /** Null leaves the column out; without an entry the suggested mapping applies. */
  mapping?: Record<string, string | null | { field: string; transform?: string; values?: Record<string, string> }>
  options?: object
  user?: TestUser
  /** Text parts of the upload. */
  fields?: Record<string, string>
}

type UploadedImport = { id: string; suggested_mapping: { column: string; field: string | null }[] }

const toTextPart = (name: string, value: string) =>
  Buffer.from(`--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)

/** Requests of imports in one application. */
export function createImportClient({ app }: App) {
  async function upload(
    acme: Workspace,
    content: string | Buffer,
    { type = 'leads', user = acme.member, fields = {} }: Imported = {},
  ) {
    const parts = Object.entries(fields).map(([name, value]) => toTextPart(name, value))
    const payload = Buffer.concat([
      ...parts,
      partHead('people.csv', 'text/csv'),
      Buffer.from(content as string),
      partEnd,
    ])
    const response = await app.inject({
      method: 'POST',
      url: `/api/${type}/imports`,
      headers: {
        host: acme.host,
        authorization: `Bearer ${user.accessToken}`,
        'content-type': 'multipart/form-data; boundary=x',
      },
      payload,
    })
    return { status: response.statusCode, text: response.body, body: response.json() }
  }

  /** Maps the columns of an uploaded file. */
  async function map(acme: Workspace, uploaded: UploadedImport, imported: Imported = {}): Promise<string> {
    const { type = 'leads', mapping = {}, options, user = acme.member } = imported
    const columns = uploaded.suggested_mapping.map(({ column, field }) => {
      const chosen = Object.hasOwn(mapping, column) ? mapping[column]! : field
      return typeof chosen === 'object' && chosen !== null ? { column, ...chosen } : { column, field: chosen }
    })
    const mapped = await user.put(`/api/${type}/imports/${uploaded.id}/mapping`, { columns, options })
    assert.equal(mapped.status, 200, mapped.text)
    return uploaded.id
  }

  async function prepare(acme: Workspace, content: string | Buffer, imported: Imported = {}): Promise<string> {
    const { status, body, text } = await upload(acme, content, imported)
    assert.equal(status, 201, text)
    return await map(acme, body, imported)
  }

  /** Starts the run of a prepared import and returns its task. */
  async function start(
    acme: Workspace,
    id: string,
    { type = 'leads', user = acme.member }: Imported = {},
    dry_run = false,
  ) {
    const { status, body, text } = await user.post(`/api/${type}/imports/${id}/run`, { dry_run })
    assert.equal(status, 202, text)
    return body
  }

  /** Runs a prepared import to its end. */
  async function run(acme: Workspace, id: string, imported: Imported = {}, dry_run = false) {
    const { type = 'leads', user = acme.member } = imported
    const task = await waitForTask(acme, await start(acme, id, imported, dry_run), 60)
    const { body } = await user.get(`/api/${type}/imports/${id}`)
    return { task, body }
  }

  async function importFile(acme: Workspace, content: string | Buffer, imported: Imported = {}) {
    const id = await prepare(acme, content, imported)
    return { id, ...(await run(acme, id, imported)) }
  }

  async function rowsOf(acme: Workspace, id: string, { type = 'leads', user = acme.member }: Imported = {}) {
    const { body } = await user.get(`/api/${type}/imports/${id}/rows?limit=200`)
    return body.items as {
      row_no: number
      outcome: string | null
      record_id: string | null
      errors: { field: string | null; column: string | null; code: string; message: string }[]
      warnings: { field: string | null; code: string; record_id?: string }[]
      kept_reason: string | null
    }[]
  }

  return { upload, map, prepare, start, run, importFile, rowsOf }
}

export const countsOf = ({ created, updated, skipped, failed, warnings }: Record<string, number>) => ({
  created,
  updated,
  skipped,
  failed,
  warnings,
})

export const noRows = { created: 0, updated: 0, skipped: 0, failed: 0, warnings: 0 }

export async function createLead({ member }: Workspace, input: object) {
  const { status, body, text } = await member.post('/api/leads/', input)
  assert.equal(status, 201, text)
  return body
}

export const listLeads = async ({ manager }: Workspace) =>
  (await manager.get('/api/leads/?limit=200&sort=created_at')).body.items

export const getLead = async ({ manager }: Workspace, id: string) => (await manager.get(`/api/leads/${id}`)).body
