import { statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { useKeptServers } from '../../src/testing/servers/kept-servers.ts'
import { groupTestFiles, listTestFiles } from './groups.ts'
import { runProcess } from './run-process.ts'

/** Runs the test files of folders in as few processes as possible, against servers that are kept for the next run. */
export async function runSomeFiles(root: string, paths: readonly string[], flags: readonly string[]): Promise<boolean> {
  const files = findTestFiles(root, paths)
  if (files.length === 0) {
    console.error(`There are no test files in ${paths.join(', ')}.`)
    return false
  }
  await useKeptServers()
  let hasPassed = true
  for (const { files: group, name } of groupTestFiles(files)) {
    const result = await runProcess(root, { name: `some-${process.pid}-${name}`, files: group, flags, isLive: true })
    hasPassed &&= result.hasPassed
  }
  return hasPassed
}

/** Returns the test files of folders, and files that are named themselves, such as those of the nightly run. */
function findTestFiles(root: string, paths: readonly string[]): string[] {
  const all = listTestFiles(root)
  const found = paths.flatMap((path) => {
    const name = relative(root, resolve(path))
    const isFile = statSync(join(root, name), { throwIfNoEntry: false })?.isFile()
    return isFile ? [name] : all.filter((file) => file.startsWith(`${name}/`))
  })
  return [...new Set(found)].sort()
}
