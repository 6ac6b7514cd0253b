import type { ResourceNames } from './resource-names.ts'

/** An edit of an existing file: inserts `text` where `pattern` ends, or before it. */
export type Edit = { file: string; pattern: RegExp; text: string; isBefore?: true }

/** Lists the edits that register a resource. `read` returns the text of a file, or undefined if it does not exist. */
export function listRegistrations(names: ResourceNames, read: (file: string) => string | undefined): Edit[] {
  const moduleFile = `src/modules/${names.module}/${names.module}.module.ts`
  return [
    ...listModuleEdits(names, moduleFile, read),
    ...listScopeEdits(names),
    ...listMatrixEdits(names),
    ...listLockEdits(names, read),
    {
      file: 'src/modules/operations/webhook-payloads/presented-records.fixture.ts',
      pattern: /^\}\n(?![\s\S])/m,
      isBefore: true,
      text:
        `  ${names.snake}: crmRecord('${names.path}/', (acme) =>\n` +
        `    post(acme.manager, '${names.path}/', { name: \`Example \${++count}\` }),\n  ),\n`,
    },
    listLayerEdit(names),
  ]
}

/** Adds the folder as the highest layer of its area or module. */
function listLayerEdit({ module, directory, folder }: ResourceNames): Edit {
  const [area] = directory === folder ? [] : directory.split('/')
  const indent = area ? 6 : 4
  const start = area ? `${module}: \\{\\n(?: {4}.*\\n)*? {4}'?${area}'?` : module
  return {
    file: 'src/testing/module-layers.ts',
    pattern: new RegExp(`^ {2}${start}: \\[(?:\\n(?: {${indent}}.*\\n)*)?`, 'm'),
    text: `${' '.repeat(indent)}['${folder}'],\n`,
  }
}

function listModuleEdits(names: ResourceNames, moduleFile: string, read: (file: string) => string | undefined): Edit[] {
  const { module, schema, folder, directory, table, singular, plural, file } = names
  const tablesFile = `src/modules/${module}/${module}.tables.ts`
  const rules = `'${schema}.${table}': { export: 'full', clean: 'business', audit_label: 'name' },\n`
  return [
    {
      file: `src/modules/${module}/${module}.events.ts`,
      pattern: /(?![\s\S])/,
      text: `export * from './${directory}/${file}.events.ts'\n`,
    },
    read(tablesFile) === undefined
      ? { file: moduleFile, pattern: /^ {2}tables: \{\n/m, text: `    ${rules}` }
      : { file: tablesFile, pattern: /^\}\n(?![\s\S])/m, isBefore: true, text: `  ${rules}` },
    {
      file: moduleFile,
      pattern: /^import /m,
      isBefore: true,
      text:
        `import { ${singular}Presenter } from './${directory}/${file}.presenter.ts'\n` +
        `import { ${plural}Routes } from './${directory}/${folder}.routes.ts'\n`,
    },
    {
      file: moduleFile,
      pattern: /^ {2}\},\n {2}tables:/m,
      isBefore: true,
      text: `    await app.register(${plural}Routes)\n`,
    },
    ...listPresenterEdits(moduleFile, `${singular}Presenter`, read(moduleFile) ?? ''),
  ]
}

/** Adds a presenter to a list, to a list with a name, or as the first one. */
function listPresenterEdits(file: string, presenter: string, text: string): Edit[] {
  const list = text.match(/^ {2}eventPresenters: (\w+),$/m)?.[1]
  if (list)
    return [
      { file, pattern: /^ {2}eventPresenters: (?=\w+,$)/m, text: `[${presenter}, ...` },
      { file, pattern: new RegExp(`\\.\\.\\.${list}(?=,$)`, 'm'), text: ']' },
    ]
  return text.includes('\n  eventPresenters: [')
    ? [{ file, pattern: /^ {2}eventPresenters: \[/m, text: `${presenter}, ` }]
    : [{ file, pattern: /^ {2}events: .*\n/m, text: `  eventPresenters: [${presenter}],\n` }]
}

/** Members can read and write, managers can also delete, as for most resources of the workspace. */
function listScopeEdits({ table, labels, path }: ResourceNames): Edit[] {
  const scopes = 'src/platform/access/scopes.ts'
  return [
    {
      file: scopes,
      pattern: /^\} as const\n\nexport type Resource/m,
      isBefore: true,
      text: `  ${table}: '${labels}',\n`,
    },
    {
      file: scopes,
      pattern: /^\} satisfies Record<string, Resource>/m,
      isBefore: true,
      text: `  '${path}': '${table}',\n`,
    },
    {
      file: 'src/platform/access/roles.ts',
      pattern: /^\}\nconst letters/m,
      isBefore: true,
      text: `  ${table}: { manager: 'RWD', member: 'RW', viewer: 'R' },\n`,
    },
  ]
}

function listMatrixEdits({ module, folder, table, plural, path }: ResourceNames): Edit[] {
  const permissions = 'tests/matrix/permissions.ts'
  const fixtures = 'tests/matrix/fixtures.ts'
  return [
    {
      file: permissions,
      pattern: /^const addedPermissions: .* = \{/m,
      text: `\n  ${table}: ['RWD', 'RW', 'R'],`,
    },
    {
      file: permissions,
      pattern: /^\}\n\nexport const contractResources/m,
      isBefore: true,
      text: `  '${path}': '${table}',\n`,
    },
    {
      file: fixtures,
      pattern: /^import \{/m,
      isBefore: true,
      text: `import { ${plural} } from './fixtures/${module}/${folder}.fixture.ts'\n`,
    },
    { file: fixtures, pattern: /^\]\n\nexport const fixtures/m, isBefore: true, text: `  ${plural},\n` },
  ]
}

/** Adds the lock of a record as the last one of the lock order, where it waits for no other lock. */
function listLockEdits(
  { schema, table, labels, Singular }: ResourceNames,
  read: (file: string) => string | undefined,
): Edit[] {
  const kinds = 'src/testing/lock-kinds.ts'
  const numbers = [...(read(kinds) ?? '').matchAll(/^ {2}(?:rows|advisory)\((\d+),/gm)].map(([, no]) => Number(no))
  const no = Math.max(...numbers) + 1
  return [
    {
      file: kinds,
      pattern: /^\]\n(?![\s\S])/m,
      isBefore: true,
      text: `  rows(${no}, '${labels}', ['${schema}.${table}']),\n`,
    },
    {
      file: 'docs/architecture/lock-order.md',
      pattern: new RegExp(`^\\| ${no - 1} +\\|.*\\n`, 'm'),
      text: `| ${no}  | ${labels.padEnd(38)} | ${`rows of \`${schema}.${table}\``.padEnd(39)} | ${`\`lock${Singular}\``.padEnd(76)} |\n`,
    },
  ]
}
