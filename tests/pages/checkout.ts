import { execFileSync } from 'node:child_process'
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Copies the tracked files to a temporary folder, as a new developer would clone them, with the installed packages. */
export async function copyCheckout({ owner }: { owner?: string } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-checkout-'))
  await chmod(folder, 0o755)
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root }).toString().split('\0').filter(Boolean)
  for (const file of files) await cp(join(root, file), join(folder, file))
  linkPackages(join(root, 'node_modules'), folder)
  if (owner) execFileSync('chown', [owner, '.'], { cwd: folder })
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Hard links take no space, but both folders must be on one file system. */
function linkPackages(packages: string, folder: string): void {
  try {
    execFileSync('cp', ['-al', packages, folder], { stdio: 'ignore' })
  } catch {
    execFileSync('cp', ['-a', packages, folder])
  }
}
