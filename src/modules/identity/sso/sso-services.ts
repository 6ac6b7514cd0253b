import type { Services } from '#platform/module'
import { type AuthServices, createAuthServices } from '../auth/auth-services.ts'
import { createOidcClient, type OidcClient } from '../oidc/oidc.client.ts'

export type SsoServices = AuthServices & Pick<Services, 'secrets' | 'egress'> & { oidc: OidcClient }

export const createSsoServices = (services: Services): SsoServices => ({
  ...createAuthServices(services),
  secrets: services.secrets,
  egress: services.egress,
  oidc: createOidcClient(services),
})
