import type { SignedIn, Trace } from '#platform/access'
import { recordDenied } from '#platform/audit'
import type { Clock } from '#platform/clock'
import type { Config } from '#platform/config'
import { type Db, inTenant } from '#platform/db'
import { forbidden } from '#platform/errors'
import type { Admission, Gatekeeper } from '#platform/http'
import type { Limits } from '#platform/limits'
import { hashToken } from '#platform/secrets'
import { isKeyText } from '../api-keys/key-text.rules.ts'
import { collectPresence } from '../sessions/presence.ts'
import { admitKey, admitSession, admitVisitor, assertOpen, isFromAllowedAddress } from './admission.rules.ts'
import { readAuthContext } from './auth-context.queries.ts'
import { countCaller } from './caller-limits.ts'
import { type KeyRing, openKeyRing } from './key-ring.ts'
import { seldom } from './seldom.ts'
import { invalidToken, openTokens } from './tokens.ts'
import { rememberVerified } from './verified-tokens.ts'

type Options = { db: Db; config: Config; clock: Clock; limits: Limits; keyRing?: KeyRing }

/** The gate's own gatekeeper, and what has to be written down before the process ends. */
export type OpenGatekeeper = Gatekeeper & { flush(): Promise<void>; close(): Promise<void> }

export function openGatekeeper({ db, config, clock, limits, keyRing = openKeyRing(config) }: Options): OpenGatekeeper {
  const readToken = rememberVerified(openTokens({ keyRing, config, clock }), clock)
  const presence = collectPresence({ db, clock })
  const isDue = seldom({ clock, seconds: 60 })

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
    const context = await readAuthContext(db, { slug, sessionId: claims.sessionId, keyDigest: null, now: clock.now() })
    assertOpen(context)
    const admission = admitSession(context, claims, trace)
    presence.note(admission.actor!)
    return admission
  }

  async function admitApiKey(slug: string, key: string, trace: Trace): Promise<Admission> {
    if (!isKeyText(key)) throw invalidToken()
    const context = await readAuthContext(db, { slug, sessionId: null, keyDigest: hashToken(key), now: clock.now() })
    assertOpen(context)
    const admission = admitKey(context, trace)
    const actor = admission.actor!
    if (!isFromAllowedAddress(context, trace.ip)) await refuseAddress(actor, trace)
    presence.note(actor, { isFirstUse: context.key_is_unused === true })
    return admission
  }

  async function refuseAddress(actor: SignedIn, { ip }: Trace): Promise<never> {
    if (isDue(`${actor.tenantId}:${actor.apiKeyId}:${ip}`))
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
    flush: presence.flush,
    close: presence.close,
  }
}
