export { type Allowance, type Bucket, buckets } from './buckets.ts'
export { limitHeaders } from './limit-headers.ts'
export { type Limits, openLimits, type Taken } from './limits.ts'
export { networkOf } from './network.ts'
