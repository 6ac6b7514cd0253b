import type { Config } from '#platform/config'

export type GoogleClient = Pick<Config, 'GOOGLE_CLIENT_ID' | 'GOOGLE_CLIENT_SECRET'>

export const hasGoogleClient = (config: GoogleClient): boolean =>
  Boolean(config.GOOGLE_CLIENT_ID && config.GOOGLE_CLIENT_SECRET)

export const isGoogleConfigured = (google: { enabled: boolean }, config: GoogleClient): boolean =>
  google.enabled && hasGoogleClient(config)
