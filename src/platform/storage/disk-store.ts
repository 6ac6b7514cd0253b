import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, readFile, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import {
  assertRange,
  type BlobHead,
  type BlobListing,
  BlobMissing,
  type BlobStore,
  type ByteRange,
  discard,
  measured,
  newTally,
  RangeUnsatisfiable,
  resultOf,
  typeOrNull,
} from './blob-store.ts'
import {
  incoming,
  isPlainFolder,
  makeFolder,
  newIncoming,
  removeAbandoned,
  removeIfEmpty,
  syncFolder,
  unless,
  writeDurably,
} from './folders.ts'
import { assertKey, assertPrefix, isKey } from './storage-key.ts'

/** The content type stands in a small file beside the blob, whose name no blob can have. */
type Place = { folder: string; file: string; typeFile: string }

export async function openDiskStore(folder: string): Promise<BlobStore> {
  await mkdir(join(folder, incoming), { recursive: true, mode: 0o700 })
  const root = await realpath(folder)
  await removeAbandoned(root)
  return {
    put: async (key, body, { contentType } = {}) => put(root, assertKey(key), body, contentType),
    get: async (key, range) => get(placeOf(root, key), range),
    head: async (key) => head(placeOf(root, key)),
    delete: async (key) => remove(placeOf(root, key)),
    deletePrefix: async (prefix) => removeAll(join(root, assertPrefix(prefix).slice(0, -1)), root),
    list: (prefix) => list(root, assertPrefix(prefix)),
    async ping() {
      const probe = newIncoming(root)
      await writeDurably(probe, Buffer.from('ping'))
      await rm(probe)
    },
  }
}

function placeOf(root: string, key: string): Place {
  const file = join(root, assertKey(key))
  return { folder: dirname(file), file, typeFile: `${file}.type` }
}

/** The blob is written aside and moved in when it is whole and on disk, so nobody ever sees half of it. */
async function put(root: string, key: string, body: Readable | Buffer, contentType?: string) {
  const tally = newTally()
  const chunks = measured(body, tally)
  const whole = newIncoming(root)
  try {
    await writeDurably(whole, chunks)
    await moveIn(root, whole, placeOf(root, key), contentType)
    return resultOf(tally)
  } catch (error) {
    discard(body)
    await rm(whole, { force: true })
    throw error
  }
}

async function moveIn(root: string, whole: string, place: Place, contentType?: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await makeFolder(place.folder)
      await putType(root, place, contentType)
      await rename(whole, place.file)
      return await syncFolder(place.folder)
    } catch (error) {
      // Whoever deletes the last blob of a folder also removes the folder, perhaps right now.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 10) throw error
    }
  }
}

async function putType(root: string, { typeFile }: Place, contentType?: string): Promise<void> {
  if (contentType === undefined) return rm(typeFile, { force: true })
  const whole = newIncoming(root)
  try {
    await writeDurably(whole, Buffer.from(contentType))
    await rename(whole, typeFile)
  } catch (error) {
    await rm(whole, { force: true })
    throw error
  }
}

async function get(place: Place, range?: ByteRange) {
  if (range) assertRange(range)
  const handle = await openBlob(place)
  try {
    const { size } = await handle.stat()
    if (range && range.start >= size) throw new RangeUnsatisfiable()
    const contentType = await typeOf(place)
    return { stream: handle.createReadStream(range ?? {}), size, contentType }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function head(place: Place): Promise<BlobHead> {
  const handle = await openBlob(place)
  const { size, mtime } = await handle.stat().finally(() => handle.close())
  return { size, contentType: await typeOf(place), modifiedAt: mtime }
}

async function openBlob({ folder, file }: Place) {
  if (!(await isPlainFolder(folder))) throw new BlobMissing()
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(unless('ENOENT', 'ELOOP'))
  if (!handle) throw new BlobMissing()
  return handle
}

const typeOf = async ({ typeFile }: Place): Promise<string | null> =>
  typeOrNull(await readFile(typeFile, 'utf8').catch(unless('ENOENT')))

async function remove({ folder, file, typeFile }: Place): Promise<void> {
  if (!(await isPlainFolder(folder))) return
  await rm(file, { force: true })
  await rm(typeFile, { force: true })
  await removeIfEmpty(folder)
  await removeIfEmpty(dirname(folder))
}

async function removeAll(folder: string, root: string): Promise<void> {
  if (!(await isPlainFolder(folder))) return
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  if (dirname(folder) !== root) await removeIfEmpty(dirname(folder))
}

async function* list(root: string, prefix: string): AsyncGenerator<BlobListing> {
  const [tenant, ...areas] = prefix.slice(0, -1).split('/') as [string, string?]
  for (const area of areas.length ? areas : await namesIn(join(root, tenant)))
    for (const name of await namesIn(join(root, tenant, `${area}`))) {
      const key = `${tenant}/${area}/${name}`
      const found = isKey(key) ? await lstat(join(root, key)).catch(unless('ENOENT')) : undefined
      if (found?.isFile()) yield { key, size: found.size, modifiedAt: found.mtime }
    }
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await isPlainFolder(folder)) ? ((await readdir(folder).catch(unless('ENOENT', 'ENOTDIR'))) ?? []) : []
