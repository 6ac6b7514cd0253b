import type { SourceFile } from './registrations.ts'

type SourceFunction = { path: string; name: string; body: string }

const recordsChange = /\b(recordAudit|recordAuditEntries|emit|emitMany)\(/
const writesRows =
  /\.(insertInto|updateTable|deleteFrom|mergeInto)\(|\b(insert into|delete from|merge into) \w+\.|\bupdate \w+\.\w+ /

/**
 * Finds operations that write rows and neither record an audit entry nor emit an event, themselves or in the functions they
 * use. An operation is the function with the name of the `operationId` of a route.
 */
export function findUnrecordedChanges(files: readonly SourceFile[]): string[] {
  const functions = files.flatMap(listFunctions)
  const byName = Map.groupBy(functions, ({ name }) => name)
  const importsOf = new Map(files.map(({ path, text }) => [path, listImports(text)]))

  const isReached = (from: SourceFunction, pattern: RegExp, seen = new Set<SourceFunction>()): boolean => {
    if (seen.has(from)) return false
    seen.add(from)
    if (pattern.test(from.body)) return true
    const used = [...new Set(from.body.match(/\b[a-z]\w+\b/g))].flatMap((name) => byName.get(name) ?? [])
    return used.some(
      (next) => (next.path === from.path || importsOf.get(from.path)?.has(next.name)) && isReached(next, pattern, seen),
    )
  }

  const operations = files
    .flatMap(({ path, text }) => listChangeOperations(text).map((name) => ({ path, name })))
    .flatMap(({ path, name }) => (byName.get(name) ?? []).filter((found) => found.path !== path))
  return operations
    .filter((operation) => isReached(operation, writesRows) && !isReached(operation, recordsChange))
    .map(({ path, name }) => `${path}: ${name} changes rows and must call recordAudit and emit`)
}

const listChangeOperations = (text: string): string[] =>
  [...text.matchAll(/method: '(?:POST|PUT|PATCH|DELETE)',[\s\S]*?operationId: '(\w+)'/g)].map(([, name]) => name!)

function listFunctions({ path, text }: SourceFile): SourceFunction[] {
  const starts = [...text.matchAll(/^(?:export )?(?:async )?(?:function|const) (\w+)/gm)]
  return starts.map((start, index) => ({
    path,
    name: start[1]!,
    body: text.slice(start.index + start[0].length, starts[index + 1]?.index),
  }))
}

const listImports = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/^import \{([^}]*)\} from/gm)].flatMap(([, names]) =>
      names!.split(',').map((name) => name.trim().split(' as ')[0]!),
    ),
  )
