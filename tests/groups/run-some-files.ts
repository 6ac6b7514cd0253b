import { readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { keepServersInUse, useKeptServers } from '../../src/testing/servers/kept-servers.ts'
import { findCommonUrl, findTestsOfChanges, listChangedPaths, readSources, takeWithinSeconds } from './changed-files.ts'
import { groupTestFiles, listTestFiles, readSavedSeconds, type TestProcess, usualSeconds } from './groups.ts'
import { type ProcessOptions, runProcess } from './run-process.ts'

/** Leaves time for the start of the process within a minute. */
const secondsForChanges = 40
const matrixFile = 'tests/matrix/matrix.test.ts'
const matrixSeconds = 20

/** Runs the test files of folders in as few processes as possible, against servers that are kept for the next run. */
export async function runSomeFiles(root: string, paths: readonly string[], flags: readonly string[]): Promise<boolean> {
  const files = findTestFiles(root, paths)
  if (files.length === 0) {
    console.error(`There are no test files in ${paths.join(', ')}.`)
    return false
  }
  const pattern = findNamePattern(flags)
  if (!pattern) return await runProcesses(root, groupTestFiles(files), { flags })
  const matching = files.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')))
  const processes = (matching.length ? matching : files).flatMap((file) => groupTestFiles([file]))
  return await runProcesses(root, processes, { flags, isDirect: true })
}

/** Runs the tests of what differs from the last commit: of its folders, of folders that import it, and the matrix rows of its routes. */
export async function runChangedFiles(root: string, flags: readonly string[]): Promise<boolean> {
  const changed = listChangedPaths(root)
  const route = changed.filter((file) => file.endsWith('.routes.ts')).flatMap((file) => findUrl(root, file))[0]
  const saved = readSavedSeconds(root)
  const found = findTestsOfChanges({ ...readSources(root), changed }).filter((file) => file !== matrixFile)
  const seconds = secondsForChanges - (route ? matrixSeconds : 0)
  const files = takeWithinSeconds(found, (file) => saved[file] ?? usualSeconds, seconds)
  if (route) process.env.MATRIX_ROUTE = route
  const selected = route ? [...files, matrixFile] : files
  console.log(`${selected.length} of ${found.length + (route ? 1 : 0)} test files of ${changed.length} changed files`)
  const all = { name: '01', files: selected, lane: 'busy', seconds } as const
  return selected.length === 0 || (await runProcesses(root, [all], { flags }))
}

const findUrl = (root: string, file: string) => findCommonUrl(readIfExists(join(root, file))) ?? []

function readIfExists(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) ? readFileSync(path, 'utf8') : ''
}

async function runProcesses(
  root: string,
  processes: readonly TestProcess[],
  options: Pick<ProcessOptions, 'flags' | 'isDirect'>,
) {
  await useKeptServers()
  using _inUse = keepServersInUse()
  let hasPassed = true
  for (const { files, name } of processes) {
    const result = await runProcess(root, { name: `some-${process.pid}-${name}`, files, isLive: true, ...options })
    hasPassed &&= result.hasPassed
  }
  return hasPassed
}

function findNamePattern(flags: readonly string[]): RegExp | undefined {
  const flag = flags.find((one) => one.startsWith('--test-name-pattern='))
  return flag === undefined ? undefined : new RegExp(flag.slice(flag.indexOf('=') + 1))
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
