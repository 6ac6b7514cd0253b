// Writes what is made from the code: the types of the tables, the machine description of the API, the table of settings.
// With --verify it only tells whether they are up to date.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startPostgres } from '../src/testing/postgres.ts'
import { databaseUrls, migrateTemplate } from '../src/testing/test-database.ts'
import { withConfigTable } from './config-table.ts'

const database = 'generate'
const root = join(import.meta.dirname, '..')
const typesFile = 'src/platform/db/database.ts'
const verify = process.argv.includes('--verify')

await generateTypes()
await generateDescription()
await generateConfigTable()

async function generateTypes(): Promise<void> {
  const server = await startPostgres()
  try {
    await migrateTemplate(server.url, database)
    const args = [
      ...['--dialect', 'postgres', '--url', databaseUrls(server.url, database).ownerUrl, '--out-file', typesFile],
      ...['--exclude-pattern', '(pgboss|public).*', '--no-domains'],
      ...['--type-mapping', '{"int8":"number","date":"string"}'],
    ]
    execFileSync('kysely-codegen', verify ? [...args, '--verify'] : args, { cwd: root, stdio: 'inherit' })
  } finally {
    await server.stop()
  }
}

async function generateDescription(): Promise<void> {
  // Loaded only now, since the application needs the types that were just made.
  const { machineDescription } = await import('./openapi.ts')
  await keep('docs/openapi.json', await machineDescription())
}

async function generateConfigTable(): Promise<void> {
  const page = await readFile(join(root, 'docs/operations.md'), 'utf8')
  await keep('docs/operations.md', withConfigTable(page))
}

async function keep(name: string, text: string): Promise<void> {
  const file = join(root, name)
  const present = existsSync(file) ? await readFile(file, 'utf8') : ''
  if (present === text) return
  if (!verify) return await writeFile(file, text)
  console.error(`${name} is not what the code says. Run npm run generate, and look at what changed.`)
  process.exitCode = 1
}
