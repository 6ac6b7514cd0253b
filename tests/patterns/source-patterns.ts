import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { readSourceFiles } from '../language/source-files.ts'
import { builtPatterns } from './built-patterns.ts'

/** A regular expression as `/source/flags`, without flags that do not affect the time of a match. */
export type Pattern = { key: string; source: string; flags: string; where: string }

const root = join(import.meta.dirname, '../..')
const isProduct = (path: string) => !path.startsWith('src/testing/') && !/\.(test|fixture|stand-in)\.tsx?$/.test(path)
const mayHavePattern = /[=(,:[!&|?{};\s>]\/(?![*/])|RegExp\(|\bpattern:/

/** Lists the regular expressions of the product and of its pages, including those in schemas, each once. */
export function listPatterns(): { patterns: Pattern[]; unlisted: string[] } {
  const found: Pattern[] = []
  const unlisted: string[] = []
  for (const { path, lines } of readSourceFiles(['src/**/*.{ts,js}', 'web/src/**/*.{ts,tsx}'])) {
    const text = lines.join('\n')
    if (!isProduct(path) || !mayHavePattern.test(text)) continue
    collectPatterns(path, text, found, unlisted)
  }
  for (const source of listSchemaPatterns()) found.push(toPattern(source, 'u', 'docs/openapi.json'))
  return { patterns: [...new Map(found.map((pattern) => [pattern.key, pattern])).values()], unlisted }
}

function collectPatterns(path: string, text: string, found: Pattern[], unlisted: string[]): void {
  const built = [...(builtPatterns[path] ?? [])]
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : undefined
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind)
  const visit = (node: ts.Node): void => {
    const where = () => `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      found.push(toPattern(node.text.slice(1, end), node.text.slice(end + 1), where()))
    } else if (isConstruction(node, file)) {
      const sample = built.shift()
      if (sample) found.push(toPattern(sample.source, sample.flags, where()))
      else unlisted.push(where())
    } else if (isSchemaPattern(node, file)) found.push(toPattern(node.initializer.text, 'u', where()))
    ts.forEachChild(node, visit)
  }
  visit(file)
}

const isConstruction = (node: ts.Node, file: ts.SourceFile): node is ts.NewExpression | ts.CallExpression =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(file) === 'RegExp'

const isSchemaPattern = (
  node: ts.Node,
  file: ts.SourceFile,
): node is ts.PropertyAssignment & { initializer: ts.StringLiteral } =>
  ts.isPropertyAssignment(node) && node.name.getText(file) === 'pattern' && ts.isStringLiteral(node.initializer)

/** Patterns that are composed of others are complete only in the OpenAPI document. */
function listSchemaPatterns(): Set<string> {
  const patterns = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('pattern' in value && typeof value.pattern === 'string') patterns.add(value.pattern)
    for (const inner of Object.values(value)) visit(inner)
  }
  visit(JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')))
  return patterns
}

/** A sticky pattern is tried at one position only, as if it began with `^`. */
function toPattern(text: string, flags: string, where: string): Pattern {
  const source = flags.includes('y') ? `^(?:${text})` : text
  const kept = flags.replace(/[dgy]/g, '')
  return { key: `/${source}/${kept}`, source, flags: kept, where }
}
