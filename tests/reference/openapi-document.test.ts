import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'tributary-openapi-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Makes every attempt to open a connection fail. */
const withoutNetwork = join(folder, 'without-network.mjs')
writeFileSync(
  withoutNetwork,
  `import net from 'node:net'
   net.Socket.prototype.connect = () => { throw new Error('a connection was opened') }`,
)

const result = spawnSync(process.execPath, ['--import', withoutNetwork, 'scripts/openapi.ts'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1_048_576,
})

test('the OpenAPI document is generated without a database, a cache or a network', () => {
  assert.equal(result.stderr, '')
  assert.equal(result.status, 0)
  assert.equal(JSON.parse(result.stdout).openapi, '3.1.0')
})

test('the OpenAPI document has no linter warnings', () => {
  const file = join(folder, 'openapi.json')
  writeFileSync(file, result.stdout)

  const { status, stdout, stderr } = spawnSync('redocly', ['lint', '--config', 'redocly.yaml', file], {
    cwd: root,
    encoding: 'utf8',
  })

  assert.equal(status, 0, stdout + stderr)
  assert.doesNotMatch(stdout + stderr, /warning/i)
})
