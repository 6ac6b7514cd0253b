import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { areasOf } from '../../src/testing/module-layers.ts'
import { type Edit, listRegistrations } from './registrations.ts'
import { deriveNames, type ResourceNames } from './resource-names.ts'

const templates = join(import.meta.dirname, 'templates')
const maxLines = 300

/** `location` is a module, or a module and one of its areas: `crm/work`. */
type NewResource = { location: string; plural: string; singular?: string }

/** Texts of new and of changed files, by path. */
type ResourcePlan = {
  names: ResourceNames
  created: Map<string, string>
  edited: Map<string, string>
  tooLong: string[]
}

/** Plans the files of a resource and the changes that register it. Writes nothing. */
export function planResource(root: string, { location, plural, singular }: NewResource): ResourcePlan {
  const read = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined)
  assertLocationExists(root, location)
  const names = deriveNames(location, plural, singular)
  assertUnused(root, names)

  const created = renderFiles(names, nextMigrationNumber(root))
  const edited = new Map<string, string>()
  for (const edit of listRegistrations(names, read))
    edited.set(edit.file, applyEdit(edit, edited.get(edit.file) ?? read(edit.file)))
  const tooLong = [...created, ...edited].filter(
    ([file, text]) => file.endsWith('.ts') && text.split('\n').length > maxLines + 1,
  )
  return { names, created, edited, tooLong: tooLong.map(([file]) => file) }
}

function assertLocationExists(root: string, location: string): void {
  const [module = '', area] = location.split('/')
  const modules = globSync('src/modules/*/*.module.ts', { cwd: root }).map((path) => path.split(/[\\/]/)[2]!)
  if (!modules.includes(module))
    throw new Error(`The module "${module}" does not exist. The modules are ${modules.sort().join(', ')}.`)
  const areas = areasOf(module)
  if (area ? !areas.includes(area) : areas.length)
    throw new Error(
      areas.length
        ? `The resource must be in an area of ${module}: ${areas.map((name) => `${module}/${name}`).join(', ')}.`
        : `The module ${module} has no areas.`,
    )
}

function assertUnused(
  root: string,
  { module, schema, directory, table, snake, Singular, plural, path }: ResourceNames,
): void {
  const target = `src/modules/${module}/${directory}`
  if (existsSync(join(root, target))) throw new Error(`The folder ${target} already exists.`)
  const uses = [
    { what: `the table ${schema}.${table}`, files: 'migrations/*', text: `create table ${schema}.${table} ` },
    {
      what: `the resource ${table}, possibly for a module of the contract`,
      files: 'src/platform/access/scopes.ts',
      text: `\n  ${table}: `,
    },
    { what: `the path ${path}`, files: 'src/platform/access/scopes.ts', text: `'${path}':` },
    { what: `events of ${snake}`, files: 'src/modules/*/*.events.ts', text: `defineEvent('${snake}.` },
    { what: `the schema ${Singular}`, files: 'src/modules/**/*.schemas.ts', text: `'${Singular}'` },
    { what: `the group ${plural}`, files: 'tests/matrix/fixtures.ts', text: `import { ${plural} }` },
    { what: `records of kind ${snake}`, files: 'tests/matrix/fixtures/**/*.ts', text: `\n    ${snake}: ` },
  ]
  for (const { what, files, text } of uses) {
    const file = globSync(files, { cwd: root }).find((path) => readFileSync(join(root, path), 'utf8').includes(text))
    if (file) throw new Error(`${file} already has ${what}. Choose another name.`)
  }
}

const nextMigrationNumber = (root: string): string => {
  const numbers = globSync('migrations/*', { cwd: root }).map((path) => Number(path.match(/(\d+)_/)?.[1] ?? 0))
  return String(Math.max(...numbers) + 1).padStart(4, '0')
}

function renderFiles(names: ResourceNames, migration: string): Map<string, string> {
  const { module, schema, folder, directory, file, table } = names
  const base = `src/modules/${module}/${directory}`
  const files: Record<string, string> = {
    [`migrations/${migration}_${schema}_${table}.sql`]: 'migration.sql',
    [`${base}/${file}.events.ts`]: 'events.ts',
    [`${base}/${folder}.schemas.ts`]: 'schemas.ts',
    [`${base}/${folder}.queries.ts`]: 'queries.ts',
    [`${base}/${folder}.service.ts`]: 'service.ts',
    [`${base}/${folder}.routes.ts`]: 'routes.ts',
    [`${base}/${file}.presenter.ts`]: 'presenter.ts',
    [`${base}/${folder}.test.ts`]: 'test.ts',
    [`${base}/${folder}.plans.test.ts`]: 'plans.test.ts',
    [`tests/matrix/fixtures/${module}/${folder}.fixture.ts`]: 'fixture.ts',
  }
  return new Map(Object.entries(files).map(([path, template]) => [path, renderTemplate(template, names)]))
}

function renderTemplate(template: string, names: ResourceNames): string {
  const text = readFileSync(join(templates, `${template}.template`), 'utf8')
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    const value = names[name as keyof ResourceNames]
    if (value === undefined) throw new Error(`The template ${template} has the unknown placeholder ${placeholder}.`)
    return value
  })
}

function applyEdit({ file, pattern, text, isBefore }: Edit, current: string | undefined): string {
  if (current === undefined) throw new Error(`${file} does not exist, so the resource cannot be registered there.`)
  const match = pattern.exec(current)
  if (!match)
    throw new Error(`${file} has no place that matches ${pattern}, so the resource cannot be registered there.`)
  const position = match.index + (isBefore ? 0 : match[0].length)
  return `${current.slice(0, position)}${text}${current.slice(position)}`
}
