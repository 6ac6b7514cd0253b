// Source files with their imports, for tests about the structure of the code.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const isTypeOnly = (names: string) =>
  /^\s*type\b/.test(names) ||
  (/^\s*\{/.test(names) &&
    names
      .replace(/[{}]/g, '')
      .split(',')
      .filter((name) => name.trim())
      .every((name) => /^\s*type\b/.test(name)))

const root = join(import.meta.dirname, '../..')
export const sourceFiles = globSync('src/**/*.ts', { cwd: root }).map((path) => {
  const text = readFileSync(join(root, path), 'utf8')
  const statements = [
    ...text.matchAll(/(?:import|export)([^'"]*?)from '([^']+)'|import\('([^']+)'\)|^import '([^']+)'/gm),
  ]
  const imports = statements.map(([, , from, dynamic, bare]) => (from ?? dynamic ?? bare)!)
  // Type-only imports are allowed.
  const runtimeImports = statements
    .filter(([, names = '']) => !isTypeOnly(names))
    .map(([, , from, dynamic, bare]) => (from ?? dynamic ?? bare)!)
  return { path, text, imports, runtimeImports, isTest: /\.(test|stand-in|fixture)\.ts$/.test(path) }
})
/** Files without tests and what only tests use. */
export const productFiles = sourceFiles.filter(({ isTest, path }) => !isTest && !path.startsWith('src/testing/'))

export const moduleOf = (path: string) => path.match(/^src\/modules\/([^/]+)/)?.[1]

export const targetOf = (path: string, specifier: string) =>
  specifier.startsWith('.')
    ? join(dirname(path), specifier)
    : specifier.replace(/^#(events|rules)\/(.*)/, 'src/modules/$2/$2.$1.ts').replace(/^#(.*)/, 'src/$1/index.ts')
