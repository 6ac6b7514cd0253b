import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One line of the contract. */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  path: string
  module: string
  auth: 'none' | 'bearer' | 'bearer (JWT only)'
  /** The resource whose scope is asked for. */
  scope: string | null
  query: string[]
  body: 'none' | 'optional' | 'required'
  status: number | null
  response: 'array' | null
}

export const endpoints: Endpoint[] = JSON.parse(readFileSync(join(import.meta.dirname, 'endpoints.json'), 'utf8'))

export const nameOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`

/** The same place with or without the slash at its end. */
export const twinOf = (path: string) => (path.endsWith('/') ? path.slice(0, -1) : `${path}/`)
