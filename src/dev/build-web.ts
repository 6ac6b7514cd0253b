import { execFileSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const sources = [
  'package.json',
  'web/{index.html,package.json,*.ts}',
  'web/src/**/*',
  'src/platform/html/brand-colors.ts',
]
const timeOf = (path: string): number => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Whether a source of the web application is newer than its built files. */
export const isWebOutdated = (): boolean =>
  timeOf('web/dist/index.html') <= Math.max(...globSync(sources, { cwd: root }).map(timeOf))

export function buildWeb(): void {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', '--config', 'web/vite.config.ts', '--logLevel', 'warn']
  execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
}
