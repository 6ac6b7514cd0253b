import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Stands for all that a test's outcome may depend on: every file of the repository that is not ignored, as it lies there now,
 * what is installed, and Node. Undefined where there is no repository.
 */
export function stampOf(root: string): string | undefined {
  const paths = pathsIn(root)
  if (!paths) return undefined
  const hash = createHash('sha256').update(process.version)
  for (const path of [...paths, 'node_modules/.package-lock.json'])
    hash.update(JSON.stringify([path, digestOf(join(root, path))]))
  return hash.digest('hex')
}

function pathsIn(root: string): string[] | undefined {
  const flags = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  try {
    const listed = execFileSync('git', flags, { cwd: root, encoding: 'utf8', maxBuffer: 1e8, stdio: 'pipe' })
    return [...new Set(listed.split('\0').filter(Boolean))].sort()
  } catch {
    return undefined
  }
}

function digestOf(path: string): string {
  const kind = lstatSync(path, { throwIfNoEntry: false })
  if (!kind) return 'gone'
  if (kind.isSymbolicLink()) return `-> ${readlinkSync(path)}`
  return kind.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'a folder'
}
