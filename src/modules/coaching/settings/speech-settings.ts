import { type Static, Type } from 'typebox'
import { readSecret, readSection } from '#modules/identity'
import type { SpeechProvider } from '#platform/ai'
import type { TenantTx } from '#platform/db'
import type { SettingsSection } from '#platform/module'
import { Line, strict } from '#platform/schema'
import type { SecretBox } from '#platform/secrets'

const provider = (endpoint: string, examples: string[]) =>
  Type.Object(
    {
      base_url: Type.Union([Type.String({ format: 'uri', pattern: '^https://', maxLength: 2_048 }), Type.Null()], {
        default: null,
        description: `Base URL of a server with the endpoint \`${endpoint}\` of OpenAI. Must begin with https://; null means no provider.`,
      }),
      model: Type.Union([Line(200), Type.Null()], {
        default: null,
        examples,
        description: 'Model name. Required with `base_url`.',
      }),
    },
    { additionalProperties: false, default: {} },
  )

const SpeechSettings = strict({
  voice: provider('/realtime/client_secrets', ['gpt-realtime']),
  transcription: provider('/audio/transcriptions', ['whisper-1']),
})
type SpeechSettings = Static<typeof SpeechSettings>

export type SpeechService = keyof SpeechSettings
const speechServices: SpeechService[] = ['voice', 'transcription']

export const speechSettings = {
  name: 'enablement_media',
  schema: SpeechSettings,
  secrets: [
    { path: 'voice.api_key', boundTo: ['voice.base_url'] },
    { path: 'transcription.api_key', boundTo: ['transcription.base_url'] },
  ],
  // Providers receive what users say and record.
  isSensitive: true,
  problemsIn: async (_tx, settings) => findSpeechProblems(settings as SpeechSettings),
} as const satisfies SettingsSection

const findSpeechProblems = (settings: SpeechSettings) =>
  speechServices.flatMap((service) => {
    const { base_url, model } = settings[service]
    return base_url && !model
      ? [{ path: `/${service}/model`, code: 'required', message: '`model` is required with `base_url`.' }]
      : []
  })

/** Returns null if the workspace has not configured the service. */
export async function readSpeechProvider(
  tx: TenantTx,
  box: SecretBox,
  service: SpeechService,
): Promise<SpeechProvider | null> {
  const { base_url, model } = (await readSection(tx, speechSettings))[service]
  if (!base_url || !model) return null
  return { baseUrl: base_url, model, apiKey: await readSecret(tx, box, `enablement_media.${service}.api_key`) }
}
