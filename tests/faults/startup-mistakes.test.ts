import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import pg from 'pg'
import type { Environment } from '#platform/config'
import { runCli } from '../../src/commands/cli.ts'
import { assertSchemaIsCompatible } from '../../src/startup.ts'
import { startPostgres } from '../../src/testing/servers/postgres.ts'
import { programEnvironment, programPath } from '../../src/testing/servers/programs.ts'
import { createDatabase, createTestDatabase, databaseUrls } from '../../src/testing/test-database.ts'

const server = process.env.TEST_POSTGRES_URL!
const database = await createTestDatabase()
const emptyName = `${database.name}_empty`
await createDatabase(server, emptyName)
after(async () => {
  await database.drop()
  await query(server, `drop database ${emptyName}`)
})
const migrated = environmentOf(server, database.name)
const empty = environmentOf(server, emptyName)

function environmentOf(serverUrl: string, name: string) {
  const { ownerUrl, appUrl, systemUrl } = databaseUrls(serverUrl, name)
  return {
    NODE_ENV: 'development',
    LOG_LEVEL: 'fatal',
    PORT: '0',
    METRICS_PORT: '0',
    DATABASE_OWNER_URL: ownerUrl,
    DATABASE_URL: appUrl,
    DATABASE_SYSTEM_URL: systemUrl,
  }
}

/** Runs a command that fails before it opens anything. */
async function runCommand(command: string, environment: Environment): Promise<string> {
  let output = ''
  const writeError = (text: string) => {
    output += text
  }
  assert.notEqual(await runCli(command.split(' '), { environment, writeError }), 0)
  return output.trim()
}

async function spawnCommand(command: string, environment: Environment): Promise<{ log: string; output: string }> {
  const child = spawn(process.execPath, [programPath('src/main.ts'), command], {
    env: { ...programEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [log, output] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('exit', resolve)),
  ])
  assert.notEqual(child.exitCode, 0)
  return { log, output: output.trim() }
}

