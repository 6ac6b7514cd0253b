import type { FastifyRequest } from 'fastify'
import { decodeJwt } from 'jose'
import type { RequestAuthenticator } from '#platform/http'
import type { MatrixApp } from './matrix-app.ts'

type Layer = 'host check' | 'raw host'

let disabled: { layer: Layer; slugs: Record<string, string> } | undefined

/** Options of an application whose security layers can be disabled. */
export const layerSwitches = {
  /** Trusts X-Forwarded-Host while the layer `raw host` is disabled. */
  onRequest({ raw }: FastifyRequest) {
    const forwarded = raw.headers['x-forwarded-host']
    if (disabled?.layer === 'raw host' && forwarded) raw.headers.host = String(forwarded)
  },
  /** Takes the workspace from the token instead of the host while the layer `host check` is disabled. */
  wrapAuthenticator: (authenticator: RequestAuthenticator): RequestAuthenticator => ({
    ...authenticator,
    async authenticate(request) {
      const { credential, slug } = request
      if (disabled?.layer !== 'host check' || credential?.kind !== 'session')
        return await authenticator.authenticate(request)
      return await authenticator.authenticate({ ...request, slug: slugIn(credential.token) ?? slug })
    },
  }),
}

function slugIn(token: string): string | undefined {
  try {
    return disabled?.slugs[String(decodeJwt(token).tid)]
  } catch {
    return undefined
  }
}

export async function runWithoutLayer<T>(layer: Layer, app: MatrixApp, run: () => Promise<T>): Promise<T> {
  const tenants = [app.ownTenant, app.otherTenant].map(({ workspace: { id, slug } }) => [id, slug])
  disabled = { layer, slugs: Object.fromEntries(tenants) }
  return await run().finally(() => {
    disabled = undefined
  })
}
