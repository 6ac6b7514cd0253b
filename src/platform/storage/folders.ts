import { randomUUID } from 'node:crypto'
import { lstat, mkdir, open, readdir, realpath, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Where blobs are written until they are whole. On the same disk as the rest, so that moving them is one step. */
export const incoming = '.incoming'
const abandonedAfterMs = 24 * 60 * 60 * 1_000

export const newIncoming = (root: string): string => join(root, incoming, randomUUID())

/** Rejections with one of these codes become undefined. */
export const unless =
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

/** A new or renamed file survives a power cut only once its folder is on disk too. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(unless('ENOENT'))
  await handle?.sync().finally(() => handle.close())
}

/** Step by step instead of `recursive`, which would follow a link and make folders behind it. */
export async function makeFolder(folder: string): Promise<void> {
  for (const step of [dirname(folder), folder]) {
    const isNew = await mkdir(step, 0o700).then(() => true, unless('EEXIST'))
    if (isNew) await syncFolder(dirname(step))
    if (!(await lstat(step)).isDirectory()) throw new Error('The storage folder holds something that is no folder.')
  }
}

/** False if it is missing, or if a link leads elsewhere on the way to it. */
export const isPlainFolder = async (folder: string): Promise<boolean> =>
  (await realpath(folder).catch(unless('ENOENT', 'ENOTDIR', 'ELOOP'))) === folder

export async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(unless('ENOTEMPTY', 'EEXIST', 'ENOENT'))
}

/** What a process that died in the middle of a put has left. */
export async function removeAbandoned(root: string): Promise<void> {
  const oldest = Date.now() - abandonedAfterMs
  for (const name of await readdir(join(root, incoming))) {
    const file = join(root, incoming, name)
    const found = await lstat(file).catch(unless('ENOENT'))
    if (found && found.mtimeMs < oldest) await rm(file, { force: true })
  }
}
