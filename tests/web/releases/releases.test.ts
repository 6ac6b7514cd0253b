import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { readApplicationFiles } from '../../../src/platform/http/application/application-files.ts'
import { keepEarlierBuilds } from '../../../web/kept-builds.ts'
import { isNightly } from '../../nightly/is-nightly.ts'
import { createRecords, type Records } from '../screen-records.ts'
import { startWeb, waitForShell } from '../web-pages.ts'
import { lazyParts } from './lazy-parts.ts'
import { buildChanged, createReleases, listBuiltFiles, listLazyFiles, renameFiles } from './releases.ts'

const { tenant, openSignedIn, services } = await startWeb()
const releases = await createReleases(isNightly ? buildChanged : renameFiles)
const acme = await tenant()
const records = isNightly ? await createRecords(acme) : ({} as Records)
const served = { ...services.applicationFiles! }
after(() => Object.assign(services.applicationFiles!, served))

/** Serves the files of a folder from now on, as after a restart with another image. */
const deploy = async (folder: string) => Object.assign(services.applicationFiles!, await readApplicationFiles(folder))

/** These need no records. */
const shown = ['settings-page', 'list-states', 'menu-popup']
const failure = /could not be loaded/

/** Follows a path like a link, without loading the page again. */
const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)

test('a page that was opened before a deploy loads every lazy part after it', async (context) => {
  await deploy(releases.first)
  const { page, errors } = await openSignedIn(acme, acme.admin, { path: '/nowhere' })
  await deploy(releases.kept)
  assert.deepEqual(releases.same, [], 'These files have the same name in both releases.')

  for (const part of isNightly ? lazyParts : lazyParts.filter(({ file }) => shown.includes(file))) {
    await follow(page, part.path(records))
    await part.open?.(page)
    await part.shows(page).waitFor()
    assert.equal(await page.getByText(failure).count(), 0, part.file)
    for (let level = 0; level < 2; level++) await page.keyboard.press('Escape')
    await follow(page, '/nowhere')
    await page.getByText('This page does not exist').waitFor()
  }
  const lazy = listLazyFiles()
  const missing: string[] = await page.evaluate(`Promise.all(${JSON.stringify(lazy)}.map((file) =>
    import('/' + file).then(() => [], () => [file]))).then((found) => found.flat())`)
  const styles = listBuiltFiles().filter((file) => file.endsWith('.css'))
  const statuses = await Promise.all(styles.map(async (file) => (await acme.anonymous.get(`/${file}`)).status))

  context.diagnostic(`${lazy.length} lazy files, ${styles.length} styles`)
  assert.ok(lazy.length > 30)
  assert.deepEqual(missing, [])
  assert.deepEqual([...new Set(statuses)], [200])
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))")
  await page.getByRole('status').filter({ hasText: 'A new version is available.' }).waitFor()
  assert.deepEqual(errors, [])
})

if (isNightly)
  for (const part of lazyParts)
    test(`${part.file} fails alone if a deploy has removed its file`, async () => {
      await deploy(releases.bare)
      const { page, context } = await openSignedIn(acme, acme.admin, { path: '/nowhere' })
      await context.route(`**/assets/${part.file}-*.js`, (route) => route.fulfill({ status: 404 }))
      await page.reload()
      await waitForShell(page)

      await follow(page, part.path(records))
      await part.open?.(page)

      await page.getByText(failure).filter({ visible: true }).first().waitFor()
      await page.getByRole('button', { name: 'Reload' }).first().waitFor()
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
      await context.unrouteAll()
      await follow(page, '/nowhere')
      await page.getByText('This page does not exist').waitFor()
      await context.close()
    })

test('every component that is loaded later is a lazy part or a page', () => {
  const root = join(import.meta.dirname, '../../../web/src')
  const imports = globSync('**/*.tsx', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/.*\bimport\(.*/g)].map(([line]) => `${file}: ${line.trim()}`),
  )

  assert.ok(imports.length > 30)
  assert.deepEqual(
    imports.filter((line) => !/\b(lazyPart|lazyRouteComponent)\(\(\) => import\(/.test(line)),
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
