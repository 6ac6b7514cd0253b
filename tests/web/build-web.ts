import { execFileSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const sources = ['web/{index.html,package.json,vite.config.ts}', 'web/src/**/*', 'src/platform/html/brand-colors.ts']
const timeOf = (path: string): number => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0

let isBuilt = false

/** Builds the web application, unless the built files are newer than its sources. */
export function buildWeb(): void {
  const newestSource = Math.max(...globSync(sources, { cwd: root }).map(timeOf))
  if (!isBuilt && timeOf('web/dist/index.html') <= newestSource)
    execFileSync('npx', ['vite', 'build', '--config', 'web/vite.config.ts', '--logLevel', 'warn'], {
      cwd: root,
      stdio: 'inherit',
    })
  isBuilt = true
}
