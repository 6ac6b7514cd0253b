import { ssoNotConfigured } from '../../credentials/oidc/provider-clients.service.ts'
import {
  assertIssuer,
  describeProviderError,
  fetchKeySet,
  fetchMetadata,
  ProviderError,
  type ProviderMetadata,
} from '../../credentials/oidc/provider-documents.ts'
import type { InTenant } from '../../credentials/tokens/auth-services.ts'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import type { OktaTest, OktaTestStep } from './sso.schemas.ts'
import type { SsoServices } from './sso-services.ts'

type TestOktaServices = Pick<SsoServices, 'egress' | 'config'>
type OktaCheck = { name: OktaTestStep['name']; successText: string; run(metadata: ProviderMetadata): unknown }

/** Runs the steps of a sign-in that need no user. Bypasses the caches. */
export async function testOktaConnection(services: TestOktaServices, open: InTenant): Promise<OktaTest> {
  const { okta } = await open((tx) => readSettings(tx, 'sso'))
  if (!okta.issuer) throw ssoNotConfigured()
  const issuer = okta.issuer
  let metadata: ProviderMetadata | undefined
  const discovery = await runStep('discovery', 'Discovery document found.', async () => {
    metadata = await fetchMetadata(services.egress, issuer)
  })
  const steps = [discovery]
  for (const check of checks(services, issuer)) {
    steps.push(
      metadata
        ? await runStep(check.name, check.successText, () => check.run(metadata!))
        : { name: check.name, ok: false, detail: 'Skipped because discovery failed.' },
    )
  }
  return { ok: steps.every(({ ok }) => ok), steps }
}

const checks = ({ egress, config }: TestOktaServices, issuer: string): OktaCheck[] => [
  {
    name: 'issuer',
    successText: 'The issuer matches the settings.',
    run: (metadata) => assertIssuer(metadata, issuer),
  },
  {
    name: 'keys',
    successText: 'Signing keys found.',
    run: ({ jwks_uri }) => fetchKeySet(egress, jwks_uri),
  },
  {
    name: 'authorization_url',
    successText: 'The authorization URL is valid.',
    run: ({ authorization_endpoint }) => assertHttpsUrl(authorization_endpoint, config.SAFE_FETCH_ALLOW_PRIVATE),
  },
]

async function runStep(name: OktaTestStep['name'], successText: string, run: () => unknown): Promise<OktaTestStep> {
  try {
    await run()
    return { name, ok: true, detail: successText }
  } catch (error) {
    return { name, ok: false, detail: describeProviderError(error) }
  }
}

function assertHttpsUrl(url: string, allowsHttp: boolean): void {
  const protocol = URL.parse(url)?.protocol
  if (protocol === 'https:' || (allowsHttp && protocol === 'http:')) return
  throw new ProviderError('The authorization URL of the provider must begin with https://.')
}
