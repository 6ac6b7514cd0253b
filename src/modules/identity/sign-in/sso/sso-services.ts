import type { Services } from '#platform/module'
import { createOidcClient, type OidcClient } from '../../credentials/oidc/oidc.client.ts'
import { type AuthServices, createAuthServices } from '../../credentials/tokens/auth-services.ts'

export type SsoServices = AuthServices & Pick<Services, 'secrets' | 'egress'> & { oidc: OidcClient }

export const createSsoServices = (services: Services): SsoServices => ({
  ...createAuthServices(services),
  secrets: services.secrets,
  egress: services.egress,
  oidc: createOidcClient(services),
})