/** Runs commands that fail after they have opened connections, in a process of their own that the connections cannot keep alive. */
async function spawnCommands(mistakes: readonly Mistake[]): Promise<string[]> {
  const runs = mistakes.map(([command, environment]) => ({ command, environment }))
  const program = [programPath('tests/faults/failing-commands.fixture.ts'), JSON.stringify(runs)]
  const child = spawn(process.execPath, program, {
    env: programEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const results: { code: number; output: string }[] = JSON.parse(await text(child.stdout))
  assert.ok(results.every(({ code }) => code !== 0))
  return results.map(({ output }) => output.trim())
}

async function query(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client(`${serverUrl}/postgres`)
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

type Mistake = [command: string, environment: Environment, expected: RegExp]

const wrongUrl = (command: string, variable: string, url: string): Mistake => [
  command,
  { ...migrated, [variable]: url },
  new RegExp(`^${variable}: must be a URL such as postgres://user:password@host:5432/database\\.$`),
]

test('migrate explains which role needs which privilege', async () => {
  // A server of its own, because the roles of the product exist on the shared one.
  const newServer = await startPostgres()
  after(() => newServer.stop())
  await query(newServer.url, 'create role plain_owner login')
  const environment = environmentOf(newServer.url, 'postgres')
  const url = environment.DATABASE_OWNER_URL.replace('postgres@', 'plain_owner@')

  const output = await runCommand('migrate', { ...environment, DATABASE_OWNER_URL: url })

  assert.equal(
    output,
    'DATABASE_OWNER_URL: the role plain_owner must be allowed to create roles: alter role plain_owner createrole.',
  )
})

test('each mistake in the environment is one line that names the variable', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  after(() => holder.close())
  const takenPort = String((holder.address() as AddressInfo).port)
  const earlyMistakes: Mistake[] = [
    [
      'serve',
      { ...migrated, DATABASE_URL: 'postgres://app@127.0.0.1:1/x' },
      /^DATABASE_URL: the database cannot be reached\. Check that it is running and that its URL is correct\.$/,
    ],
    wrongUrl('serve', 'DATABASE_URL', 'localhost/x'),
    wrongUrl('serve', 'DATABASE_URL', 'mysql://app@127.0.0.1/x'),
    wrongUrl('migrate', 'DATABASE_OWNER_URL', 'hello'),
    wrongUrl('migrate --plan', 'DATABASE_OWNER_URL', 'hello'),
    wrongUrl('migrate', 'DATABASE_URL', 'hello'),
    wrongUrl('migrate', 'DATABASE_SYSTEM_URL', 'hello'),
    [
      'work',
      { ...migrated, DATABASE_SYSTEM_URL: `${server}/missing` },
      /^DATABASE_SYSTEM_URL: database "missing" does not exist\.$/,
    ],
    ['serve', empty, /^The database has pending migrations\. Run `npm start -- migrate` first \(.*$/],
    ['work', empty, /^The database has pending migrations\. Run `npm start -- migrate` first \(.*$/],
    [
      'serve',
      { ...migrated, LOG_LEVEL: 'verbose' },
      /^Invalid configuration:\n {2}LOG_LEVEL must be one of fatal, .+$/,
    ],
    [
      'migrate',
      { ...migrated, DATABASE_OWNER_URL: 'postgres://owner@127.0.0.1:1/x' },
      /^DATABASE_OWNER_URL: the database cannot be reached\. Check that it is running and that its URL is correct\.$/,
    ],
  ]

  const lateMistakes: Mistake[] = [
    [
      'serve',
      { ...migrated, DATABASE_URL: migrated.DATABASE_OWNER_URL },
      /^DATABASE_URL: the role must not serve requests, because it is a superuser.*$/,
    ],
    [
      'serve',
      { ...migrated, PORT: takenPort },
      new RegExp(`^PORT: port ${takenPort} is in use by another process\\.$`),
    ],
    ['serve', { ...migrated, STORAGE_URL: 'file:///dev/null/files' }, /^STORAGE_URL: .+$/],
  ]

  for (const [command, environment, expected] of earlyMistakes)
    assert.match(await runCommand(command, environment), expected)
  const metricsMistake = { ...migrated, METRICS_PORT: takenPort, LOG_LEVEL: 'info' }
  const [outputs, serve, work] = await Promise.all([
    spawnCommands(lateMistakes),
    spawnCommand('serve', { ...metricsMistake, WEB_FILES: 'docs' }),
    spawnCommand('work', { ...metricsMistake, SMTP_URL: 'smtp://127.0.0.1:1' }),
  ])
  for (const [index, [, , expected]] of lateMistakes.entries()) assert.match(outputs[index]!, expected)
  for (const { output } of [serve, work])
    assert.equal(output, `METRICS_PORT: port ${takenPort} is in use by another process.`)
  assert.doesNotMatch(serve.log, /listening/)
  assert.match(serve.log, /the web application is not built, .*run `npm run build -w web` and restart/)
  assert.match(work.log, /The mail server cannot be reached.*emails cannot be sent now; check SMTP_URL/)
})

test('an older version starts on the schema of a newer one only if that is compatible with it', async () => {
  const owner = new pg.Client(migrated.DATABASE_OWNER_URL)
  await owner.connect()
  await owner.query(`insert into public.migrations (name, run_on) values ('9999_newer', now())`)
  const compatible = await assertSchemaIsCompatible(migrated.DATABASE_URL)
  const { rows } = await owner.query('select compatible_since from platform.schema_compatibility')
  await owner.query(`update platform.schema_compatibility set compatible_since = '9999_newer'`)
  const outputs = [await runCommand('serve', migrated), await runCommand('work', migrated)]
  await owner.query('update platform.schema_compatibility set compatible_since = $1', [rows[0].compatible_since])
  await owner.query(`delete from public.migrations where name = '9999_newer'`)
  await owner.end()

  const message =
    'The database was migrated by a newer version, which this one is not compatible with. Start that version (9999_newer).'
  assert.deepEqual(compatible, ['9999_newer'])
  assert.deepEqual(outputs, [message, message])
})
