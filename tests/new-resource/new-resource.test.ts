import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { planResource } from '../../scripts/new-resource/plan-resource.ts'
import { deriveNames } from '../../scripts/new-resource/resource-names.ts'

const root = join(import.meta.dirname, '../..')

function planIn(location: string, plural: string) {
  const { names, created, edited, tooLong } = planResource(root, { location, plural })
  /** Returns the lines that the plan adds to a file, without indentation. */
  const addedTo = (file: string) => {
    const before = new Set(readFileSync(join(root, file), 'utf8').split('\n'))
    const after = edited.get(file)?.split('\n') ?? []
    return after.filter((line) => !before.has(line)).map((line) => line.trim())
  }
  return { names, created, edited, tooLong, addedTo }
}

test('the names of a resource are derived from its plural', () => {
  const singularOf = (plural: string) => deriveNames('crm', plural).file
  const { path, table, snake, Singular, singular, labels, A } = deriveNames('crm', 'order-entries')

  assert.deepEqual(
    [path, table, snake, Singular, singular, labels, A],
    ['/api/order-entries', 'order_entries', 'order_entry', 'OrderEntry', 'orderEntry', 'order entries', 'An'],
  )
  assert.deepEqual(['notes', 'test-widgets', 'branches', 'boxes', 'licenses'].map(singularOf), [
    'note',
    'test-widget',
    'branch',
    'box',
    'license',
  ])
  assert.equal(deriveNames('crm', 'movies', 'movie').Singular, 'Movie')
  assert.equal(deriveNames('library', 'playbooks').path, '/api/enablement/playbooks')
})

test('a resource gets its files and registrations', () => {
  const { created, edited, addedTo } = planIn('crm/work', 'test-widgets')

  const files = [...created.keys()]
  const migration = files.find((file) => file.startsWith('migrations/'))!
  assert.match(migration, /^migrations\/\d{4}_crm_test_widgets\.sql$/)
  assert.deepEqual(files.filter((file) => file !== migration).sort(), [
    'src/modules/crm/work/test-widgets/test-widget.events.ts',
    'src/modules/crm/work/test-widgets/test-widget.presenter.ts',
    'src/modules/crm/work/test-widgets/test-widgets.plans.test.ts',
    'src/modules/crm/work/test-widgets/test-widgets.queries.ts',
    'src/modules/crm/work/test-widgets/test-widgets.routes.ts',
    'src/modules/crm/work/test-widgets/test-widgets.schemas.ts',
    'src/modules/crm/work/test-widgets/test-widgets.service.ts',
    'src/modules/crm/work/test-widgets/test-widgets.test.ts',
    'tests/matrix/fixtures/crm/test-widgets.fixture.ts',
  ])
  for (const [file, text] of created) assert.doesNotMatch(text, /\{\{\w+\}\}/, file)
  assert.match(
    created.get(migration)!,
    /create table crm\.test_widgets \([\s\S]*call platform\.isolate_by_tenant\('crm\.test_widgets'\);/,
  )
  assert.deepEqual(addedTo('src/platform/access/scopes.ts'), [
    "test_widgets: 'test widgets',",
    "'/api/test-widgets': 'test_widgets',",
  ])
  assert.deepEqual(addedTo('src/platform/access/roles.ts'), [
    "test_widgets: { manager: 'RWD', member: 'RW', viewer: 'R' },",
  ])
  assert.match(
    addedTo('tests/matrix/permissions.ts').join('\n'),
    /test_widgets: \['RWD', 'RW', 'R'\],[\s\S]*'\/api\/test-widgets': 'test_widgets',/,
  )
  assert.deepEqual(addedTo('tests/matrix/fixtures.ts'), [
    "import { testWidgets } from './fixtures/crm/test-widgets.fixture.ts'",
    'testWidgets,',
  ])
  assert.match(
    edited.get('src/testing/module-layers.ts')!,
    /\n {4}work: \[\n(?: {6}.*\n)+ {6}\['test-widgets'\],\n {4}\],\n/,
  )
  assert.match(
    addedTo('docs/architecture/lock-order.md')[0]!,
    /^\| \d+ +\| test widgets +\| rows of `crm\.test_widgets` +\| `lockTestWidget` +\|$/,
  )
  assert.equal(edited.size, 11)
})

const locations = 'identity/sign-in crm/people email marketing/campaigns library insights community operations'

for (const location of locations.split(' '))
  test(`a resource is registered in ${location}`, () => {
    const { names, created, edited, tooLong, addedTo } = planIn(location, 'test-gadgets')
    const { module, schema, directory } = names
    const [moduleFile, tablesFile] = ['module', 'tables'].map((kind) => `src/modules/${module}/${module}.${kind}.ts`)

    const added = addedTo(moduleFile!)
    assert.ok(added.includes(`import { testGadgetPresenter } from './${directory}/test-gadget.presenter.ts'`))
    assert.ok(added.includes('await app.register(testGadgetsRoutes)'))
    assert.match(edited.get(moduleFile!)!, /eventPresenters: \[\s*testGadgetPresenter(\]|, *(\n|\w|\.\.\.\w+\]))/)
    const tables = edited.has(tablesFile!) ? addedTo(tablesFile!) : added
    const rules = `'${schema}.test_gadgets': { export: 'full', clean: 'business', audit_label: 'name' },`
    assert.ok(tables.includes(rules))
    const events = created.get(`src/modules/${module}/${directory}/test-gadget.events.ts`)!
    for (const verb of ['created', 'updated', 'deleted']) assert.ok(events.includes(`'test_gadget.${verb}'`))
    assert.deepEqual(addedTo(`src/modules/${module}/${module}.events.ts`), [
      `export * from './${directory}/test-gadget.events.ts'`,
    ])
    assert.deepEqual(tooLong, [])
  })

test('the examples of the docs can be created', () => {
  const examples = ['CONTRIBUTING.md', 'README.md'].flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/new:resource --.*?(?:such as|for example) `(\S+) (\S+)`/g),
  ])

  assert.equal(examples.length, 2)
  for (const [, location, plural] of examples) assert.deepEqual(planIn(location!, plural!).tooLong, [])
})

test('a resource that cannot be created is refused', () => {
  const plan = (location: string, plural: string) => () => planResource(root, { location, plural })

  assert.throws(plan('sales', 'notes'), /The module "sales" does not exist. The modules are coaching, community, crm, /)
  assert.throws(plan('crm', 'notes'), /must be in an area of crm: crm\/records, crm\/people, /)
  assert.throws(plan('crm/sales', 'notes'), /must be in an area of crm/)
  assert.throws(plan('email/queue', 'notes'), { message: 'The module email has no areas.' })
  for (const name of ['Notes', 'test_widgets', '../notes', 'notes2', '', '-notes'])
    assert.throws(plan('crm/work', name), /must have at most 30 lower-case letters/)
  assert.throws(plan('crm/work', 'lead-status'), /"lead-status" must be a plural.*--singular/)
  assert.throws(plan('crm/work', 'classes'), /"class" is used by the language/)
  assert.throws(plan('identity/workspace', 'teams'), {
    message: 'The folder src/modules/identity/workspace/teams already exists.',
  })
  assert.throws(plan('crm/work', 'quotes'), /scopes\.ts already has the resource quotes/)
  assert.throws(plan('crm/work', 'email-events'), /already has the table crm\.email_events/)
  assert.throws(plan('crm/work', 'companies'), /fixtures\.ts already has the group companies/)
})
