import { execFileSync } from 'node:child_process'
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** A folder in which `npm run dev` can be started. */
export type Checkout = { folder: string; environment: NodeJS.ProcessEnv; remove(): Promise<void> }

/** Uses this checkout and its compiled code, with a temporary folder for the data. */
export async function useOwnCheckout(): Promise<Checkout> {
  const home = await mkdtemp(join(tmpdir(), 'tributary-dev-'))
  const { NODE_COMPILE_CACHE } = process.env
  const environment = { HOME: home, DEV_HOME: join(home, 'data'), ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) }
  await chmod(home, 0o755)
  return { folder: root, environment, remove: () => rm(home, { recursive: true, force: true }) }
}

/** Copies the tracked files to a temporary folder, as a new developer would clone them, with the installed packages. */
export async function copyCheckout({ owner }: { owner?: string } = {}): Promise<Checkout> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-checkout-'))
  await chmod(folder, 0o755)
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root }).toString().split('\0').filter(Boolean)
  for (const file of files) await cp(join(root, file), join(folder, file))
  linkPackages(join(root, 'node_modules'), folder)
  if (owner) execFileSync('chown', [owner, '.'], { cwd: folder })
  return { folder, environment: { HOME: folder }, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Hard links take no space, but both folders must be on one file system. */
function linkPackages(packages: string, folder: string): void {
  try {
    execFileSync('cp', ['-al', packages, folder], { stdio: 'ignore' })
  } catch {
    execFileSync('cp', ['-a', packages, folder])
  }
}
