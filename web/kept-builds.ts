import { globSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The files of one build. `replacedAt` is the time of the next build that differs. */
type Build = { files: readonly string[]; replacedAt: string | null }

const keptMs = 7 * 86_400_000
const maxEarlier = 4
const listName = 'builds.json'

/**
 * Keeps the files of earlier builds for a week, because pages that were opened before an upgrade load further parts
 * after it. Removes those of older ones. `files` are the files of this build below the folder.
 */
export async function keepEarlierBuilds(folder: string, files: readonly string[], now: Date): Promise<void> {
  const found = globSync('assets/*', { cwd: folder })
  const builds = addBuild(await readBuilds(folder, found), files.filter(isAsset).sort(), now)
  const kept = new Set(builds.flatMap((build) => build.files))
  const isKept = (name: string) => kept.has(name.replace(/\.(gz|br)$/, ''))
  await Promise.all(found.filter((name) => !isKept(name)).map((name) => rm(join(folder, name))))
  await writeFile(join(folder, listName), JSON.stringify(builds))
}

const isAsset = (name: string): boolean => name.startsWith('assets/')

/** A folder without a list has the files of one build. */
async function readBuilds(folder: string, found: readonly string[]): Promise<Build[]> {
  const text = await readFile(join(folder, listName), 'utf8').catch(() => undefined)
  return text ? JSON.parse(text) : [{ files: found, replacedAt: null }]
}

function addBuild([last, ...earlier]: readonly Build[], files: readonly string[], now: Date): Build[] {
  const isSame = last?.files.join() === files.join()
  const replaced = isSame || !last ? earlier : [{ ...last, replacedAt: now.toISOString() }, ...earlier]
  const isRecent = ({ replacedAt }: Build) => now.getTime() - Date.parse(replacedAt ?? '') < keptMs
  return [{ files, replacedAt: null }, ...replaced.filter(isRecent).slice(0, maxEarlier)]
}
