import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { operationsPagePath, updateConfigTable } from '../../../scripts/config-table.ts'
import { readConfig } from './config.ts'
import { settings } from './settings.ts'

const folder = await mkdtemp(join(tmpdir(), 'tributary-config-'))
after(() => rm(folder, { recursive: true, force: true }))

/** The settings that production requires. */
const required = {
  SIGNING_KEYS: 'one:secret',
  SECRETS_KEYS: 'one:secret',
  APP_DOMAIN: 'tributary.example',
  STORAGE_URL: 'file:///var/lib/tributary',
}

async function createFile(name: string, text: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, text)
  return file
}

test('the table of settings in docs/operations.md is up to date', async () => {
  const page = await readFile(operationsPagePath, 'utf8')

  const updated = updateConfigTable(page)

  assert.equal(updated, page, 'run npm run generate')
})

test('the table contains every setting, and a page without markers is rejected', () => {
  const page = 'before\n<!-- settings -->\nold\n<!-- end of settings -->\nafter\n'

  const written = updateConfigTable(page)

  for (const name of Object.keys(settings.properties)) assert.ok(written.includes(`| \`${name}\` |`), name)
  assert.match(written, /^before\n<!-- settings -->\n\| Variable/)
  assert.match(written, /\n<!-- end of settings -->\nafter\n$/)
  assert.doesNotMatch(written, /old/)
  assert.throws(() => updateConfigTable('no markers'), /no markers/)
})

test('settings that are not set have their defaults', () => {
  const config = readConfig({ NODE_ENV: 'development', PORT: '', REDIS_URL: '' })

  assert.equal(config.PORT, 3000)
  assert.equal(config.HOST, '127.0.0.1')
  assert.equal(config.DATABASE_POOL_SIZE, 8)
  assert.equal(config.SAFE_FETCH_ALLOW_PRIVATE, false)
  assert.equal(config.REDIS_URL, undefined)
  assert.equal(config.DATABASE_OWNER_URL, undefined)
})

test('values are converted to the type of their setting', () => {
  const environment = { NODE_ENV: 'test', PORT: '8080', RATE_LIMIT_FACTOR: '0.5', SAFE_FETCH_ALLOW_PRIVATE: 'true' }

  const config = readConfig({ ...environment, SOMETHING_ELSE: 'ignored' })

  assert.equal(config.PORT, 8080)
  assert.equal(config.RATE_LIMIT_FACTOR, 0.5)
  assert.equal(config.SAFE_FETCH_ALLOW_PRIVATE, true)
  assert.ok(!('SOMETHING_ELSE' in config))
})

test('all invalid settings are reported at once, by name', () => {
  const invalid = { NODE_ENV: 'staging', PORT: '70000', DATABASE_POOL_SIZE: 'many', APP_DOMAIN: 'Example.com/' }

  assert.throws(
    () => readConfig(invalid),
    ({ message }: Error) => {
      for (const name of Object.keys(invalid)) assert.match(message, new RegExp(`^  ${name} `, 'm'))
      return true
    },
  )
})

test('an unknown value is rejected with the allowed ones', () => {
  assert.throws(
    () => readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'verbose' }),
    /LOG_LEVEL must be one of fatal, error, warn, info, debug, silent/,
  )
})

test('NODE_ENV defaults to production, and production requires keys, a domain and a storage location', () => {
  for (const name of Object.keys(required)) {
    assert.throws(() => readConfig({ ...required, [name]: '' }), new RegExp(`^  ${name} is required`, 'm'))
  }
  assert.equal(readConfig(required).NODE_ENV, 'production')
})

test('development settings are rejected in production', () => {
  const unsafe = {
    DEFAULT_TENANT_SLUG: 'demo',
    RATE_LIMIT_FACTOR: '0',
    SAFE_FETCH_ALLOW_PRIVATE: 'true',
    APP_SCHEME: 'http',
    GOOGLE_ISSUER: 'https://accounts.google.com.attacker.example',
  }

  for (const [name, value] of Object.entries(unsafe)) {
    const environment = { ...required, [name]: value }
    assert.throws(() => readConfig({ ...environment, NODE_ENV: 'production' }), new RegExp(name))
    assert.doesNotThrow(() => readConfig({ ...environment, NODE_ENV: 'development' }))
  }
})

test('http is accepted in production on the local machine only', () => {
  const readScheme = (APP_DOMAIN: string) => readConfig({ ...required, APP_DOMAIN, APP_SCHEME: 'http' }).APP_SCHEME

  for (const domain of ['localhost', 'dev.localhost', '127.0.0.1']) assert.equal(readScheme(domain), 'http')
  for (const domain of ['notlocalhost', 'localhost.example', '127.0.0.1.example', '10.0.0.1'])
    assert.throws(() => readScheme(domain), /APP_SCHEME must be https/)
})

test('a secret is read from a file, without the trailing line break', async () => {
  const url = 'smtp://user:password@mail.example:587'
  const environment = {
    ...required,
    SIGNING_KEYS_FILE: await createFile('keys', 'two:other\n'),
    SMTP_URL_FILE: await createFile('smtp', url),
  }

  const config = readConfig(environment)

  assert.equal(config.SMTP_URL, url)
  assert.equal(config.SIGNING_KEYS, 'two:other', 'the file takes precedence over the variable')
})

test('a missing secret file prevents the start', () => {
  const environment = { ...required, SMTP_URL_FILE: join(folder, 'nowhere') }

  assert.throws(() => readConfig(environment), /nowhere/)
})
