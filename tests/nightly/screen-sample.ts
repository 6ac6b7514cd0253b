import { hash } from 'node:crypto'
import type { Change } from './route-sample.ts'

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
