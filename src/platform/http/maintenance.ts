import type { FastifyRequest } from 'fastify'
import { AppError } from '#platform/errors'
import type { Authentication } from './gatekeeper.ts'

const writableAreas = /^\/api\/(auth|users|admin)(\/|$)/

/** Rejects writes while a workspace is in maintenance. Decided by path, so that new routes are covered. */
export function assertNotInMaintenance(
  { method, routeOptions }: FastifyRequest,
  { isInMaintenance }: Authentication,
): void {
  if (!isInMaintenance || method === 'GET' || method === 'HEAD') return
  if (routeOptions.config.allowedInMaintenance || writableAreas.test(routeOptions.url!)) return
  throw new AppError(
    409,
    'tenant_in_maintenance',
    'The workspace is in maintenance and cannot be changed. Try again in 30 seconds.',
    { headers: { 'retry-after': '30' } },
  )
}
