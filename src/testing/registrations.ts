import type { DomainEvent } from '#platform/outbox'

export type SourceFile = { path: string; text: string }

const scopesFile = 'src/platform/access/scopes.ts'
const rolesFile = 'src/platform/access/roles.ts'
const permissionsFile = 'tests/matrix/permissions.ts'
const presentedRecordsFile = 'src/modules/operations/webhook-payloads/presented-records.fixture.ts'

const moduleOf = (path: string) => path.match(/^src\/modules\/([^/]+)/)?.[1]
const missingFrom = (names: ReadonlySet<string>, others: ReadonlySet<string>) => [...names.difference(others)]

/** Finds tables of migrations that no module registers. `files` contains migrations and the tables files of the modules. */
export function findUnregisteredTables(files: readonly SourceFile[], registered: ReadonlySet<string>): string[] {
  const created = files.flatMap(({ path, text }) =>
    [...text.matchAll(/create table (\w+\.\w+)\s*\(/g)].map(([, table]) => ({ path, table: table! })),
  )
  return created
    .filter(({ table }) => !registered.has(table))
    .map(({ path, table }) => `${path} creates ${table}: register it in ${tablesFileOf(table, files)}`)
}

function tablesFileOf(table: string, files: readonly SourceFile[]): string {
  const [schema] = table.split('.')
  if (schema === 'platform') return 'src/platform/module/tables.ts'
  const tablesFiles = files.filter(({ path, text }) => path.endsWith('.tables.ts') && text.includes(`'${schema}.`))
  return tablesFiles
    .map(({ path }) => path)
    .sort()
    .join(' or ')
}

/** Finds routes without a row in the matrix. Routes with a computed URL are found by the matrix only. */
export function findRoutesWithoutFixture(routeFiles: readonly SourceFile[], fixtureFiles: readonly SourceFile[]) {
  return routeFiles.flatMap(({ path, text }) =>
    [...text.matchAll(/method: '(\w+)',\s+url: '([^']+)'/g)]
      .map(([, method, url]) => `${method} ${url}`)
      .filter((route) => !fixtureFiles.some((fixtures) => fixtures.text.includes(`'${route}'`)))
      .map((route) => `${path} has ${route}: add it to its group in tests/matrix/fixtures/`),
  )
}

/** Finds resources and paths that one of the lists of resources lacks. */
export function findUnregisteredScopes(files: readonly SourceFile[]): string[] {
  const textOf = (wanted: string) => files.find(({ path }) => path === wanted)?.text ?? ''
  const used = files
    .filter(({ path }) => path.endsWith('.routes.ts'))
    .flatMap(({ text }) => [...text.matchAll(/scope: '(\w+)\.\w+'/g)].map(([, resource]) => resource!))
  const lists = [
    { file: scopesFile, list: 'resourceNames' },
    { file: rolesFile, list: 'rights' },
    { file: permissionsFile, list: 'addedPermissions', others: 'permissions' },
  ].map(({ file, list, others }) => {
    const text = textOf(file)
    return { file, list, names: namesIn(text, list).union(others ? namesIn(text, others) : new Set<string>()) }
  })
  const resources = new Set([...used, ...lists.flatMap(({ names }) => [...names])])
  const prefixes = new Set([...pathsIn(textOf(scopesFile)), ...pathsIn(textOf(permissionsFile))])
  return [
    ...lists.flatMap(({ file, list, names }) =>
      missingFrom(resources, names).map((resource) => `The resource ${resource} is not in ${list} of ${file}`),
    ),
    ...[scopesFile, permissionsFile].flatMap((file) =>
      missingFrom(prefixes, pathsIn(textOf(file))).map((path) => `${path} is not in resourceByPrefix of ${file}`),
    ),
  ]
}

function namesIn(text: string, list: string): Set<string> {
  const [, block = ''] = text.match(new RegExp(`^const ${list}\\b[^\\n]*= \\{\\n([\\s\\S]*?)\\n\\}`, 'm')) ?? []
  return new Set([...block.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name!))
}

const pathsIn = (text: string) => new Set([...text.matchAll(/^ {2}'(\/[^']+)': '\w+',$/gm)].map(([, path]) => path!))

/** Finds events that their module does not register, because it registers the exports of its events file. */
export function findUnregisteredEvents(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const module = moduleOf(path)
    const eventsFile = `src/modules/${module}/${module}.events.ts`
    const reexport = `export * from '${path.replace(/^src\/modules\/[^/]+/, '.')}'`
    const isEventsFile =
      path === eventsFile || files.some((file) => file.path === eventsFile && file.text.includes(reexport))
    return [...text.matchAll(/^(.*)\bdefineEvent\(\s*'([^']+)'/gm)]
      .filter(([, start]) => !isEventsFile || !start!.startsWith('export '))
      .map(([, , type]) => `${path} defines ${type}: export it from ${eventsFile}`)
  })
}

type PresentedEvents = {
  events: readonly Pick<DomainEvent, 'type'>[]
  presenters: readonly { subjectType: string }[]
  withoutRecord: Record<string, string>
}

export function findEventsWithoutPresenter(module: string, { events, presenters, withoutRecord }: PresentedEvents) {
  const presented = new Set([...presenters.map(({ subjectType }) => subjectType), ...Object.keys(withoutRecord)])
  const subjectTypes = new Set(events.map(({ type }) => type.split('.')[0]!))
  return missingFrom(subjectTypes, presented).map(
    (subjectType) =>
      `Events of ${subjectType} have no presenter: add one to eventPresenters of src/modules/${module}/${module}.module.ts ` +
      `and a record to ${presentedRecordsFile}`,
  )
}
