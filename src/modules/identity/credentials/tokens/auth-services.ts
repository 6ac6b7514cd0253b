import type { FastifyRequest } from 'fastify'
import { type Actor, type Role, scopesOfRole, type Trace, type UserActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { createKeyRing } from './key-ring.ts'
import { createTokenService, type TokenService } from './tokens.ts'

export type AuthServices = Pick<Services, 'config' | 'clock' | 'log' | 'limits'> & {
  tokens: TokenService
  /** Opens a transaction with another actor than that of the request, e.g. for a session that was just created. */
  inTenantAs<T>(actor: Actor, work: (tx: TenantTx) => Promise<T>): Promise<T>
}

export type InTenant = FastifyRequest['inTenant']

export function createAuthServices({ db, clock, config, log, limits }: Services): AuthServices {
  return {
    config,
    clock,
    log,
    limits,
    tokens: createTokenService({ keyRing: createKeyRing(config), config, clock }),
    inTenantAs: (actor, work) => inTenant(db, actor, work),
  }
}

type UserActorInput = { tenantId: string; userId: string; role: Role; sessionId: string; trace: Trace | null }

export const createUserActor = ({ tenantId, userId, role, sessionId, trace }: UserActorInput): UserActor => ({
  tenantId,
  type: 'user',
  userId,
  actorUserId: null,
  sessionId,
  apiKeyId: null,
  role,
  scopes: scopesOfRole(role),
  trace,
  origin: 'api',
})
