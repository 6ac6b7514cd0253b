import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { currentCheckout } from '../api.ts'

const home = join(currentCheckout, '.dev/compare')
const maxArchiveBytes = 2 ** 28

/** Extracts a commit and installs the packages of its lock file; keeps them for the next run. */
export async function extractCommit(commit: string): Promise<string> {
  const run = (command: string, args: string[], input?: Buffer) =>
    execFileSync(command, args, { cwd: currentCheckout, input, maxBuffer: maxArchiveBytes })
  const folder = join(
    home,
    run('git', ['rev-parse', '--short=12', `${commit}^{commit}`])
      .toString()
      .trim(),
  )
  await mkdir(folder, { recursive: true })
  run('tar', ['-x', '-C', folder], run('git', ['archive', commit]))
  if (!existsSync(join(folder, 'node_modules')))
    execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
  return folder
}
