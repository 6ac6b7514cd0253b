import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** `importsOf` returns the paths of the files that a file imports by a relative path. */
type Sources = { changed: readonly string[]; files: readonly string[]; importsOf(file: string): readonly string[] }

/** Paths that differ from the last commit, new files included. */
export function listChangedPaths(root: string): string[] {
  const list = (...flags: string[]) =>
    execFileSync('git', flags, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  return [...list('diff', '--name-only', 'HEAD'), ...list('ls-files', '--others', '--exclude-standard')]
}

export function readSources(root: string): Omit<Sources, 'changed'> {
  const files = globSync(['src/**/*.ts', 'tests/**/*.ts', 'web/src/**/*.{ts,tsx}'], { cwd: root })
  const importsOf = (file: string) => {
    const found = readFileSync(join(root, file), 'utf8').matchAll(/ from '(\.[^']+)'/g)
    return [...found].map(([, path]) => normalize(join(dirname(file), path!)))
  }
  return { files, importsOf }
}

/** Returns the test files of changed folders, then those of folders that import a changed file. */
export function findTestsOfChanges({ changed, files, importsOf }: Sources): string[] {
  const changedFiles = new Set(changed)
  const isTest = (file: string) => file.endsWith('.test.ts')
  const importing = files.filter((file) => importsOf(file).some((path) => changedFiles.has(path)))
  const folders = new Set([...changed, ...importing.filter(isTest), ...importing].map((file) => dirname(file)))
  const own = changed.filter((file) => isTest(file) && files.includes(file))
  const others = [...folders].flatMap((folder) => files.filter((file) => isTest(file) && dirname(file) === folder))
  return [...new Set([...own, ...others])]
}

/** Returns the longest start that the URLs of the routes in a file have in common, or undefined without a route. */
export function findCommonUrl(text: string): string | undefined {
  const urls = [...text.matchAll(/url: '([^']+)'/g)].map(([, url]) => url!)
  if (urls.length === 0) return undefined
  const [shortest] = urls.toSorted((one, other) => one.length - other.length)
  for (let length = shortest!.length; length > 0; length--)
    if (urls.every((url) => url.startsWith(shortest!.slice(0, length)))) return shortest!.slice(0, length)
  return undefined
}

/** Returns files from the start of the list until their usual duration reaches the limit. */
export function takeWithinSeconds(files: readonly string[], secondsOf: (file: string) => number, limit: number) {
  let sum = 0
  return files.filter((file) => {
    const fits = sum + secondsOf(file) <= limit
    if (fits) sum += secondsOf(file)
    return fits
  })
}
