import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { bundledName } from '../../src/testing/servers/programs.ts'
import { bundleTestPrograms } from './test-programs.ts'

const root = join(import.meta.dirname, '../..')
const location = 'tests/bundle/location.fixture.ts'
mkdirSync(join(root, 'tmp'), { recursive: true })
const folder = mkdtempSync(join(root, 'tmp/bundle-'))
after(() => rmSync(folder, { recursive: true, force: true }))
await bundleTestPrograms(relative(root, folder), [location])

async function run(path: string, ...argv: string[]): Promise<string> {
  const env = { NODE_ENV: 'test', LOG_LEVEL: 'silent' }
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...argv], { env, maxBuffer: 2 ** 26 })
  return stdout
}

test('the bundled application has the routes of the OpenAPI document', async () => {
  const output = await run(join(folder, bundledName('src/main.ts')), 'openapi')

  assert.deepEqual(JSON.parse(output), JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')))
})

test('a bundled module finds the files next to its source', async () => {
  const output = await run(join(folder, bundledName(location)))

  assert.equal(output, await run(join(root, location)))
})
