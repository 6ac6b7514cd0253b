import { constants } from 'node:fs'
import { lstat, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import {
  assertRange,
  type BlobHead,
  type BlobListing,
  BlobNotFoundError,
  type BlobStore,
  type ByteRange,
  contentTypeOrNull,
  createBodyDigest,
  destroyBody,
  digestChunks,
  RangeNotSatisfiableError,
  toStoredBlob,
} from './blob-store.ts'
import { prepareRoot } from './disk-root.ts'
import {
  createFolder,
  ignoreErrorCodes,
  isFolderWithoutSymlinks,
  newIncomingPath,
  removeIfEmpty,
  syncFolder,
  writeDurably,
} from './folders.ts'
import { assertKey, assertPrefix, isKey } from './storage-key.ts'

/** The content type is stored next to the blob in a file whose name is not a valid key. */
type BlobPaths = { folder: string; file: string; typeFile: string }

export async function openDiskStore(folder: string): Promise<BlobStore> {
  const root = await prepareRoot(folder)
  return {
    put: async (key, body, { contentType } = {}) => put(root, assertKey(key), body, contentType),
    get: async (key, range) => get(pathsOf(root, key), range),
    serve: async (key, range) => get(pathsOf(root, key), range),
    head: async (key) => head(pathsOf(root, key)),
    delete: async (key) => removeBlob(pathsOf(root, key)),
    deletePrefix: async (prefix) => removeAll(join(root, assertPrefix(prefix).slice(0, -1)), root),
    list: (prefix) => list(root, assertPrefix(prefix)),
    async ping() {
      const probe = newIncomingPath(root)
      await writeDurably(probe, Buffer.from('ping'))
      await rm(probe)
    },
  }
}

function pathsOf(root: string, key: string): BlobPaths {
  const file = join(root, assertKey(key))
  return { folder: dirname(file), file, typeFile: `${file}.type` }
}

/** Writes to a temporary file and renames it when it is complete and synced, so that partial blobs are never visible. */
async function put(root: string, key: string, body: Readable | Buffer, contentType?: string) {
  const digest = createBodyDigest()
  const chunks = digestChunks(body, digest)
  const temporaryFile = newIncomingPath(root)
  try {
    await writeDurably(temporaryFile, chunks)
    await moveIntoPlace(root, temporaryFile, pathsOf(root, key), contentType)
    return toStoredBlob(digest)
  } catch (error) {
    destroyBody(body)
    await rm(temporaryFile, { force: true })
    throw error
  }
}

async function moveIntoPlace(
  root: string,
  temporaryFile: string,
  paths: BlobPaths,
  contentType?: string,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await createFolder(paths.folder)
      await writeContentType(root, paths, contentType)
      await rename(temporaryFile, paths.file)
      return await syncFolder(paths.folder)
    } catch (error) {
      // A concurrent delete of the last blob also removes the folder.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 10) throw error
    }
  }
}

async function writeContentType(root: string, { typeFile }: BlobPaths, contentType?: string): Promise<void> {
  if (contentType === undefined) return rm(typeFile, { force: true })
  const temporaryFile = newIncomingPath(root)
  try {
    await writeDurably(temporaryFile, Buffer.from(contentType))
    await rename(temporaryFile, typeFile)
  } catch (error) {
    await rm(temporaryFile, { force: true })
    throw error
  }
}

async function get(paths: BlobPaths, range?: ByteRange) {
  if (range) assertRange(range)
  const handle = await openBlob(paths)
  try {
    const { size } = await handle.stat()
    if (range && range.start >= size) throw new RangeNotSatisfiableError()
    const contentType = await readContentType(paths)
    return { stream: handle.createReadStream(range ?? {}), size, contentType }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function head(paths: BlobPaths): Promise<BlobHead> {
  const handle = await openBlob(paths)
  const { size, mtime } = await handle.stat().finally(() => handle.close())
  return { size, contentType: await readContentType(paths), modifiedAt: mtime }
}

async function openBlob({ folder, file }: BlobPaths) {
  if (!(await isFolderWithoutSymlinks(folder))) throw new BlobNotFoundError()
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(ignoreErrorCodes('ENOENT', 'ELOOP'))
  if (!handle) throw new BlobNotFoundError()
  return handle
}

const readContentType = async ({ typeFile }: BlobPaths): Promise<string | null> =>
  contentTypeOrNull(await readFile(typeFile, 'utf8').catch(ignoreErrorCodes('ENOENT')))

async function removeBlob({ folder, file, typeFile }: BlobPaths): Promise<void> {
  if (!(await isFolderWithoutSymlinks(folder))) return
  await rm(file, { force: true })
  await rm(typeFile, { force: true })
  await removeIfEmpty(folder)
  await removeIfEmpty(dirname(folder))
}

async function removeAll(folder: string, root: string): Promise<void> {
  if (!(await isFolderWithoutSymlinks(folder))) return
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  if (dirname(folder) !== root) await removeIfEmpty(dirname(folder))
}

async function* list(root: string, prefix: string): AsyncGenerator<BlobListing> {
  const [tenant, ...areas] = prefix.slice(0, -1).split('/') as [string, string?]
  for (const area of areas.length ? areas : await entriesOf(join(root, tenant)))
    for (const name of await entriesOf(join(root, tenant, `${area}`))) {
      const key = `${tenant}/${area}/${name}`
      const stats = isKey(key) ? await lstat(join(root, key)).catch(ignoreErrorCodes('ENOENT')) : undefined
      if (stats?.isFile()) yield { key, size: stats.size, modifiedAt: stats.mtime }
    }
}

const entriesOf = async (folder: string): Promise<string[]> =>
  (await isFolderWithoutSymlinks(folder))
    ? ((await readdir(folder).catch(ignoreErrorCodes('ENOENT', 'ENOTDIR'))) ?? [])
    : []
