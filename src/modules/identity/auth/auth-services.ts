import type { FastifyRequest } from 'fastify'
import { type Actor, type Role, type SignedIn, scopesOfRole, type Trace } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { openKeyRing } from './key-ring.ts'
import { openTokens, type Tokens } from './tokens.ts'

/** What signing in needs. */
export type AuthServices = Pick<Services, 'config' | 'clock' | 'log'> & {
  tokens: Tokens
  /** Opens a transaction in the name of somebody who has proved who they are, whoever sent the request. */
  inNameOf<T>(actor: Actor, work: (tx: TenantTx) => Promise<T>): Promise<T>
}

/** Opens a transaction in the name of whoever sent the request. */
export type InTenant = FastifyRequest['inTenant']

export function openAuth({ db, clock, config, log }: Services): AuthServices {
  return {
    config,
    clock,
    log,
    tokens: openTokens({ keyRing: openKeyRing(config), config, clock }),
    inNameOf: (actor, work) => inTenant(db, actor, work),
  }
}

type Person = { tenantId: string; userId: string; role: Role; sessionId: string; trace: Trace | null }

/** Somebody who has just proved who they are: what follows happens in their name. */
export const actorFor = ({ tenantId, userId, role, sessionId, trace }: Person): SignedIn => ({
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
