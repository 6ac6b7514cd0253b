import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UserActor } from '#platform/access'

export type RequestOutcome = {
  actor: UserActor
  method: string
  route: string
  resourceId: string | null
  /** Null if the caller disconnected before the response. */
  status: number | null
}

/** Calls `report` when the request has ended, also if the caller disconnected. */
export function reportOutcome(
  request: FastifyRequest,
  { raw }: FastifyReply,
  report: (outcome: RequestOutcome) => void,
): void {
  finished(raw, () => {
    const { actor, method, routeOptions, params } = request
    const ids = Object.values((params ?? {}) as Record<string, string>).filter((value) => uuid.test(value))
    const status = raw.headersSent ? raw.statusCode : null
    report({ actor, method, route: routeOptions.url!, resourceId: ids.at(-1) ?? null, status })
  })
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
