import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { buildWeb, isWebOutdated } from '../../src/dev/build-web.ts'
import { readApplicationFiles } from '../../src/platform/http/application/application-files.ts'
import { keepEarlierBuilds } from '../../web/kept-builds.ts'
import { compressedSize, filesOf, readManifest, sumSizes } from './built-files.ts'

if (isWebOutdated()) buildWeb()
const manifest = readManifest()
const kB = 1_000
const main = Object.keys(manifest).find((key) => manifest[key]!.name === 'main')!
const shell = [...filesOf(manifest, 'index.html'), ...filesOf(manifest, main)]
const firstLoad = [...shell, ...filesOf(manifest, 'src/areas/leads/list/leads-page.tsx')]
const idle = [
  'src/app/banners.tsx',
  'src/ui/menu-popup.tsx',
  'src/app/command-menu/command-menu.tsx',
  'src/app/session-dialogs.tsx',
  'src/app/reauthentication-dialog.tsx',
  'src/app/shortcuts-dialog.tsx',
  'src/app/task-strip.tsx',
].flatMap((key) => filesOf(manifest, key))

test('the first script is at most 2.8 kB, the shell 132 kB and the files until the first leads 150 kB', () => {
  const boot = compressedSize(manifest['index.html']!.file)
  const sizes = { shell: sumSizes(shell, '.js'), firstLoad: sumSizes(firstLoad, '.js') }

  assert.ok(boot <= 2.8 * kB, `first script: ${boot} bytes`)
  assert.ok(sizes.shell <= 132 * kB, `shell: ${sizes.shell} bytes`)
  assert.ok(sizes.firstLoad <= 150 * kB, `until the first leads: ${sizes.firstLoad} bytes`)
})

test('the shell is in few files and contains no page', () => {
  const scripts = [...new Set(firstLoad)].filter((file) => file.endsWith('.js'))
  const pages = Object.keys(manifest).filter((key) => /-page\.tsx$/.test(key))

  assert.ok(scripts.length <= 8, scripts.join())
  assert.ok(pages.length > 5)
  assert.deepEqual(
    pages.filter((page) => shell.includes(manifest[page]!.file)),
    [],
  )
})

test('German texts are one file of at most 20 kB that English pages do not load', (context) => {
  const german = filesOf(manifest, 'src/texts/de/index.ts')
  const size = sumSizes(german, '.js')

  context.diagnostic(`first load in German ${sumSizes([...firstLoad, ...german], '.js')}, German texts ${size} bytes`)
  assert.deepEqual(
    german.filter((file) => shell.includes(file) || firstLoad.includes(file)),
    [],
  )
  assert.ok(size <= 20 * kB, `${size} bytes`)
})

test('the components that load when the page is idle are at most 60 kB', (context) => {
  const scripts = sumSizes(new Set(idle).difference(new Set(firstLoad)), '.js')

  context.diagnostic(`shell ${sumSizes(shell, '.js')}, first load ${sumSizes(firstLoad, '.js')}, idle ${scripts} bytes`)
  assert.ok(scripts <= 60 * kB, `${scripts} bytes`)
})

test('the styles of the first load are at most 12 kB and the font at most 50 kB', () => {
  const styles = sumSizes(firstLoad, '.css')
  const fonts = Object.values(manifest).filter(({ file }) => /inter-latin-wght.*\.woff2$/.test(file))

  assert.ok(styles <= 12 * kB, `styles: ${styles} bytes`)
  assert.equal(fonts.length, 1)
  assert.ok(compressedSize(fonts[0]!.file) <= 50 * kB)
})

test('every other page adds at most 40 kB of scripts', () => {
  const known = new Set([...shell, ...idle])
  const pages = Object.keys(manifest).filter((key) => /^src\/(areas|app)\/.*-(page|dialog|panel)\.tsx$/.test(key))

  const sizes = pages.map((page) => ({
    page,
    size: sumSizes(new Set(filesOf(manifest, page)).difference(known), '.js'),
  }))
  assert.ok(pages.length > 0)
  assert.deepEqual(
    sizes.filter(({ size }) => size > 40 * kB),
    [],
  )
})

test('the files of earlier builds are served for a week after they were replaced', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-builds-'))
  after(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'assets'))
  const day = (number: number) => new Date(Date.UTC(2026, 10, number))
  const build = async (on: Date, ...names: string[]) => {
    const files = ['index.html', ...names.flatMap((name) => [`assets/${name}`, `assets/${name}.gz`])]
    for (const file of files) await writeFile(join(folder, file), file)
    await keepEarlierBuilds(folder, ['index.html', ...names.map((name) => `assets/${name}`)], on)
    return [...(await readApplicationFiles(folder))!.byName.keys()].sort()
  }

  const first = await build(day(1), 'main-1.js', 'panel-1.js', 'icon.svg')
  const second = await build(day(20), 'main-2.js', 'panel-2.js', 'icon.svg')
  const same = await build(day(21), 'main-2.js', 'panel-2.js', 'icon.svg')
  const third = await build(day(28), 'main-3.js', 'panel-2.js', 'icon.svg')

  assert.deepEqual(first, ['icon.svg', 'main-1.js', 'panel-1.js'])
  assert.deepEqual(second, ['icon.svg', 'main-1.js', 'main-2.js', 'panel-1.js', 'panel-2.js'])
  assert.deepEqual(same, second)
  assert.deepEqual(third, ['icon.svg', 'main-2.js', 'main-3.js', 'panel-2.js'])
})
