import { mkdir, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { incomingFolder, newIncomingPath, removeStaleUploads, writeDurably } from './folders.ts'

const probeLimitMs = 10_000

/** Creates the folder of a store and writes a file there once, so that a wrong STORAGE_URL is found at startup. */
export const prepareRoot = (folder: string): Promise<string> => limitTime(createRoot(folder), folder, probeLimitMs)

export async function limitTime<T>(work: Promise<T>, folder: string, limitMs: number): Promise<T> {
  const stopped = new AbortController()
  const limit = sleep(limitMs, undefined, { signal: stopped.signal }).then(() => {
    throw new Error(`The folder ${folder} did not respond within ${limitMs / 1_000} seconds.`)
  })
  limit.catch(() => {})
  try {
    return await Promise.race([work, limit])
  } finally {
    stopped.abort()
  }
}

async function createRoot(folder: string): Promise<string> {
  try {
    // The parents get the default mode; only the store itself is private.
    await createMissing(dirname(folder))
    await createMissing(join(folder, incomingFolder), 0o700)
    const root = await realpath(folder)
    await removeStaleUploads(root)
    const probe = newIncomingPath(root)
    await writeDurably(probe, Buffer.from('probe'))
    await rm(probe)
    return root
  } catch (error) {
    throw new Error(describeFailure(folder, error as NodeJS.ErrnoException))
  }
}

/** Creates one level at a time: the option `recursive` of mkdir never ends in a folder such as /proc. */
async function createMissing(folder: string, mode?: number): Promise<void> {
  if (await isFolder(folder)) return
  if (dirname(folder) !== folder) await createMissing(dirname(folder), mode)
  await mkdir(folder, mode).catch(async (error: NodeJS.ErrnoException) => {
    // Another process may have created it in the meantime.
    if (error.code !== 'EEXIST' || !(await isFolder(folder))) throw error
  })
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )

const failures: Record<string, string> = {
  EACCES: 'this process may not write there',
  EPERM: 'this process may not write there',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'a part of its path is a file',
  ENOENT: 'the system does not allow folders there',
  ENOSPC: 'the file system is full',
}

const describeFailure = (folder: string, { code = '', message }: NodeJS.ErrnoException): string =>
  `The folder ${folder} cannot be used for files: ${failures[code] ?? message}. Choose another folder.`
