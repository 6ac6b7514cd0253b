import type { InTenant } from '../auth/auth-services.ts'
import { readSettings } from '../settings/settings.queries.ts'
import { notConfigured } from './provider-clients.service.ts'
import {
  assertIssuer,
  fetchKeys,
  fetchMetadata,
  type ProviderMetadata,
  ProviderTrouble,
  troubleOf,
} from './provider-documents.ts'
import type { OktaTest, Step } from './sso.schemas.ts'
import type { SsoServices } from './sso-services.ts'

type Sources = Pick<SsoServices, 'egress' | 'config'>
type Check = { name: Step['name']; done: string; run(metadata: ProviderMetadata): unknown }

/** Walks the way a sign-on takes, as far as nobody has to sign in for it, and tells where it ends. Nothing kept is used. */
export async function testOkta(sources: Sources, open: InTenant): Promise<OktaTest> {
  const { okta } = await open((tx) => readSettings(tx, 'sso'))
  if (!okta.issuer) throw notConfigured()
  const issuer = okta.issuer
  let metadata: ProviderMetadata | undefined
  const discovery = await attempt('discovery', 'The provider describes itself.', async () => {
    metadata = await fetchMetadata(sources.egress, issuer)
  })
  const steps = [discovery]
  for (const check of checks(sources, issuer)) {
    steps.push(
      metadata
        ? await attempt(check.name, check.done, () => check.run(metadata!))
        : { name: check.name, ok: false, detail: 'Not tried, since the provider cannot be asked.' },
    )
  }
  return { ok: steps.every(({ ok }) => ok), steps }
}

const checks = ({ egress, config }: Sources, issuer: string): Check[] => [
  {
    name: 'issuer',
    done: 'The provider is the issuer set here.',
    run: (metadata) => assertIssuer(metadata, issuer),
  },
  {
    name: 'keys',
    done: 'The keys that sign for the provider can be read.',
    run: ({ jwks_uri }) => fetchKeys(egress, jwks_uri),
  },
  {
    name: 'authorization_url',
    done: 'People can be sent to the provider.',
    run: ({ authorization_endpoint }) => assertReachable(authorization_endpoint, config.SAFE_FETCH_ALLOW_PRIVATE),
  },
]

async function attempt(name: Step['name'], done: string, run: () => unknown): Promise<Step> {
  try {
    await run()
    return { name, ok: true, detail: done }
  } catch (error) {
    return { name, ok: false, detail: troubleOf(error) }
  }
}

function assertReachable(address: string, allowsHttp: boolean): void {
  const protocol = URL.parse(address)?.protocol
  if (protocol === 'https:' || (allowsHttp && protocol === 'http:')) return
  throw new ProviderTrouble('The address people would be sent to is not one that begins with https://')
}
