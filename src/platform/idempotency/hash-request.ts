import { createHash } from 'node:crypto'
import { canonicalJson } from '#platform/canonical-json'

type Request = { path: unknown; query: unknown; body: unknown }

/** Equal for requests that ask for the same, however their JSON is written. */
export const hashRequest = ({ path, query, body }: Request): Buffer =>
  createHash('sha256')
    .update(canonicalJson([path, query, body]))
    .digest()
