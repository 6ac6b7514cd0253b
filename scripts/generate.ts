// Generates the table types, docs/openapi.json, the API types of the web application and its access constants, the list of modules and the table of settings. With --verify it only checks that they are current.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import { startPostgres } from '../src/testing/servers/postgres.ts'
import { databaseUrls, migrateTemplate } from '../src/testing/test-database.ts'
import { renderAccess } from './access-constants.ts'
import { updateConfigTable } from './config-table.ts'

const database = 'generate'
const root = join(import.meta.dirname, '..')
const typesFile = 'src/platform/db/database.ts'
const verify = process.argv.includes('--verify')

await generateTypes()
await generateDocument()
await generateModuleList()
await generateConfigTable()

async function generateTypes(): Promise<void> {
  const server = await startPostgres()
  try {
    await migrateTemplate(server.url, database)
    const args = [
      '--dialect',
      'postgres',
      '--url',
      databaseUrls(server.url, database).ownerUrl,
      '--out-file',
      typesFile,
      '--exclude-pattern',
      '(pgboss|public).*',
      '--no-domains',
      '--type-mapping',
      '{"int8":"number","date":"string"}',
    ]
    execFileSync('kysely-codegen', verify ? [...args, '--verify'] : args, { cwd: root, stdio: 'inherit' })
  } finally {
    await server.stop()
  }
}

async function generateDocument(): Promise<void> {
  // Imported here, because the application needs the types generated above.
  const { generateOpenApiDocument: generateDocument } = await import('./openapi.ts')
  const document = await generateDocument()
  await writeOrVerify('docs/openapi.json', document)
  await writeOrVerify('web/src/api/schema.gen.d.ts', await generateApiTypes(document))
  await writeOrVerify('web/src/api/access.gen.ts', renderAccess(document))
}

/** Leaves out descriptions and examples, which are two thirds of the document and are in the reference. */
async function generateApiTypes(document: string): Promise<string> {
  const bare = JSON.parse(document, (key, value) =>
    (key === 'description' && typeof value === 'string') || key === 'example' || key === 'examples' ? undefined : value,
  )
  return astToString(await openapiTS(bare))
}

async function generateModuleList(): Promise<void> {
  const { renderModuleList } = await import('./module-list.ts')
  await writeOrVerify('docs/architecture/modules.md', renderModuleList())
}

async function generateConfigTable(): Promise<void> {
  const page = await readFile(join(root, 'docs/operations.md'), 'utf8')
  await writeOrVerify('docs/operations.md', updateConfigTable(page))
}

async function writeOrVerify(name: string, text: string): Promise<void> {
  const file = join(root, name)
  const current = existsSync(file) ? await readFile(file, 'utf8') : ''
  if (current === text) return
  if (!verify) return await writeFile(file, text)
  console.error(`${name} is outdated. Run npm run generate and review the changes.`)
  process.exitCode = 1
}
