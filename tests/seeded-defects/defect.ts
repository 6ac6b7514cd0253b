import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Defect = {
  name: string
  file: string
  /** Text that occurs exactly once in the file. */
  find: string
  replace: string
  /** Test files of which each must fail. */
  tests: readonly string[]
  /** Selects the part of a long test file that detects the defect. */
  environment?: Record<string, string>
}

/** Returns the text of the file with the defect. */
export function seedDefect(root: string, { name, file, find, replace }: Defect): string {
  const parts = readFileSync(join(root, file), 'utf8').split(find)
  if (parts.length !== 2)
    throw new Error(`${name}: the text to replace occurs ${parts.length - 1} times in ${file}:\n${find}`)
  return parts.join(replace)
}

/** Lists the files that a copy of the repository needs. */
export const listRepositoryFiles = (root: string): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
    .split('\0')
    .filter(Boolean)
