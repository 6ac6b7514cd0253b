// Registrations of a resource. A failing test names what is missing and the file to edit.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { subjectsWithoutRecord } from './modules/operations/webhook-payloads/subjects-without-record.fixture.ts'
import {
  findEventsWithoutPresenter,
  findRoutesWithoutFixture,
  findUnregisteredEvents,
  findUnregisteredScopes,
  findUnregisteredTables,
} from './testing/registrations.ts'
import { findForeignTables, findWrongReads } from './testing/table-access.ts'
import { findUnrecordedChanges } from './testing/unrecorded-changes.ts'

const root = join(import.meta.dirname, '..')
const readFiles = (...patterns: string[]) =>
  globSync(patterns, { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const moduleFiles = readFiles('src/modules/**/*.ts').filter(({ path }) => !/\.(fixture|stand-in)\.ts$/.test(path))
const platformFiles = readFiles('src/platform/**/*.ts').filter(({ path }) => !/\.(fixture|stand-in)\.ts$/.test(path))
// Tables are registered in some files, and operations exports, cleans and purges the rows of all modules as they register them.
const statementFiles = [...moduleFiles, ...platformFiles].filter(
  ({ path }) => path.endsWith('.queries.ts') || !/tables\.ts$|database\.ts$|^src\/modules\/operations\//.test(path),
)
const routeFiles = moduleFiles.filter(({ path }) => path.endsWith('.routes.ts'))
const fixtureFiles = readFiles('tests/matrix/fixtures/**/*.ts')
const accessFiles = readFiles('src/platform/access/*.ts', 'tests/matrix/permissions.ts')

/** Imported by the tests that need it, because a missing registration can stop the import. */
const importModules = async () => {
  const [{ modules }, { buildRegistry, globalTables }] = await Promise.all([
    import('./modules.ts'),
    import('#platform/module'),
  ])
  return { modules, globalTables, registry: buildRegistry(modules) }
}

test('every table of a migration is registered in its module', async () => {
  const { registry, globalTables } = await importModules()
  const files = [...readFiles('migrations/*'), ...moduleFiles]
  const registered = new Set([...Object.keys(registry.tables), ...globalTables])

  assert.deepEqual(findUnregisteredTables(files, registered), [])
  const widgets = { path: 'migrations/9999_crm_widgets.sql', text: 'create table crm.widgets (\n  tenant_id uuid\n);' }
  const webhooks = { path: 'migrations/9999_operations_hooks.sql', text: 'create table operations.hooks (id uuid);' }
  assert.deepEqual(findUnregisteredTables([...files, widgets, webhooks], registered), [
    'migrations/9999_crm_widgets.sql creates crm.widgets: register it in src/modules/crm/crm.tables.ts or src/modules/email/email.tables.ts',
    'migrations/9999_operations_hooks.sql creates operations.hooks: register it in src/modules/operations/operations.tables.ts',
  ])
})

test('the tables of a module are in its schema', async () => {
  const { modules } = await importModules()
  const outside = modules.flatMap(({ name, schema, tables }) =>
    Object.keys(tables)
      .filter((table) => table.split('.')[0] !== schema && !(name === 'operations' && table.startsWith('platform.')))
      .map((table) => `${name}: ${table}`),
  )

  assert.deepEqual(outside, [])
})

test('a statement writes only tables of its module and reads only those and the declared ones', async () => {
  const { modules, globalTables, registry } = await importModules()
  const tables = new Set([...Object.keys(registry.tables), ...globalTables])

  assert.deepEqual(findForeignTables(statementFiles, modules, tables), [])
  assert.deepEqual(findWrongReads(statementFiles, modules, tables), [])
})

test('statements with tables of another module are found', () => {
  const tables = new Set(['crm.leads', 'crm.contacts', 'platform.files'])
  const crm = { name: 'crm', uses: [], tables: { 'crm.leads': {}, 'crm.contacts': {} } }
  const plg = { name: 'plg', uses: ['crm'], tables: {}, reads: ['crm.contacts'] }
  const find = (text: string, name = 'x.queries.ts') =>
    findForeignTables([{ path: `src/modules/plg/${name}`, text }], [crm, plg], tables)
  const writes = ['src/modules/plg/x.queries.ts writes crm.contacts of crm']

  assert.deepEqual(find('sql`select from crm.contacts, platform.files`'), [
    'src/modules/plg/x.queries.ts reads platform.files of platform',
  ])
  assert.deepEqual(find(`tx.selectFrom('crm.contacts').innerJoin('crm.leads', on)`), [
    'src/modules/plg/x.queries.ts reads crm.leads of crm',
  ])
  assert.deepEqual(find('sql`update crm.contacts set name = null`'), writes)
  assert.deepEqual(find(`tx.updateTable('crm.contacts')`), writes)
  assert.deepEqual(find(`const table = 'crm.contacts'\nsql\`delete from \${sql.table(table)}\``), writes)
  assert.deepEqual(find(`scan(tx, 'crm.leads')`, 'x.service.ts'), [
    'src/modules/plg/x.service.ts reads crm.leads of crm',
  ])
  assert.deepEqual(find(`// crm.leads\nreturn { 'crm.leads': 1 }`, 'x.service.ts'), [])
  assert.deepEqual(findWrongReads([], [crm, plg], tables), ['No statement of plg reads crm.contacts'])
  assert.deepEqual(findWrongReads([], [crm, { ...plg, uses: [] }], tables), ['plg may not use crm: crm.contacts'])
})

test('every route is in a group of the matrix', () => {
  assert.ok(routeFiles.length > 50, `${routeFiles.length} files`)
  assert.deepEqual(findRoutesWithoutFixture(routeFiles, fixtureFiles), [])
  const widgets = { path: 'widgets.routes.ts', text: `method: 'POST',\n    url: '/api/widgets/',` }
  assert.deepEqual(findRoutesWithoutFixture([widgets], fixtureFiles), [
    'widgets.routes.ts has POST /api/widgets/: add it to its group in tests/matrix/fixtures/',
  ])
})

test('every resource has scopes, rights of the roles and permissions in the matrix', () => {
  const files = [...accessFiles, ...routeFiles]
  const withText = (path: string, from: string, to: string) =>
    files.map((file) => (file.path === path ? { path, text: file.text.replace(from, to) } : file))
  const widgets = { path: 'widgets.routes.ts', text: `config: { scope: 'widgets.write' },` }

  assert.deepEqual(findUnregisteredScopes(files), [])
  assert.deepEqual(findUnregisteredScopes([...files, widgets]), [
    'The resource widgets is not in resourceNames of src/platform/access/scopes.ts',
    'The resource widgets is not in rights of src/platform/access/roles.ts',
    'The resource widgets is not in addedPermissions of tests/matrix/permissions.ts',
  ])
  assert.deepEqual(findUnregisteredScopes(withText('src/platform/access/roles.ts', '  teams: {', '  others: {')), [
    'The resource others is not in resourceNames of src/platform/access/scopes.ts',
    'The resource teams is not in rights of src/platform/access/roles.ts',
    'The resource others is not in addedPermissions of tests/matrix/permissions.ts',
  ])
  assert.deepEqual(findUnregisteredScopes(withText('tests/matrix/permissions.ts', `  '/api/teams': 'teams',\n`, '')), [
    '/api/teams is not in resourceByPrefix of tests/matrix/permissions.ts',
  ])
})

test('every event is exported from the events file of its module', () => {
  const text = `const widgetCreated = defineEvent('widget.created', {`
  const widgets = { path: 'src/modules/crm/widgets/widgets.service.ts', text: `export ${text}` }
  const hidden = { path: 'src/modules/crm/crm.events.ts', text }

  assert.deepEqual(findUnregisteredEvents(moduleFiles), [])
  assert.deepEqual(findUnregisteredEvents([widgets, hidden]), [
    'src/modules/crm/widgets/widgets.service.ts defines widget.created: export it from src/modules/crm/crm.events.ts',
    'src/modules/crm/crm.events.ts defines widget.created: export it from src/modules/crm/crm.events.ts',
  ])
})

test('every event has a presenter of its record', async () => {
  const { modules, registry } = await importModules()
  const known = { presenters: registry.eventPresenters, withoutRecord: subjectsWithoutRecord }

  assert.deepEqual(
    modules.flatMap(({ name, events }) => findEventsWithoutPresenter(name, { events, ...known })),
    [],
  )
  const events = [{ type: 'widget.created' }, { type: 'widget.deleted' }]
  assert.deepEqual(findEventsWithoutPresenter('crm', { events, ...known }), [
    'Events of widget have no presenter: add one to eventPresenters of src/modules/crm/crm.module.ts and a record to ' +
      'src/modules/operations/webhook-payloads/presented-records.fixture.ts',
  ])
})

/** Operations that write rows without an audit entry and an event, with the reason. */
const unrecorded: Record<string, string> = {
  analyzeRoleplay: 'the session itself says that its seller asked for hints',
  bulkUpdateContacts: 'the actions record the changes; they are extensions, which static reading does not find',
  bulkUpdateLeads: 'the actions record the changes; they are extensions, which static reading does not find',
  createRoomPreview: 'a preview is a visit that counts nothing',
  followThread: 'what a user follows is private to the user',
  ingestEvents: 'events are too many for audit entries; their numbers are kept per day',
  markNotificationsRead: 'the read status is private to the user',
  markThreadRead: 'the read status is private to the user',
  previewContactErasure: 'the task is the record; its result changes nothing',
  previewLeadErasure: 'the task is the record; its result changes nothing',
  repairIntegrityFindings: 'starts a task; the repair records its changes',
  replacePreferences: 'how the application looks to a user is private to the user',
  startIntegrityChecks: 'starts a task that changes no record',
  testWebhookEndpoint: 'the delivery is the record of the test',
  undoContactBulkUpdate: 'starts a task; the undo records its changes',
  undoLeadBulkUpdate: 'starts a task; the undo records its changes',
  unfollowThread: 'what a user follows is private to the user',
  updateContentView: 'a heartbeat, sent many times per view',
}

test('every operation that changes rows records an audit entry or emits an event', () => {
  const files = [...moduleFiles, ...readFiles('src/platform/{notify,tasks,files}/**/*.ts')]
  const operationOf = (message: string) => message.match(/: (\w+) changes/)![1]!

  assert.deepEqual(findUnrecordedChanges(files).map(operationOf).sort(), Object.keys(unrecorded))
})

test('an operation that changes rows without an audit entry is reported', () => {
  const folder = 'src/modules/crm/widgets'
  const routes = `method: 'POST',\n  url: '/api/widgets/',\n  schema: { operationId: 'createWidget' },`
  const queries = `export function insertWidget(tx) {\n  return tx.insertInto('crm.widgets')\n}\n`
  const service = (record: string) =>
    `import { insertWidget } from './widgets.queries.ts'\n\nexport async function createWidget(tx) {\n  await insertWidget(tx)\n${record}}\n`
  const find = (record: string) =>
    findUnrecordedChanges([
      { path: `${folder}/widgets.routes.ts`, text: routes },
      { path: `${folder}/widgets.queries.ts`, text: queries },
      { path: `${folder}/widgets.service.ts`, text: service(record) },
    ])

  assert.deepEqual(find(''), [
    `${folder}/widgets.service.ts: createWidget changes rows and must call recordAudit and emit`,
  ])
  assert.deepEqual(find(`  await recordAudit(tx, 'widget.created', {})\n`), [])
  assert.deepEqual(
    find(`  await recordWidget(tx)\n}\n\nfunction recordWidget(tx) {\n  return emit(tx, widgetCreated)\n`),
    [],
  )
})
