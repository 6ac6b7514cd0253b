import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { Config } from '#platform/config'
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
  type PutOptions,
  RangeNotSatisfiableError,
  servedBlobs,
  toStoredBlob,
} from './blob-store.ts'
import { assertKey, assertPrefix, isKey } from './storage-key.ts'

type S3Config = Pick<Config, 'S3_ENDPOINT' | 'S3_REGION' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'> & {
  bucket: string
  prefix: string
}
type Bucket = { client: S3Client; name: string; prefix: string }

const mebibyte = 1024 * 1024
/** At most three parts per upload are in memory. A store accepts 10,000 parts: with 8 MiB up to 78 GiB, with 32 MiB up to 312 GiB. */
const partBytes = 8 * mebibyte
const largePartBytes = 32 * mebibyte
export const maxLargeUploadBytes = 10_000 * largePartBytes
const concurrentParts = 2

export function openS3Store(config: S3Config): BlobStore {
  const prefix = config.prefix ? `${config.prefix}/` : ''
  const bucket: Bucket = { client: newClient(config), name: config.bucket, prefix }
  const served: Bucket = { ...bucket, client: newClient(config, servedBlobs) }
  return {
    put: async (key, body, options) => put(bucket, assertKey(key), body, options),
    get: async (key, range) => get(bucket, assertKey(key), range),
    serve: async (key, range) => get(served, assertKey(key), range),
    head: async (key) => head(bucket, assertKey(key)),
    async delete(key) {
      await bucket.client.send(new DeleteObjectCommand(objectParams(bucket, assertKey(key))))
    },
    deletePrefix: async (prefix) => removeAll(bucket, assertPrefix(prefix)),
    list: (prefix) => list(bucket, assertPrefix(prefix)),
    async ping() {
      await bucket.client.send(new HeadBucketCommand({ Bucket: bucket.name }))
    },
  }
}

const maxSockets = 50

function newClient(config: S3Config, sockets = maxSockets): S3Client {
  const { S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config
  const agent = { maxSockets: sockets, keepAlive: true }
  return new S3Client({
    region: S3_REGION,
    forcePathStyle: true,
    ...(S3_ENDPOINT && { endpoint: S3_ENDPOINT }),
    ...(S3_ACCESS_KEY_ID &&
      S3_SECRET_ACCESS_KEY && {
        credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
      }),
    // Many S3-compatible stores do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000, httpAgent: agent, httpsAgent: agent },
  })
}

const objectParams = ({ name, prefix }: Bucket, key: string) => ({ Bucket: name, Key: prefix + key })

async function put(
  bucket: Bucket,
  key: string,
  body: Readable | Buffer,
  { contentType, isLarge = false }: PutOptions = {},
) {
  const digest = createBodyDigest()
  const upload = new Upload({
    client: bucket.client,
    params: {
      ...objectParams(bucket, key),
      Body: Readable.from(digestChunks(body, digest), { objectMode: false }),
      ...(contentType !== undefined && { ContentType: contentType }),
    },
    partSize: isLarge ? largePartBytes : partBytes,
    queueSize: concurrentParts,
    leavePartsOnError: true,
  })
  try {
    await upload.done()
    return toStoredBlob(digest)
  } catch (error) {
    destroyBody(body)
    await abortUpload(bucket, key, upload.uploadId)
    throw digest.bodyError ?? error
  }
}

/** Upload does not abort if completing fails, and would report the abort error instead of the original one. */
async function abortUpload(bucket: Bucket, key: string, uploadId?: string): Promise<void> {
  if (!uploadId) return
  const aborting = bucket.client.send(
    new AbortMultipartUploadCommand({ ...objectParams(bucket, key), UploadId: uploadId }),
  )
  await aborting.catch(() => {})
}

async function get(bucket: Bucket, key: string, range?: ByteRange) {
  if (range) assertRange(range)
  const request = { ...objectParams(bucket, key), ...(range && { Range: `bytes=${range.start}-${range.end}` }) }
  const object = await bucket.client.send(new GetObjectCommand(request)).catch(rethrowS3Error)
  const totalSize = /\/(\d+)$/.exec(object.ContentRange ?? '')?.[1]
  return {
    stream: object.Body as Readable,
    size: totalSize === undefined ? (object.ContentLength ?? 0) : Number(totalSize),
    contentType: contentTypeOrNull(object.ContentType),
  }
}

async function head(bucket: Bucket, key: string): Promise<BlobHead> {
  const object = await bucket.client.send(new HeadObjectCommand(objectParams(bucket, key))).catch(rethrowS3Error)
  return {
    size: object.ContentLength ?? 0,
    contentType: contentTypeOrNull(object.ContentType),
    modifiedAt: object.LastModified ?? new Date(0),
  }
}

function rethrowS3Error(error: unknown): never {
  if (!(error instanceof S3ServiceException)) throw error
  if (error.name === 'NoSuchKey' || error.name === 'NotFound') throw new BlobNotFoundError()
  if (error.name === 'InvalidRange') throw new RangeNotSatisfiableError()
  throw error
}

async function* list(bucket: Bucket, prefix: string): AsyncGenerator<BlobListing> {
  for await (const page of pagesOf(bucket, prefix)) yield* page
}

async function removeAll(bucket: Bucket, prefix: string): Promise<void> {
  for await (const page of pagesOf(bucket, prefix)) {
    const Objects = page.map(({ key }) => ({ Key: bucket.prefix + key }))
    const { Errors = [] } = await bucket.client.send(
      new DeleteObjectsCommand({ Bucket: bucket.name, Delete: { Objects, Quiet: true } }),
    )
    if (Errors.length) throw new Error(`${Errors.length} files could not be deleted (${Errors[0]?.Code}).`)
  }
}

async function* pagesOf({ client, name, prefix }: Bucket, keyPrefix: string): AsyncGenerator<BlobListing[]> {
  let ContinuationToken: string | undefined
  do {
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket: name,
        Prefix: prefix + keyPrefix,
        ...(ContinuationToken && { ContinuationToken }),
      }),
    )
    const blobs = (page.Contents ?? []).map(({ Key = '', Size = 0, LastModified = new Date(0) }) => ({
      key: Key.slice(prefix.length),
      size: Size,
      modifiedAt: LastModified,
    }))
    const valid = blobs.filter(({ key }) => isKey(key))
    if (valid.length) yield valid
    ContinuationToken = page.NextContinuationToken
  } while (ContinuationToken)
}
