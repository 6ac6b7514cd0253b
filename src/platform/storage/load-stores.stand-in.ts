import { registerHooks } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'

const loaded: string[] = []
registerHooks({
  resolve(specifier, context, next) {
    loaded.push(specifier)
    return next(specifier, context)
  },
})
const isS3Loaded = () => loaded.some((specifier) => specifier.startsWith('@aws-sdk/'))
const { openBlobStore } = await import('./index.ts')

/** Opens a store on disk and one on S3, and reports after which of them the S3 client was loaded. */
await openBlobStore({ STORAGE_URL: workerData, S3_REGION: 'us-east-1' })
const byDisk = isS3Loaded()
await openBlobStore({ STORAGE_URL: 's3://blobs', S3_REGION: 'us-east-1' })
parentPort!.postMessage({ byDisk, byS3: isS3Loaded() })
