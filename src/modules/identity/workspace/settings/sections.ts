import type { Static } from 'typebox'
import type { SettingsSection } from '#platform/module'
import {
  AiSettings,
  BrandingSettings,
  GeneralSettings,
  RetentionSettings,
  SecuritySettings,
  SignupSettings,
  SsoSettings,
} from './settings.schemas.ts'

export const identitySettings = [
  { name: 'general', schema: GeneralSettings },
  { name: 'branding', schema: BrandingSettings },
  { name: 'security', schema: SecuritySettings, isSensitive: true },
  { name: 'signup', schema: SignupSettings, isSensitive: true },
  {
    name: 'sso',
    schema: SsoSettings,
    secrets: [{ path: 'okta.client_secret', boundTo: ['okta.issuer', 'okta.client_id'] }],
    isSensitive: true,
  },
  {
    name: 'ai',
    schema: AiSettings,
    secrets: [{ path: 'api_key', boundTo: ['provider', 'base_url'] }],
    isSensitive: true,
  },
  { name: 'retention', schema: RetentionSettings },
] as const satisfies SettingsSection[]

type IdentitySection = (typeof identitySettings)[number]
export type SectionName = IdentitySection['name']
export type SettingsOf<N extends SectionName> = Static<Extract<IdentitySection, { name: N }>['schema']>
