import type { SourceFile } from './registrations.ts'

type TableOwner = { name: string; uses: readonly string[]; tables: object; reads?: readonly string[] }
type Access = { table: string; isWrite: boolean }

const platform = 'platform'
const writing = 'insert into|update|delete from|merge into'

/**
 * Finds statements of modules and of the platform that write tables of another owner, or read them without declaring it.
 * `tables` contains every table. A table belongs to the module that registers it, one of the schema `platform` to the platform.
 */
export function findForeignTables(
  files: readonly SourceFile[],
  modules: readonly TableOwner[],
  tables: ReadonlySet<string>,
): string[] {
  const ownerOf = createOwnerOf(modules)
  const found = files.flatMap(({ path, text }) => {
    const owner = moduleOf(path)
    if (!owner) return []
    const { reads = [] } = modules.find(({ name }) => name === owner) ?? {}
    return listAccesses({ path, text }, tables)
      .filter(({ table, isWrite }) => ownerOf(table) !== owner && (isWrite || !reads.includes(table)))
      .map(({ table, isWrite }) => `${path} ${isWrite ? 'writes' : 'reads'} ${table} of ${ownerOf(table)}`)
  })
  return [...new Set(found)]
}

/** Finds declared reads of tables that no statement of the module uses, or whose owner the module may not use. */
export function findWrongReads(
  files: readonly SourceFile[],
  modules: readonly TableOwner[],
  tables: ReadonlySet<string>,
): string[] {
  const ownerOf = createOwnerOf(modules)
  return modules.flatMap(({ name, uses, reads = [] }) => {
    const own = files.filter(({ path }) => moduleOf(path) === name)
    const used = new Set(own.flatMap((file) => listAccesses(file, tables).map(({ table }) => table)))
    return reads.flatMap((table) => {
      if (![platform, ...uses].includes(ownerOf(table))) return [`${name} may not use ${ownerOf(table)}: ${table}`]
      return used.has(table) ? [] : [`No statement of ${name} reads ${table}`]
    })
  })
}

const moduleOf = (path: string): string | undefined =>
  path.startsWith('src/platform/') ? platform : path.match(/^src\/modules\/([^/]+)/)?.[1]

/** Tables without a workspace are registered by no module and belong to the module with the name of their schema. */
const createOwnerOf = (modules: readonly TableOwner[]) => (table: string) => {
  const [schema] = table.split('.')
  return schema === platform ? platform : (modules.find(({ tables }) => table in tables)?.name ?? schema!)
}

/** Lists the tables that a file names: in a statement, or in a string that becomes a part of one. */
function listAccesses({ path, text: source }: SourceFile, tables: ReadonlySet<string>): Access[] {
  const text = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const isStatement = path.endsWith('.queries.ts')
  const writesVariable = isStatement && new RegExp(`\\b(?:${writing})\\s+\\$\\{`).test(text)
  const writes = new RegExp(`\\b(?:${writing})\\s+$|\\.(?:insertInto|updateTable|deleteFrom|mergeInto)\\(\\s*'$`)
  return [...text.matchAll(/\b[a-z]+\.[a-z_]+\b/g)]
    .filter(([table]) => tables.has(table))
    .flatMap(({ 0: table, index }) => {
      const [before, after] = [text.slice(Math.max(index - 40, 0), index), text.slice(index + table.length)]
      const isName = before.endsWith("'") && after.startsWith("'")
      if (!isStatement && (!isName || after.startsWith("':"))) return []
      return [{ table, isWrite: writes.test(before) || (isName && writesVariable) }]
    })
}
