import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Endpoint = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  path: string
  module: string
  auth: 'none' | 'bearer' | 'bearer (JWT only)'
  /** Resource of the required scope. */
  scope: string | null
  query: string[]
  body: 'none' | 'optional' | 'required'
  status: number | null
  response: 'array' | null
}

export const endpoints: Endpoint[] = JSON.parse(readFileSync(join(import.meta.dirname, 'endpoints.json'), 'utf8'))

export const endpointName = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => `${method} ${path}`

export const toggleTrailingSlash = (path: string) => (path.endsWith('/') ? path.slice(0, -1) : `${path}/`)
