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
import { assertKey, assertPrefix, isKey } from './storage-key.ts'

type S3Config = Pick<Config, 'S3_ENDPOINT' | 'S3_REGION' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY'> & {
  bucket: string
  prefix: string
}
type Bucket = { client: S3Client; name: string; prefix: string }

/** A part is held in memory until it is sent: at most three of them per upload, up to 80 GB in 10,000 parts. */
const partBytes = 8 * 1024 * 1024
const partsAtOnce = 2

export function openS3Store(config: S3Config): BlobStore {
  const prefix = config.prefix ? `${config.prefix}/` : ''
  const bucket: Bucket = { client: newClient(config), name: config.bucket, prefix }
  return {
    put: async (key, body, { contentType } = {}) => put(bucket, assertKey(key), body, contentType),
    get: async (key, range) => get(bucket, assertKey(key), range),
    head: async (key) => head(bucket, assertKey(key)),
    async delete(key) {
      await bucket.client.send(new DeleteObjectCommand(at(bucket, assertKey(key))))
    },
    deletePrefix: async (given) => removeAll(bucket, assertPrefix(given)),
    list: (given) => list(bucket, assertPrefix(given)),
    async ping() {
      await bucket.client.send(new HeadBucketCommand({ Bucket: bucket.name }))
    },
  }
}

function newClient({ S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }: S3Config): S3Client {
  return new S3Client({
    region: S3_REGION,
    forcePathStyle: true,
    ...(S3_ENDPOINT && { endpoint: S3_ENDPOINT }),
    ...(S3_ACCESS_KEY_ID &&
      S3_SECRET_ACCESS_KEY && {
        credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
      }),
    // Many stores that speak S3 do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
  })
}

const at = ({ name, prefix }: Bucket, key: string) => ({ Bucket: name, Key: prefix + key })

async function put(bucket: Bucket, key: string, body: Readable | Buffer, contentType?: string) {
  const tally = newTally()
  const upload = new Upload({
    client: bucket.client,
    params: {
      ...at(bucket, key),
      Body: Readable.from(measured(body, tally), { objectMode: false }),
      ...(contentType !== undefined && { ContentType: contentType }),
    },
    partSize: partBytes,
    queueSize: partsAtOnce,
    leavePartsOnError: true,
  })
  try {
    await upload.done()
    return resultOf(tally)
  } catch (error) {
    discard(body)
    await dropParts(bucket, key, upload.uploadId)
    throw tally.bodyError ?? error
  }
}

/** By hand, since Upload would not do it when the last step fails, and would report the failure of this instead. */
async function dropParts(bucket: Bucket, key: string, uploadId?: string): Promise<void> {
  if (!uploadId) return
  const dropping = bucket.client.send(new AbortMultipartUploadCommand({ ...at(bucket, key), UploadId: uploadId }))
  await dropping.catch(() => {})
}

async function get(bucket: Bucket, key: string, range?: ByteRange) {
  if (range) assertRange(range)
  const request = { ...at(bucket, key), ...(range && { Range: `bytes=${range.start}-${range.end}` }) }
  const found = await bucket.client.send(new GetObjectCommand(request)).catch(refuse)
  const whole = /\/(\d+)$/.exec(found.ContentRange ?? '')?.[1]
  return {
    stream: found.Body as Readable,
    size: whole === undefined ? (found.ContentLength ?? 0) : Number(whole),
    contentType: typeOrNull(found.ContentType),
  }
}

async function head(bucket: Bucket, key: string): Promise<BlobHead> {
  const found = await bucket.client.send(new HeadObjectCommand(at(bucket, key))).catch(refuse)
  return {
    size: found.ContentLength ?? 0,
    contentType: typeOrNull(found.ContentType),
    modifiedAt: found.LastModified ?? new Date(0),
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof S3ServiceException)) throw error
  if (error.name === 'NoSuchKey' || error.name === 'NotFound') throw new BlobMissing()
  if (error.name === 'InvalidRange') throw new RangeUnsatisfiable()
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

async function* pagesOf({ client, name, prefix }: Bucket, wanted: string): AsyncGenerator<BlobListing[]> {
  let ContinuationToken: string | undefined
  do {
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket: name,
        Prefix: prefix + wanted,
        ...(ContinuationToken && { ContinuationToken }),
      }),
    )
    const blobs = (page.Contents ?? []).map(({ Key = '', Size = 0, LastModified = new Date(0) }) => ({
      key: Key.slice(prefix.length),
      size: Size,
      modifiedAt: LastModified,
    }))
    const ours = blobs.filter(({ key }) => isKey(key))
    if (ours.length) yield ours
    ContinuationToken = page.NextContinuationToken
  } while (ContinuationToken)
}
