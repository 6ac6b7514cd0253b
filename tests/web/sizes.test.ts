import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildWeb, isWebOutdated } from '../../src/dev/build-web.ts'
import { replaceImports } from '../../web/inline-access.ts'
import { compressedSize, filesOf, readManifest, sumSizes } from './built-files.ts'

if (isWebOutdated()) buildWeb()
const manifest = readManifest()
const kB = 1_000
const keyOf = (name: string): string | undefined => Object.keys(manifest).find((key) => manifest[key]!.name === name)
const boot = keyOf('boot')!
const shell = ['index.html', boot, keyOf('main')!].flatMap((key) => filesOf(manifest, key))
const firstLoad = [...shell, ...filesOf(manifest, 'src/areas/leads/list/leads-page.tsx')]
const idle = [
  'src/app/banners.tsx',
  'src/ui/menu-popup.tsx',
  'src/app/user-menu-popup.tsx',
  'src/app/command-menu/command-menu.tsx',
  'src/app/session-dialogs.tsx',
  'src/app/reauthentication-dialog.tsx',
  'src/app/shortcuts-dialog.tsx',
  'src/app/task-strip.tsx',
].flatMap((key) => filesOf(manifest, key))

test('the first script is at most 2.8 kB, the shell 132 kB and the files until the first leads 150 kB', () => {
  const sizes = {
    boot: compressedSize(manifest[boot]!.file),
    shell: sumSizes(shell, '.js'),
    firstLoad: sumSizes(firstLoad, '.js'),
  }

  assert.ok(sizes.boot <= 2.8 * kB, `first script: ${sizes.boot} bytes`)
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

// One file for all pages: parts that load later read their texts from it at once. It is loaded beside the first script.
test('German texts are one file of at most 46 kB that English pages do not load', (context) => {
  const german = filesOf(manifest, 'src/texts/de/index.ts')
  const size = sumSizes(german, '.js')

  context.diagnostic(`first load in German ${sumSizes([...firstLoad, ...german], '.js')}, German texts ${size} bytes`)
  assert.deepEqual(
    german.filter((file) => shell.includes(file) || firstLoad.includes(file)),
    [],
  )
  assert.ok(size <= 46 * kB, `${size} bytes`)
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

test('a module contains the access constants that it imports', () => {
  const code = "import {\n  createTeam,\n  undoLeadMerge,\n} from '../api/access.gen.ts'\nuse(createTeam)"

  assert.equal(
    replaceImports(code),
    'const createTeam = {"scopes":["teams.write"],"roles":[]};' +
      'const undoLeadMerge = {"scopes":["leads.write"],"roles":["manager","admin"]}\n\n\n\nuse(createTeam)',
  )
  assert.throws(() => replaceImports("import { sendMoney } from './api/access.gen.ts'"), /sendMoney is not/)
})

for (const [name, limit] of Object.entries({ charts: 20, 'rule-builder': 15 }))
  test(`the file ${name} has at most ${limit} kB`, { skip: !keyOf(name) && 'no page has it' }, (context) => {
    const size = compressedSize(manifest[keyOf(name)!]!.file)

    context.diagnostic(`${name} ${size} bytes`)
    assert.ok(size <= limit * kB, `${size} bytes`)
  })
