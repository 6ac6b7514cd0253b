import { queryOptions } from '@tanstack/react-query'
import { areaKeys } from '../../api/area-keys.ts'
import { api, ifMatch, read, type Schemas } from '../../api/client.ts'
import { type Me, storeMe } from '../../session/me.ts'
import { withReauthentication } from '../../session/reauthenticate.ts'

export type Settings = Pick<Schemas['Settings'], 'version' | 'general' | 'branding' | 'security'>
export type SettingsChanges = Pick<Schemas['SettingsChanges'], 'general' | 'branding'>
export type OwnSession = Schemas['OwnSession']
export type ApiKey = Schemas['ApiKey']
export type CreatedApiKey = Schemas['CreatedApiKey']
export type NewApiKey = Schemas['CreateApiKeyRequest']

export const settingsQuery = queryOptions({
  queryKey: areaKeys.settings.workspace,
  queryFn: ({ signal }): Promise<Settings> => read(api.GET('/api/admin/settings', { signal })),
})

export const readSettings = (): Promise<Settings> => read(api.GET('/api/admin/settings'))

export const updateSettings = (version: number, body: SettingsChanges): Promise<Settings> =>
  read(api.PATCH('/api/admin/settings', { headers: ifMatch(version), body }))

/** Shows new settings everywhere in the application, not only in their form. */
export function adoptSettings(me: Me, { general, branding }: Settings): void {
  const { name, ...others } = general
  storeMe({ ...me, tenant: { ...me.tenant, name, general: others, branding } })
}

export const sampleDataQuery = queryOptions({
  queryKey: areaKeys.settings.sampleData,
  queryFn: ({ signal }) => read(api.GET('/api/admin/demo-data-status', { signal })),
})

const sampleDataTasks = { loading: 'operations.load_sample_data', removing: 'operations.remove_sample_data' }

/** The newest task that loads or removes sample data, so that its progress is shown after a reload. */
export const sampleDataTaskQuery = (state: keyof typeof sampleDataTasks) =>
  queryOptions({
    queryKey: areaKeys.settings.sampleDataTask(state),
    queryFn: ({ signal }) =>
      read(
        api.GET('/api/tasks/', {
          params: { query: { kind: sampleDataTasks[state], limit: 1, count: 'none' } },
          signal,
        }),
      ),
  })

export const loadSampleData = () => read(api.POST('/api/admin/load-sample-data'))

export const removeSampleData = (includesModified: boolean) =>
  read(api.DELETE('/api/admin/sample-data', { params: { query: { include_modified: includesModified } } }))

export const readMe = (): Promise<Me> => read(api.GET('/api/auth/me'))

export const updateProfile = (version: number, body: Schemas['UpdateOwnProfileRequest']) =>
  read(api.PATCH('/api/auth/profile', { headers: ifMatch(version), body }))

export const sessionsQuery = queryOptions({
  queryKey: areaKeys.settings.sessions,
  queryFn: ({ signal }) => read(api.GET('/api/auth/sessions', { signal })),
})

export const revokeSession = (sessionId: string) =>
  read(api.DELETE('/api/auth/sessions/{session_id}', { params: { path: { session_id: sessionId } } }))

export const revokeOtherSessions = () => read(api.POST('/api/auth/sessions/revoke-others'))

/** The longest lifetime of a session, so that every user with a session is counted. */
const longestSessionSeconds = 90 * 86_400

export const signedInQuery = queryOptions({
  queryKey: areaKeys.settings.signedIn,
  queryFn: ({ signal }) =>
    read(
      api.GET('/api/users/admin/active-sessions', {
        params: { query: { threshold_seconds: longestSessionSeconds, limit: 1 } },
        signal,
      }),
    ),
})

export const signOutAllUsers = (slug: string) =>
  withReauthentication(() =>
    read(api.DELETE('/api/users/admin/active-sessions', { params: { query: { confirm: slug } } })),
  )

const keyLimit = 200

export const apiKeysQuery = (userId: string) =>
  queryOptions({
    queryKey: areaKeys.settings.apiKeys(userId),
    queryFn: ({ signal }) =>
      read(
        api.GET('/api/api-keys', { params: { query: { user_id: userId, limit: keyLimit, count: 'none' } }, signal }),
      ),
  })

export const createApiKey = (body: NewApiKey) => withReauthentication(() => read(api.POST('/api/api-keys', { body })))

export const revokeApiKey = (keyId: string) =>
  read(api.DELETE('/api/api-keys/{key_id}', { params: { path: { key_id: keyId } } }))

export type SenderSettings = Schemas['CadenceSenderSettings']

export const senderQuery = queryOptions({
  queryKey: areaKeys.settings.sender,
  queryFn: ({ signal }) => read(api.GET('/api/cadences/sender-settings', { signal })),
})

export const replaceSenderSettings = (body: SenderSettings): Promise<SenderSettings> =>
  read(api.PUT('/api/cadences/sender-settings', { body }))
