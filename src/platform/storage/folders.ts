import { randomUUID } from 'node:crypto'
import { lstat, mkdir, open, readdir, realpath, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Holds incomplete uploads, on the same file system as the blobs so that a rename is atomic. */
export const incomingFolder = '.incoming'
const staleAfterMs = 24 * 60 * 60 * 1_000

export const newIncomingPath = (root: string): string => join(root, incomingFolder, randomUUID())

export const ignoreErrorCodes =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (!codes.includes(error.code ?? '')) throw error
  }

export async function writeDurably(file: string, content: Buffer | AsyncIterable<Buffer>): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A new or renamed file survives a power failure only if its folder is synced too. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(ignoreErrorCodes('ENOENT'))
  await handle?.sync().finally(() => handle.close())
}

/** Creates one level at a time, because `recursive` follows symlinks. */
export async function createFolder(folder: string): Promise<void> {
  for (const path of [dirname(folder), folder]) {
    const isNew = await mkdir(path, 0o700).then(() => true, ignoreErrorCodes('EEXIST'))
    if (isNew) await syncFolder(dirname(path))
    if (!(await lstat(path)).isDirectory())
      throw new Error('The storage folder contains something that is not a folder.')
  }
}

export const isFolderWithoutSymlinks = async (folder: string): Promise<boolean> =>
  (await realpath(folder).catch(ignoreErrorCodes('ENOENT', 'ENOTDIR', 'ELOOP'))) === folder

export async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(ignoreErrorCodes('ENOTEMPTY', 'EEXIST', 'ENOENT'))
}

export async function removeStaleUploads(root: string): Promise<void> {
  const oldest = Date.now() - staleAfterMs
  for (const name of await readdir(join(root, incomingFolder))) {
    const file = join(root, incomingFolder, name)
    const stats = await lstat(file).catch(ignoreErrorCodes('ENOENT'))
    if (stats && stats.mtimeMs < oldest) await rm(file, { force: true })
  }
}
