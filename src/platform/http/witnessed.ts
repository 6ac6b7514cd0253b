import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignedIn } from '#platform/access'

/** How a request of somebody known ended. */
export type Witnessed = {
  actor: SignedIn
  method: string
  /** The template of its path, without anything the caller wrote into it. */
  route: string
  /** Of the record the path leads to. */
  resourceId: string | null
  /** Null when the caller was gone before there was an answer. */
  status: number | null
}

/** Tells of a request once it is over, also when nobody waited for the answer. */
export function witnessEnd(request: FastifyRequest, { raw }: FastifyReply, witness: (seen: Witnessed) => void): void {
  finished(raw, () => {
    const { actor, method, routeOptions, params } = request
    const ids = Object.values((params ?? {}) as Record<string, string>).filter((value) => uuid.test(value))
    const status = raw.headersSent ? raw.statusCode : null
    witness({ actor, method, route: routeOptions.url!, resourceId: ids.at(-1) ?? null, status })
  })
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
