import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { releaseAtEnd } from '../../../src/testing/process-end.ts'
import { keepEarlierBuilds } from '../../../web/kept-builds.ts'
import { readManifest } from '../built-files.ts'

const root = join(import.meta.dirname, '../../..')
const dist = join(root, 'web/dist')

/** The files of the current build without those of earlier ones. */
export function listBuiltFiles(manifest = readManifest()): string[] {
  const files = Object.values(manifest).flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets])
  return [...new Set(files)]
}

/** The files of the parts that the application loads later, whatever they are. */
export function listLazyFiles(): string[] {
  const manifest = readManifest()
  const keys = Object.values(manifest).flatMap(({ dynamicImports = [] }) => dynamicImports)
  return [...new Set(keys.map((key) => manifest[key]!.file))]
}

/** Makes folders with the current build, with the files of the next one added as a deploy does, and with the next one only. */
export async function createReleases(makeNext: (folder: string, names: readonly string[]) => Promise<string[]>) {
  const home = mkdtempSync(join(tmpdir(), 'tributary-releases-'))
  releaseAtEnd(async () => rmSync(home, { recursive: true }))
  const [first, kept, bare] = ['first', 'kept', 'bare'].map((name) => join(home, name)) as [string, string, string]
  const names = ['index.html', 'version.txt', ...listBuiltFiles()]
  copyFiles(dist, first, names)
  await keepEarlierBuilds(first, names, new Date())
  cpSync(first, kept, { recursive: true })
  const next = await makeNext(kept, names)
  copyFiles(kept, bare, next)
  return {
    first,
    kept,
    bare,
    same: next.filter((name) => name.endsWith('.js') && names.includes(name) && !isRuntime(name)),
  }
}

function copyFiles(from: string, to: string, names: readonly string[]): void {
  for (const name of names)
    for (const variant of [name, `${name}.gz`, `${name}.br`]) {
      if (existsSync(join(from, variant))) cpSync(join(from, variant), join(to, variant))
    }
}

/** The file of the bundler does not contain our code. */
const isRuntime = (name: string): boolean => name.includes('/rolldown-runtime-')

const hash = /-[\w-]{7}(?=\.(?:js|css)\b)/g
const reverse = (text: string): string => `-${[...text.slice(1)].reverse().join('')}`

/** Stands for a build of a changed source: the same files with other names. */
export async function renameFiles(folder: string, names: readonly string[]): Promise<string[]> {
  const rename = (text: string) => text.replaceAll(hash, reverse)
  const isText = (name: string) => /\.(js|css|html)$/.test(name)
  const next = names.map((name) => (isText(name) ? rename(name) : name))
  for (const [at, name] of names.entries()) {
    if (!isText(name)) continue
    const text = await readFile(join(folder, name), 'utf8')
    for (const variant of ['gz', 'br']) rmSync(join(folder, `${next[at]}.${variant}`), { force: true })
    await writeFile(join(folder, next[at]!), rename(text))
  }
  await keepEarlierBuilds(folder, next, new Date())
  return next
}

/** Builds a copy of the sources in which every file is changed, over the files of the build before. */
export async function buildChanged(folder: string): Promise<string[]> {
  const copy = join(folder, '../sources')
  for (const path of [
    'web/src',
    'web/index.html',
    ...globSync('web/*.{ts,json}', { cwd: root }),
    'package.json',
    'tsconfig.json',
  ])
    cpSync(join(root, path), join(copy, path), { recursive: true })
  cpSync(join(root, 'src/platform/html'), join(copy, 'src/platform/html'), { recursive: true })
  for (const path of ['node_modules', 'web/node_modules']) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    symlinkSync(join(root, path), join(copy, path))
  }
  for (const file of globSync('web/src/**/*.{ts,tsx}', { cwd: copy, exclude: ['**/*.d.ts'] }))
    appendFileSync(join(copy, file), `\nObject.assign(globalThis, { release: '${basename(file)}' })\n`)
  for (const file of globSync('web/src/**/*.css', { cwd: copy }))
    appendFileSync(join(copy, file), '\n:root { --release: second; }\n')
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', '--config', 'web/vite.config.ts', '--outDir', folder, '--logLevel', 'warn']
  execFileSync(process.execPath, args, { cwd: copy, stdio: 'inherit' })
  return [
    'index.html',
    'version.txt',
    ...listBuiltFiles(JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8'))),
  ]
}
