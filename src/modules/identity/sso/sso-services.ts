import type { Services } from '#platform/module'
import { type AuthServices, openAuth } from '../auth/auth-services.ts'
import { type Oidc, openOidc } from './oidc.client.ts'

/** What signing on elsewhere needs besides what every sign-in needs. */
export type SsoServices = AuthServices & Pick<Services, 'secrets' | 'egress'> & { oidc: Oidc }

export const openSso = (services: Services): SsoServices => ({
  ...openAuth(services),
  secrets: services.secrets,
  egress: services.egress,
  oidc: openOidc(services),
})
