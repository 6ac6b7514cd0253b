import { hash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isNightly } from './is-nightly.ts'
import { type Change, readChange } from './route-sample.ts'

type SampledScreen = { name: string; route: string }

const ofArea = /^web\/src\/areas\/([a-z-]+)\//
const ofAllAreas = /^(?:web\/|tests\/web\/|package-lock\.json$)/

/**
 * Selects the screens of changed areas and a fifth of the others, which differ from commit to commit. Selects all if the change is
 * unknown or concerns what all areas use.
 */
export function sampleScreens<T extends SampledScreen>(
  screens: readonly T[],
  areas: ReadonlyMap<string, string>,
  change: Change | undefined,
): T[] {
  const files = change?.files.filter((file) => !/\.test\.tsx?$/.test(file)) ?? []
  if (!change || files.some((file) => ofAllAreas.test(file) && !ofArea.test(file))) return [...screens]
  const changed = new Set(files.map((file) => ofArea.exec(file)?.[1]))
  const isDrawn = (name: string) => Number.parseInt(hash('sha256', `${change.commit} ${name}`).slice(0, 2), 16) < 51
  return screens.filter(({ name, route }) => changed.has(areas.get(route) ?? '') || isDrawn(name))
}

const root = join(import.meta.dirname, '../..')
const source = join(root, 'web/src')

/** Reads the routes of pages and the areas that define them. */
export const listRoutes = (): { area: string; route: string }[] =>
  ['app/router.tsx', ...globSync('areas/*/routes.tsx', { cwd: source })].flatMap((file) =>
    readFileSync(join(source, file), 'utf8')
      .split(/\bcreateRoute\(/)
      .slice(1)
      .filter((definition) => !/\bredirect\(/.test(definition))
      .map((definition) => ({
        area: file.split('/')[1]!,
        route: /\bpath: '([^']+)'/.exec(definition)?.[1] ?? definition,
      })),
  )

/** Selects the screens that this run checks. */
export function selectScreens<T extends SampledScreen>(screens: readonly T[]): readonly T[] {
  if (isNightly) return screens
  return sampleScreens(screens, new Map(listRoutes().map(({ area, route }) => [route, area])), readChange(root))
}
