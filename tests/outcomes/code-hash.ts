import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Hashes everything that a test outcome may depend on: all files of the repository that are not ignored, the installed packages and
 * the Node version. Returns undefined outside a repository.
 */
export function calculateCodeHash(root: string): string | undefined {
  const paths = listPaths(root)
  if (!paths) return undefined
  const hash = createHash('sha256').update(process.version)
  for (const path of [...paths, 'node_modules/.package-lock.json'])
    hash.update(JSON.stringify([path, hashFile(join(root, path))]))
  return hash.digest('hex')
}

function listPaths(root: string): string[] | undefined {
  const flags = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  try {
    const output = execFileSync('git', flags, { cwd: root, encoding: 'utf8', maxBuffer: 1e8, stdio: 'pipe' })
    return [...new Set(output.split('\0').filter(Boolean))].sort()
  } catch {
    return undefined
  }
}

function hashFile(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats) return 'gone'
  if (stats.isSymbolicLink()) return `-> ${readlinkSync(path)}`
  return stats.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'a folder'
}
