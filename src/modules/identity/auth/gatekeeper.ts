import type { SignedIn, Trace } from '#platform/access'
import { recordDenied } from '#platform/audit'
import type { Clock } from '#platform/clock'
import type { Config } from '#platform/config'
import { type Db, inTenant } from '#platform/db'
import { forbidden, unavailable } from '#platform/errors'
import type { Admission, Gatekeeper } from '#platform/http'
import { buckets, type Limits } from '#platform/limits'
import { hashToken } from '#platform/secrets'
import type { Log } from '#platform/telemetry'
import { isKeyText } from '../api-keys/key-text.rules.ts'
import { mustSee, openWitness } from '../impersonation/witness.ts'
import { collectPresence } from '../sessions/presence.ts'
import { admitKey, admitSession, admitVisitor, assertOpen, isFromAllowedAddress } from './admission.rules.ts'
import { readAuthContext } from './auth-context.queries.ts'
import { countCaller } from './caller-limits.ts'
import { askTogether, rememberDead } from './dead-credentials.ts'
import { type KeyRing, openKeyRing } from './key-ring.ts'
import { seldom } from './seldom.ts'
import { invalidToken, openTokens, revokedToken, tenantMismatch } from './tokens.ts'
import { rememberVerified } from './verified-tokens.ts'

type Options = { db: Db; config: Config; clock: Clock; limits: Limits; log: Log; keyRing?: KeyRing }

/** The gate's own gatekeeper, and what has to be written down before the process ends. */
export type OpenGatekeeper = Gatekeeper & { flush(): Promise<void>; close(): Promise<void> }

export function openGatekeeper(options: Options): OpenGatekeeper {
  const { db, config, clock, limits, log, keyRing = openKeyRing(config) } = options
  const readToken = rememberVerified(openTokens({ keyRing, config, clock }), clock)
  const presence = collectPresence({ db, clock })
  const witness = openWitness({ db, clock, log })
  const isDue = seldom({ clock, seconds: 60 })
  const dead = rememberDead()
  const askForWorkspace = askTogether((slug) =>
    readAuthContext(db, { slug, sessionId: null, keyDigest: null, now: clock.now() }),
  )

  async function admit({ slug, credential, trace }: Parameters<Gatekeeper['admit']>[0]): Promise<Admission> {
    if (!credential) {
      const context = await readAuthContext(db, { slug, sessionId: null, keyDigest: null, now: clock.now() })
      assertOpen(context)
      return admitVisitor(context)
    }
    return credential.kind === 'session'
      ? await admitToken(slug, credential.token, trace)
      : await admitApiKey(slug, credential.key, trace)
  }

  async function admitToken(slug: string, token: string, trace: Trace): Promise<Admission> {
    const claims = await readToken(token)
    if (dead.tenantOf(claims.sessionId)) {
      const { tenant_id } = await openWorkspace(slug)
      throw claims.tenantId === tenant_id ? revokedToken() : tenantMismatch()
    }
    const context = await readAuthContext(db, { slug, sessionId: claims.sessionId, keyDigest: null, now: clock.now() })
    assertOpen(context)
    // What an admin does as somebody else is also refused while the admin is none, and that may change.
    if (context.session_state === 'revoked' && context.session_kind === 'user')
      dead.add(claims.sessionId, context.tenant_id)
    const admission = admitSession(context, claims, trace)
    if (admission.actor!.type === 'impersonation' && witness.isOverwhelmed())
      throw unavailable('What is done as somebody else cannot be written down at the moment. Try again soon.')
    presence.note(admission.actor!)
    return admission
  }

  async function admitApiKey(slug: string, key: string, trace: Trace): Promise<Admission> {
    if (!isKeyText(key)) throw invalidToken()
    const keyDigest = hashToken(key)
    const digest = keyDigest.toString('base64url')
    const deadIn = dead.tenantOf(digest)
    if (deadIn) {
      const { tenant_id } = await openWorkspace(slug)
      throw deadIn === tenant_id ? revokedToken() : invalidToken()
    }
    const context = await readAuthContext(db, { slug, sessionId: null, keyDigest, now: clock.now() })
    assertOpen(context)
    if (context.key_state === 'revoked') dead.add(digest, context.tenant_id)
    const admission = admitKey(context, trace)
    const actor = admission.actor!
    if (!isFromAllowedAddress(context, trace.ip)) await refuseAddress(actor, trace)
    presence.note(actor, { isFirstUse: context.key_is_unused === true })
    return admission
  }

  /** A workspace that is closed or gone says so first, also to whoever comes with a dead credential. */
  async function openWorkspace(slug: string) {
    const context = await askForWorkspace(slug)
    assertOpen(context)
    return context
  }

  async function refuseAddress(actor: SignedIn, { ip }: Trace): Promise<never> {
    // One process asks itself first; the others are asked through what they count together.
    const key = `${actor.tenantId}:${actor.apiKeyId}:${ip}`
    if (isDue(key) && (await limits.take({ ...buckets.refusedAddress, key })).allowed)
      await inTenant(db, actor, (tx) =>
        recordDenied(tx, 'api_key.used', {
          id: actor.apiKeyId,
          reason: 'The address is not on the list of the connected app.',
        }),
      )
    throw forbidden('ip_not_allowed', 'This API key may not be used from this address. Ask an admin to add it.')
  }

  return {
    admit,
    count: (caller) => countCaller(limits, caller),
    mustSee,
    witness: witness.see,
    async flush() {
      await presence.flush()
      await witness.flush()
    },
    async close() {
      await presence.close()
      await witness.close()
    },
  }
}
