import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { operationsPage, withConfigTable } from '../../../scripts/config-table.ts'
import { readConfig } from './config.ts'
import { settings } from './settings.ts'

const folder = await mkdtemp(join(tmpdir(), 'tributary-config-'))
after(() => rm(folder, { recursive: true, force: true }))

const keys = { SIGNING_KEYS: 'one:secret', SECRETS_KEYS: 'one:secret' }

async function fileOf(name: string, text: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, text)
  return file
}

test('the table of settings in docs/operations.md is what the settings say', async () => {
  const page = await readFile(operationsPage, 'utf8')

  const fresh = withConfigTable(page)

  assert.equal(fresh, page, 'run node scripts/config-table.ts')
})

test('every setting is in the table, and a page without a place for it is refused', () => {
  const page = 'before\n<!-- settings -->\nold\n<!-- end of settings -->\nafter\n'

  const written = withConfigTable(page)

  for (const name of Object.keys(settings.properties)) assert.ok(written.includes(`| \`${name}\` |`), name)
  assert.match(written, /^before\n<!-- settings -->\n\| Variable/)
  assert.match(written, /\n<!-- end of settings -->\nafter\n$/)
  assert.doesNotMatch(written, /old/)
  assert.throws(() => withConfigTable('no markers'), /lost the markers/)
})

test('what is not set has its default', () => {
  const config = readConfig({ NODE_ENV: 'development', PORT: '', REDIS_URL: '' })

  assert.equal(config.PORT, 3000)
  assert.equal(config.HOST, '127.0.0.1')
  assert.equal(config.DATABASE_POOL_SIZE, 8)
  assert.equal(config.SAFE_FETCH_ALLOW_PRIVATE, false)
  assert.equal(config.REDIS_URL, undefined)
  assert.equal(config.DATABASE_OWNER_URL, undefined)
})

test('what is set is read as what it is', () => {
  const environment = { NODE_ENV: 'test', PORT: '8080', RATE_LIMIT_FACTOR: '0.5', SAFE_FETCH_ALLOW_PRIVATE: 'true' }

  const config = readConfig({ ...environment, SOMETHING_ELSE: 'left alone' })

  assert.equal(config.PORT, 8080)
  assert.equal(config.RATE_LIMIT_FACTOR, 0.5)
  assert.equal(config.SAFE_FETCH_ALLOW_PRIVATE, true)
  assert.ok(!('SOMETHING_ELSE' in config))
})

test('everything that cannot work is told at once, by its name', () => {
  const wrong = { NODE_ENV: 'staging', PORT: '70000', DATABASE_POOL_SIZE: 'many', APP_DOMAIN: 'Example.com/' }

  assert.throws(
    () => readConfig(wrong),
    ({ message }: Error) => {
      for (const name of Object.keys(wrong)) assert.match(message, new RegExp(`^  ${name} `, 'm'))
      return true
    },
  )
})

test('whoever says nothing is in production, and production wants keys', () => {
  assert.throws(() => readConfig({}), /SIGNING_KEYS is missing[\s\S]*SECRETS_KEYS is missing/)
  assert.equal(readConfig(keys).NODE_ENV, 'production')
})

test('what is for development only does not start in production', () => {
  const unsafe = { DEFAULT_TENANT_SLUG: 'demo', RATE_LIMIT_FACTOR: '0', SAFE_FETCH_ALLOW_PRIVATE: 'true' }

  for (const [name, value] of Object.entries(unsafe)) {
    const environment = { ...keys, [name]: value }
    assert.throws(() => readConfig({ ...environment, NODE_ENV: 'production' }), new RegExp(name))
    assert.doesNotThrow(() => readConfig({ ...environment, NODE_ENV: 'development' }))
  }
})

test('a secret is read from the file that holds it, without its last line break', async () => {
  const address = 'smtp://user:password@mail.example:587'
  const environment = {
    ...keys,
    SIGNING_KEYS_FILE: await fileOf('keys', 'two:other\n'),
    SMTP_URL_FILE: await fileOf('smtp', address),
  }

  const config = readConfig(environment)

  assert.equal(config.SMTP_URL, address)
  assert.equal(config.SIGNING_KEYS, 'two:other', 'the file goes before the variable')
})

test('a file that is not there keeps the process from starting', () => {
  const environment = { ...keys, SMTP_URL_FILE: join(folder, 'nowhere') }

  assert.throws(() => readConfig(environment), /nowhere/)
})
