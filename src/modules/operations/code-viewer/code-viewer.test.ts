import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { searchCode } from './search-code.ts'
import { loadSourceFiles } from './source-files.ts'

const app = await startTestApp()
const root = join(import.meta.dirname, '../../../..')
const url = '/api/admin/code-viewer'
const fileUrl = (path: string) => `${url}/file?path=${encodeURIComponent(path)}`
const setCodeViewer = (acme: Awaited<ReturnType<typeof app.tenant>>, code_viewer_enabled: boolean) =>
  acme.admin.patch('/api/admin/settings', { security: { code_viewer_enabled } })
const searchUrl = (query: Record<string, string>) => `${url}/search?${new URLSearchParams(query)}`

async function tenant() {
  const acme = await app.tenant()
  await setCodeViewer(acme, true)
  return acme
}

test('the tree lists source files, migrations and documents, and each can be read', async () => {
  const { admin } = await tenant()

  const { status, body } = await admin.get(`${url}/tree`)
  const paths: string[] = body.files.map(({ path }: { path: string }) => path)
  const file = await admin.get(fileUrl('src/main.ts'))

  assert.equal(status, 200)
  assert.deepEqual(paths, paths.toSorted())
  for (const path of ['src/main.ts', 'docs/architecture.md', 'migrations/0001_platform_foundation.sql'])
    assert.ok(paths.includes(path), path)
  assert.deepEqual(
    paths.filter((path) => /\.(fixture|stand-in)\.ts$|(^|\/)\.|lock\.json$/.test(path)),
    [],
  )
  const content = readFileSync(join(root, 'src/main.ts'), 'utf8')
  const { path, language, sha256 } = file.body
  assert.deepEqual(
    [path, language, file.body.content, sha256],
    ['src/main.ts', 'typescript', content, hash('sha256', content)],
  )
  assert.equal(file.body.lines, content.split('\n').length - 1)
})

test('identity-10-13 paths outside of the tree are not found, and a search text is literal', async () => {
  const acme = await tenant()
  const paths = ['../../etc/passwd', '/etc/passwd', '/proc/self/environ', 'src/../.env', '.env', '%2e%2e%2f']
  const more = ['src/./main.ts', 'src//main.ts', 'src\\main.ts', 'constructor', '__proto__', 'package-lock.json', 'src']

  for (const path of [...paths, ...more]) {
    const { status, body } = await acme.admin.get(fileUrl(path))
    assert.deepEqual([status, body.code], [404, 'not_found'], path)
  }
  assert.equal((await acme.admin.get(`${url}/file?path=..%2f..%2fetc%2fpasswd`)).status, 404)
  const regex = await acme.admin.get(searchUrl({ q: '(a+)+$', limit: '100' }))
  const everything = await acme.admin.get(searchUrl({ q: '.*', file_type: 'sql' }))

  assert.equal(regex.status, 200)
  for (const { path, line } of regex.body.items)
    assert.ok(readFileSync(join(root, path), 'utf8').split('\n')[line - 1]!.includes('(a+)+$'), `${path}:${line}`)
  assert.ok(everything.body.total < 50, 'the text is not a regular expression')
})

test('a search returns one match per line, ignores case and can be limited to a file type', async () => {
  const { admin } = await tenant()

  const found = await admin.get(searchUrl({ q: 'CREATE TABLE crm.leads (', file_type: 'sql' }))
  const many = await admin.get(searchUrl({ q: 'import', limit: '3' }))
  const rejected = [await admin.get(searchUrl({ q: 'a' })), await admin.get(searchUrl({ q: 'ab', file_type: 'exe' }))]

  assert.deepEqual(
    found.body.items.map(({ path, preview }: Record<string, string>) => [path, preview]),
    [['migrations/0024_crm_leads.sql', 'create table crm.leads (']],
  )
  assert.deepEqual([found.body.total, found.body.truncated], [1, false])
  assert.deepEqual([many.body.items.length, many.body.total, many.body.truncated], [3, 200, true])
  for (const { status } of rejected) assert.equal(status, 422)
})

test('previews of long lines contain the match, and a search text is literal', async () => {
  const content = `first\n${'x'.repeat(5_000)}Needle needle${'y'.repeat(5_000)}\nneedle\naaaa\n'(a+)+$'`
  const file = { path: 'src/a.ts', language: 'typescript', size: 0, lines: 5, sha256: '', content }

  const { items, total } = await searchCode([file], { query: 'needle', limit: 10 })
  const literal = await searchCode([file], { query: '(a+)+$', limit: 10 })

  assert.deepEqual(
    items.map(({ line }) => line),
    [2, 3],
  )
  assert.ok(items.every(({ preview }) => preview.length <= 240 && /needle/i.test(preview)))
  assert.equal(total, 2)
  assert.deepEqual(literal.items, [{ path: 'src/a.ts', line: 5, preview: "'(a+)+$'" }])
})

test('reading a file is audited, and the code viewer is off until an admin turns it on', async () => {
  const acme = await app.tenant()
  const byDefault = await acme.admin.get(`${url}/tree`)
  await setCodeViewer(acme, true)
  const read = await acme.admin.get(fileUrl('src/main.ts'))
  const entries = (await acme.admin.get('/api/admin/audit-log?action=code_file.viewed')).body.items
  await setCodeViewer(acme, false)

  const disabled = [`${url}/tree`, fileUrl('src/main.ts'), searchUrl({ q: 'import' })]

  assert.deepEqual([byDefault.status, read.status], [404, 200])
  assert.deepEqual(
    entries.map(({ resource_label }: { resource_label: string }) => resource_label),
    ['src/main.ts'],
  )
  for (const path of disabled) assert.equal((await acme.admin.get(path)).status, 404)
})

test('the source code contains no secrets', async () => {
  const secrets =
    /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/]{20}|\bAKIA[A-Z0-9]{16}\b|\bgh[pousr]_\w{36}|\bsk-(ant-)?\w{32}|\bsvc_live_\w{40}/
  const { files } = await loadSourceFiles(root, new Date())

  const suspicious = [...files.values()].filter(({ content }) => secrets.test(content)).map(({ path }) => path)

  assert.ok(files.size > 500)
  assert.deepEqual(suspicious, [])
})
