import type { FastifyRequest } from 'fastify'
import type { UserActor } from '#platform/access'

export type RequestOutcome = {
  actor: UserActor
  method: string
  route: string
  resourceId: string | null
  status: number
}

export function toRequestOutcome({ actor, method, routeOptions, params }: FastifyRequest, status: number) {
  const ids = Object.values((params ?? {}) as Record<string, string>).filter((value) => uuid.test(value))
  return { actor, method, route: routeOptions.url!, resourceId: ids.at(-1) ?? null, status } satisfies RequestOutcome
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
