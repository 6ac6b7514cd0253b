import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import type { RegisteredRoute } from '#platform/module'

/** `files` differ from those of the commit before, committed or not. */
export type Change = { commit: string; files: readonly string[] }

/** Returns undefined outside a repository and for its first commit. */
export function readChange(root: string): Change | undefined {
  const git = (...flags: string[]) => execFileSync('git', flags, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
  try {
    const changed = git('diff', '--name-only', '-z', 'HEAD^') + git('ls-files', '--others', '--exclude-standard', '-z')
    return { commit: git('rev-parse', 'HEAD').trim(), files: changed.split('\0').filter(Boolean) }
  } catch {
    return undefined
  }
}

const ofModule = /^(?:src\/modules\/|migrations\/\d+_(?!platform_))([a-z]+)[/_]/
const ofAllModules = /^(?:src\/|migrations\/|tests\/(?:hostile|matrix|plans)\/|package-lock\.json$)/

/**
 * Selects the routes of changed modules and half of the others, which differ from commit to commit, so that a defect of the others is
 * found within a few commits. Selects all if the change is unknown or concerns all modules.
 */
export function sampleRoutes<T extends { name: string }>(
  routes: readonly T[],
  registered: readonly Pick<RegisteredRoute, 'module' | 'method' | 'path'>[],
  change: Change | undefined,
): T[] {
  const files = change?.files.filter((file) => !file.endsWith('.test.ts')) ?? []
  if (!change || files.some((file) => ofAllModules.test(file) && !ofModule.test(file))) return [...routes]
  const changed = new Set(files.map((file) => ofModule.exec(file)?.[1]))
  const modules = new Map(
    registered.map(({ module, method, path }) => [`${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`, module]),
  )
  const isDrawn = (name: string) => Number.parseInt(hash('sha256', `${change.commit} ${name}`).slice(0, 2), 16) < 128
  return routes.filter(({ name }) => changed.has(modules.get(name) ?? '') || isDrawn(name))
}
